//! Choices among several outcomes by weight, in constant time.

use rand::Rng;

/// Outcomes with weights, to be drawn again and again.
///
/// Walker's alias method: outcomes share as many equal columns, each of which holds at
/// most two of them. A draw picks a column and then one of the two. Probabilities are
/// exact to 2^-32; an outcome of weight 0 is never drawn.
#[derive(Clone, Debug, Default)]
pub struct AliasTable {
    columns: Vec<AliasColumn>,
}

#[derive(Clone, Copy, Debug)]
struct AliasColumn {
    /// The column's own outcome is drawn below this part of 2^32.
    own: u32,
    /// What is drawn elsewhere.
    other: u32,
}

impl AliasTable {
    /// Outcomes `0..weights.len()`; the weights need not add up to 1. If none is
    /// positive, the first outcome is always drawn.
    pub fn new(weights: &[f64]) -> Self {
        // 1. Every outcome gets a column of its own, as high as it is likely; 1 is the mean.
        let total: f64 = weights.iter().sum();
        let n = weights.len() as f64;
        let largest = (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
        let likeliest = largest.unwrap_or(0) as u32;
        let mut columns: Vec<AliasColumn> = Vec::with_capacity(weights.len());
        let mut heights: Vec<f64> = Vec::with_capacity(weights.len());
        for &weight in weights {
            let height = if total > 0.0 { weight / total * n } else { 0.0 };
            columns.push(AliasColumn {
                own: part(height),
                other: likeliest,
            });
            heights.push(height);
        }
        // 2. What columns are too high by fills those that are too low.
        share(&mut columns, &mut heights);
        AliasTable { columns }
    }

    /// The same from logarithms of weights.
    pub fn from_logs(logs: &[f64]) -> Self {
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weight = |log: f64| {
            if log == f64::NEG_INFINITY {
                0.0
            } else {
                (log - largest).exp()
            }
        };
        let weights: Vec<f64> = logs.iter().map(|&log| weight(log)).collect();
        AliasTable::new(&weights)
    }

    /// Number of outcomes.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there are no outcomes, so that nothing can be drawn.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Draws an outcome.
    #[inline]
    pub fn draw(&self, random: &mut impl Rng) -> usize {
        let bits = random.next_u64();
        let at = ((bits >> 32) * self.columns.len() as u64) >> 32;
        let column = self.columns[at as usize];
        let is_own = (bits as u32) < column.own;
        std::hint::select_unpredictable(is_own, at as usize, column.other as usize)
    }
}

/// Many choices side by side, each among numbers of its own. A draw reads memory once.
#[derive(Clone, Debug, Default)]
pub struct AliasTablePool {
    columns: Vec<LabelledAliasColumn>,
}

/// One of several [`AliasTablePool`].
#[derive(Clone, Copy, Debug)]
pub struct ChoiceId {
    first: u32,
    n: u32,
}

/// A column with what its outcomes stand for.
#[derive(Clone, Copy, Debug)]
struct LabelledAliasColumn {
    /// The first number is drawn below this part of 2^32.
    own: u32,
    numbers: [u32; 2],
}

impl AliasTablePool {
    /// Adds a choice whose outcomes stand for these numbers.
    ///
    /// # Panics
    /// If there are no outcomes, or fewer numbers.
    pub fn add(&mut self, choice: &AliasTable, numbers: &[u32]) -> ChoiceId {
        assert!(!choice.is_empty(), "nothing can be drawn");
        let id = ChoiceId {
            first: self.columns.len() as u32,
            n: choice.len() as u32,
        };
        let pair = |(column, &number): (&AliasColumn, &u32)| LabelledAliasColumn {
            own: column.own,
            numbers: [number, numbers[column.other as usize]],
        };
        assert_eq!(numbers.len(), choice.len(), "a number for each outcome");
        let pairs = choice.columns.iter().zip(numbers).map(pair);
        self.columns.extend(pairs);
        id
    }

    /// Draws one of a choice's numbers, from the same random bits as [`AliasTable::draw`].
    #[inline]
    pub fn draw(&self, id: ChoiceId, random: &mut impl Rng) -> u32 {
        let bits = random.next_u64();
        let at = ((bits >> 32) * u64::from(id.n)) >> 32;
        let pair = self.columns[id.first as usize + at as usize];
        let is_own = (bits as u32) < pair.own;
        std::hint::select_unpredictable(is_own, pair.numbers[0], pair.numbers[1])
    }

    /// The numbers of a choice.
    pub fn numbers(&self, id: ChoiceId) -> impl Iterator<Item = u32> {
        let columns = &self.columns[id.first as usize..][..id.n as usize];
        columns.iter().map(|pair| pair.numbers[0])
    }
}

/// Fills columns that are not full from those that are more than full.
fn share(columns: &mut [AliasColumn], heights: &mut [f64]) {
    let is_low = |height: f64| height < 1.0;
    let all = || 0..heights.len();
    let mut low: Vec<usize> = all().filter(|&at| is_low(heights[at])).collect();
    let mut high: Vec<usize> = all().filter(|&at| !is_low(heights[at])).collect();
    // A low column is filled by a single high one, which may become low by that. Each step
    // fills one column for good, so that the work is linear.
    while let (Some(small), Some(&large)) = (low.pop(), high.last()) {
        columns[small] = AliasColumn {
            own: part(heights[small]),
            other: large as u32,
        };
        heights[large] -= 1.0 - heights[small];
        if is_low(heights[large]) {
            high.pop();
            low.push(large);
        }
    }
    // What is left is full but for rounding.
    for at in high {
        columns[at] = AliasColumn {
            own: u32::MAX,
            other: at as u32,
        };
    }
}

/// A part of a column in units of 2^-32.
fn part(height: f64) -> u32 {
    (height * 4_294_967_296.0) as u32
}

/// A number from 0 up to, not including, 1.
#[inline]
pub fn unit(random: &mut (impl Rng + ?Sized)) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn outcomes_come_as_often_as_their_weights_say() {
        let weights = [0.5, 0.0, 3.0, 0.01, 1.49];
        let choice = AliasTable::new(&weights);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut counts = [0.0; 5];
        let n = 1_000_000;
        (0..n).for_each(|_| counts[choice.draw(&mut random)] += 1.0);
        for (count, weight) in counts.iter().zip(weights) {
            let expected = weight / 5.0 * f64::from(n);
            let allowed = 4.5 * expected.sqrt();
            assert!((count - expected).abs() <= allowed, "{counts:?}");
        }
        assert_eq!(counts[1], 0.0);
    }

    #[test]
    fn choices_draw_what_each_draws_alone() {
        let single = [&[0.5, 0.0, 3.0][..], &[7.0], &[1.0, 2.0, 3.0, 4.0]].map(AliasTable::new);
        let mut choices = AliasTablePool::default();
        let ids: Vec<ChoiceId> = (single.iter())
            .map(|choice| {
                let numbers: Vec<u32> = (0..choice.len() as u32).map(|at| 10 * at).collect();
                choices.add(choice, &numbers)
            })
            .collect();
        let mut randoms = [3, 3].map(ChaCha8Rng::seed_from_u64);
        for at in (0..3).cycle().take(3000) {
            let alone = single[at].draw(&mut randoms[0]);
            let drawn = choices.draw(ids[at], &mut randoms[1]);
            assert_eq!(drawn as usize, 10 * alone);
        }
    }

    #[test]
    fn one_outcome_is_certain() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for weights in [&[1e-300][..], &[0.0, 7.0], &[0.0, 1e-200, 0.0]] {
            let choice = AliasTable::new(weights);
            let expected = weights.iter().position(|&w| w > 0.0);
            assert!((0..1000).all(|_| Some(choice.draw(&mut random)) == expected));
        }
    }
}
