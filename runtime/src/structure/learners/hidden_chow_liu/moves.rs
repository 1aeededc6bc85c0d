//! What a search for hidden trees tries next.

use super::{HiddenChowLiu, HiddenTreeRecipe, HiddenTreeSearch};
use crate::learn::{LearnOptions, Start};
use crate::structure::source::HiddenTreeForm;
use crate::structure::{SearchSpace, StructureLearner, TreeChoice, TreeOptions};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value as Json, json};

/// The most states of a hidden variable that are tried.
const MOST_STATES: usize = 128;

/// The most trees of one member that are tried.
const MOST_TREES: usize = 16;

/// Values that are tried, from weak to strong.
const PSEUDOCOUNTS: &[f64] = &[0.01, 0.1, 0.5, 2.0, 8.0];
const SOFTNESSES: &[f64] = &[0.0, 0.0005, 0.002, 0.005];
const ENTROPIES: &[f64] = &[0.0, 0.0003, 0.001, 0.003, 0.01];

/// The other place that trees come from, beside drawn rows: as in the paper.
const DRAWN: TreeChoice = TreeChoice::Best { of: 20 };

impl SearchSpace for HiddenTreeSearch {
    type Recipe = HiddenTreeRecipe;

    /// One tree, several, few with many states and many with few, and another start.
    fn first(&self) -> Vec<HiddenTreeRecipe> {
        let paper = HiddenTreeRecipe {
            n_states: 12,
            n_trees: 4,
            choice: TreeChoice::Bootstrap,
            start: Start::KMeans,
            pseudocount: 0.1,
            // Softness hurts where ones are rarer than noise: it explains them away.
            softness: 0.0,
            entropy: 0.001,
            seed: 0,
        };
        let all = [
            HiddenTreeRecipe {
                n_trees: 1,
                ..paper
            },
            paper,
            HiddenTreeRecipe {
                n_states: 32,
                n_trees: 1,
                ..paper
            },
            HiddenTreeRecipe {
                start: Start::Random,
                choice: DRAWN,
                softness: 0.002,
                ..paper
            },
            HiddenTreeRecipe {
                n_states: 6,
                n_trees: 10,
                ..paper
            },
        ];
        // What is given may make recipes alike; each gets the seed of its place.
        let mut recipes: Vec<HiddenTreeRecipe> = Vec::new();
        let mut seeds = Vec::new();
        for (recipe, at) in all.iter().zip(0..) {
            let recipe = self.fixed.applied(recipe);
            if !recipes.contains(&recipe) {
                recipes.push(recipe);
                seeds.push(self.options.seed.wrapping_mul(1009).wrapping_add(at));
            }
        }
        for (recipe, seed) in recipes.iter_mut().zip(seeds) {
            recipe.seed = seed;
        }
        recipes
    }

    fn neighbour(&self, recipe: &HiddenTreeRecipe, random: &mut ChaCha8Rng) -> HiddenTreeRecipe {
        let mut next = *recipe;
        let n_moves = 1 + random.next_u64() % 2;
        for _ in 0..n_moves {
            step(&mut next, random);
        }
        next.seed = random.next_u64() >> 32;
        self.fixed.applied(&next)
    }

    fn learner(&self, recipe: &HiddenTreeRecipe) -> Box<dyn StructureLearner> {
        Box::new(HiddenChowLiu {
            n_states: recipe.n_states,
            trees: TreeOptions {
                n_trees: recipe.n_trees,
                choice: recipe.choice,
                seed: recipe.seed,
                ..self.trees
            },
            form: HiddenTreeForm::Pelton,
        })
    }

    fn learning(&self, recipe: &HiddenTreeRecipe, base: &LearnOptions) -> LearnOptions {
        LearnOptions {
            pseudocount: recipe.pseudocount,
            softness: recipe.softness,
            entropy: recipe.entropy,
            start: recipe.start,
            seed: recipe.seed,
            ..base.clone()
        }
    }

    fn cost(&self, recipe: &HiddenTreeRecipe) -> f64 {
        // Small blocks leave more to do beside the products.
        (recipe.n_trees * (recipe.n_states + 4).pow(2)) as f64
    }

    fn choices(&self, recipe: &HiddenTreeRecipe) -> Vec<(&'static str, Json)> {
        vec![
            ("trees", json!(recipe.n_trees)),
            ("hidden", json!(recipe.n_states)),
            ("tree_choice", json!(recipe.choice.name())),
            ("init", json!(recipe.start.name())),
            ("pseudocount", json!(recipe.pseudocount)),
            ("softness", json!(recipe.softness)),
            ("entropy", json!(recipe.entropy)),
            ("seed", json!(recipe.seed)),
        ]
    }
}

fn step(recipe: &mut HiddenTreeRecipe, random: &mut ChaCha8Rng) {
    let is_up = random.next_u64().is_multiple_of(2);
    match random.next_u64() % 8 {
        0 | 1 => {
            let (times, over) = if is_up { (8, 5) } else { (5, 8) };
            let states = recipe.n_states * times / over;
            recipe.n_states = states.clamp(2, MOST_STATES);
        }
        2 => {
            let trees = recipe.n_trees;
            let trees = if is_up { trees * 2 } else { trees / 2 };
            recipe.n_trees = trees.clamp(1, MOST_TREES);
        }
        3 => {
            recipe.start = match recipe.start {
                Start::KMeans => Start::Random,
                _ => Start::KMeans,
            }
        }
        4 => {
            recipe.choice = match recipe.choice {
                TreeChoice::Bootstrap => DRAWN,
                TreeChoice::Best { .. } => TreeChoice::Bootstrap,
            }
        }
        5 => recipe.pseudocount = moved(PSEUDOCOUNTS, recipe.pseudocount, is_up),
        6 => recipe.softness = moved(SOFTNESSES, recipe.softness, is_up),
        _ => recipe.entropy = moved(ENTROPIES, recipe.entropy, is_up),
    }
}

/// The neighbour of a value in a list; at its ends the other neighbour.
fn moved(list: &[f64], value: f64, is_up: bool) -> f64 {
    let last = list.len() - 1;
    let at = list.iter().position(|&own| own >= value).unwrap_or(last);
    // Up from the last is down, and down from the first is up.
    let goes_up = (is_up || at == 0) && at < last;
    list[if goes_up { at + 1 } else { at - 1 }]
}

#[cfg(test)]
mod tests {
    use super::super::FixedChoices;
    use super::*;
    use crate::structure::SearchOptions;
    use rand::SeedableRng;
    use std::time::Duration;

    fn space(fixed: FixedChoices) -> HiddenTreeSearch {
        HiddenTreeSearch {
            options: SearchOptions::new(Duration::from_secs(1), 5),
            trees: TreeOptions::default(),
            fixed,
        }
    }

    const ALL_FIXED: FixedChoices = FixedChoices {
        n_states: Some(3),
        n_trees: Some(2),
        choice: Some(TreeChoice::Best { of: 4 }),
        pseudocount: Some(0.3),
        softness: Some(0.1),
        entropy: Some(0.2),
    };

    fn assert_fixed(recipe: &HiddenTreeRecipe) {
        assert_eq!(ALL_FIXED.applied(recipe), *recipe);
    }

    /// The values that are found by walking long enough stay within their bounds, and
    /// no recipe is a dead end.
    #[test]
    fn walks_stay_within_bounds_and_reach_everything() {
        let space = space(FixedChoices::default());
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut recipe = space.first()[0];
        let mut seen: Vec<HiddenTreeRecipe> = Vec::new();
        for _ in 0..5_000 {
            recipe = space.neighbour(&recipe, &mut random);
            assert!((2..=MOST_STATES).contains(&recipe.n_states), "{recipe}");
            assert!((1..=MOST_TREES).contains(&recipe.n_trees), "{recipe}");
            assert!(SOFTNESSES.contains(&recipe.softness), "{recipe}");
            seen.push(recipe);
        }
        let is_seen = |is: &dyn Fn(&HiddenTreeRecipe) -> bool| seen.iter().any(is);
        assert!(is_seen(&|recipe| recipe.n_states == 2));
        assert!(is_seen(&|recipe| recipe.n_states == MOST_STATES));
        assert!(is_seen(&|recipe| recipe.n_trees == MOST_TREES));
        for &value in PSEUDOCOUNTS {
            assert!(is_seen(&|recipe| recipe.pseudocount == value), "{value}");
        }
        for &value in ENTROPIES {
            assert!(is_seen(&|recipe| recipe.entropy == value), "{value}");
        }
        assert!(is_seen(&|recipe| recipe.start == Start::Random));
    }

    #[test]
    fn what_is_given_is_not_searched_for() {
        let space = space(ALL_FIXED);
        let recipes = space.first();
        // Only starts are left to choose.
        assert_eq!(recipes.len(), 2);
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let mut recipe = recipes[0];
        for _ in 0..200 {
            assert_fixed(&recipe);
            recipe = space.neighbour(&recipe, &mut random);
        }
        recipes.iter().for_each(assert_fixed);
    }

    #[test]
    fn nothing_is_softened_where_nothing_can_be() {
        let space = space(FixedChoices {
            softness: Some(0.0),
            ..FixedChoices::default()
        });
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut recipe = space.first()[0];
        for _ in 0..200 {
            assert_eq!(recipe.softness, 0.0);
            recipe = space.neighbour(&recipe, &mut random);
        }
    }

    /// Also from values that are not in the list.
    #[test]
    fn values_move_to_their_neighbours() {
        let list = [0.0, 1.0, 2.0];
        for (value, is_up, wanted) in [
            (0.0, true, 1.0),
            (0.0, false, 1.0),
            (1.0, true, 2.0),
            (1.0, false, 0.0),
            (2.0, true, 1.0),
            (2.0, false, 1.0),
            (0.5, false, 0.0),
            (9.0, true, 1.0),
        ] {
            assert_eq!(moved(&list, value, is_up), wanted, "{value} {is_up}");
        }
    }
}
