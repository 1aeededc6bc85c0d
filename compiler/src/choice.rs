//! Choices among several outcomes by weight, in constant time.

use rand::Rng;

/// Outcomes with weights, to be drawn again and again.
///
/// Walker's alias method: outcomes share as many equal columns, each of which holds at
/// most two of them. A draw picks a column and then one of the two. Probabilities are
/// exact to 2^-32; an outcome of weight 0 is never drawn.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    columns: Vec<Column>,
}

#[derive(Clone, Copy, Debug)]
struct Column {
    /// The column's own outcome is drawn below this part of 2^32.
    own: u32,
    /// What is drawn elsewhere.
    other: u32,
}

impl Choice {
    /// Outcomes `0..weights.len()`; the weights need not add up to 1. If none is
    /// positive, the first outcome is always drawn.
    pub fn new(weights: &[f64]) -> Self {
        let total: f64 = weights.iter().sum();
        let n = weights.len() as f64;
        let largest = (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
        let likeliest = largest.unwrap_or(0) as u32;
        let mut columns: Vec<Column> = Vec::with_capacity(weights.len());
        let mut heights: Vec<f64> = Vec::with_capacity(weights.len());
        for &weight in weights {
            let height = if total > 0.0 { weight / total * n } else { 0.0 };
            columns.push(Column {
                own: part(height),
                other: likeliest,
            });
            heights.push(height);
        }
        share(&mut columns, &mut heights);
        Choice { columns }
    }

    /// The same from logarithms of weights.
    pub fn from_logs(logs: &[f64]) -> Self {
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weight = |log: f64| match log == f64::NEG_INFINITY {
            true => 0.0,
            false => (log - largest).exp(),
        };
        let weights: Vec<f64> = logs.iter().map(|&log| weight(log)).collect();
        Choice::new(&weights)
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
        match (bits as u32) < column.own {
            true => at as usize,
            false => column.other as usize,
        }
    }
}

/// Fills columns that are not full from those that are more than full.
fn share(columns: &mut [Column], heights: &mut [f64]) {
    let is_low = |height: f64| height < 1.0;
    let all = || 0..heights.len();
    let mut low: Vec<usize> = all().filter(|&at| is_low(heights[at])).collect();
    let mut high: Vec<usize> = all().filter(|&at| !is_low(heights[at])).collect();
    while let (Some(small), Some(&large)) = (low.pop(), high.last()) {
        columns[small] = Column {
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
        columns[at] = Column {
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
pub fn unit(random: &mut impl Rng) -> f64 {
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
        let choice = Choice::new(&weights);
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
    fn one_outcome_is_certain() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for weights in [&[1e-300][..], &[0.0, 7.0], &[0.0, 1e-200, 0.0]] {
            let choice = Choice::new(weights);
            let expected = weights.iter().position(|&w| w > 0.0);
            assert!((0..1000).all(|_| Some(choice.draw(&mut random)) == expected));
        }
    }
}
