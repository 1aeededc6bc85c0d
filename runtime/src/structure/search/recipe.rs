//! What a trial of a search does.

use crate::learn::{LearnOptions, Start};
use crate::structure::source::Form;
use crate::structure::{HcltOptions, TreeChoice, TreeOptions};
use serde_json::{Value as Json, json};
use std::fmt;

/// What a trial of a search does: all that was chosen, so that it can be repeated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recipe {
    /// States of each hidden variable.
    pub n_states: usize,
    /// Number of trees.
    pub n_trees: usize,
    /// Where they come from.
    pub choice: TreeChoice,
    /// Where learning starts.
    pub start: Start,
    /// See [`LearnOptions::pseudocount`].
    pub pseudocount: f64,
    /// See [`LearnOptions::softness`].
    pub softness: f64,
    /// See [`LearnOptions::entropy`].
    pub entropy: f64,
    /// The seed of what is drawn for trees and by learning.
    pub seed: u64,
}

impl Recipe {
    /// How the structure is made.
    pub fn structure(&self, base: &TreeOptions) -> HcltOptions {
        HcltOptions {
            n_states: self.n_states,
            trees: TreeOptions {
                n_trees: self.n_trees,
                choice: self.choice,
                seed: self.seed,
                ..*base
            },
            form: Form::Pelton,
        }
    }

    /// How its parameters are learned.
    pub fn learning(&self, base: &LearnOptions) -> LearnOptions {
        LearnOptions {
            pseudocount: self.pseudocount,
            softness: self.softness,
            entropy: self.entropy,
            start: self.start,
            seed: self.seed,
            ..base.clone()
        }
    }

    /// What an epoch costs, compared with that of other recipes.
    pub fn cost(&self) -> f64 {
        // Small blocks leave more to do beside the products.
        (self.n_trees * (self.n_states + 4).pow(2)) as f64
    }

    /// The recipe as reports show it.
    pub fn to_json(&self) -> Json {
        json!({
            "hidden": self.n_states,
            "trees": self.n_trees,
            "tree_choice": self.choice.name(),
            "init": self.start.name(),
            "pseudocount": self.pseudocount,
            "softness": self.softness,
            "entropy": self.entropy,
            "seed": self.seed,
        })
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (trees, states, start) = (self.n_trees, self.n_states, self.start.name());
        let (a, s, tau) = (self.pseudocount, self.softness, self.entropy);
        write!(
            f,
            "{trees} × {states} states, {start}, pseudocount {a}, softness {s}, entropy {tau}"
        )
    }
}
