//! What a trial of a search for hidden trees does.

use crate::learn::Start;
use crate::structure::TreeChoice;
use std::fmt;

/// What a trial of a search does: all that was chosen, so that it can be repeated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HiddenTreeRecipe {
    /// States of each hidden variable.
    pub n_states: usize,
    /// Number of trees.
    pub n_trees: usize,
    /// Where they come from.
    pub choice: TreeChoice,
    /// Where learning starts.
    pub start: Start,
    /// See [`crate::learn::LearnOptions::pseudocount`].
    pub pseudocount: f64,
    /// See [`crate::learn::LearnOptions::softness`].
    pub softness: f64,
    /// See [`crate::learn::LearnOptions::entropy`].
    pub entropy: f64,
    /// The seed of what is drawn for trees and by learning.
    pub seed: u64,
}

/// Choices that are given, and not searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FixedChoices {
    /// States of each hidden variable.
    pub n_states: Option<usize>,
    /// Number of trees of a member.
    pub n_trees: Option<usize>,
    /// Where its trees come from.
    pub choice: Option<TreeChoice>,
    /// See [`crate::learn::LearnOptions::pseudocount`].
    pub pseudocount: Option<f64>,
    /// See [`crate::learn::LearnOptions::softness`].
    pub softness: Option<f64>,
    /// See [`crate::learn::LearnOptions::entropy`].
    pub entropy: Option<f64>,
}

impl FixedChoices {
    /// A recipe with these choices.
    pub fn applied(&self, recipe: &HiddenTreeRecipe) -> HiddenTreeRecipe {
        HiddenTreeRecipe {
            n_states: self.n_states.unwrap_or(recipe.n_states),
            n_trees: self.n_trees.unwrap_or(recipe.n_trees),
            choice: self.choice.unwrap_or(recipe.choice),
            pseudocount: self.pseudocount.unwrap_or(recipe.pseudocount),
            softness: self.softness.unwrap_or(recipe.softness),
            entropy: self.entropy.unwrap_or(recipe.entropy),
            ..*recipe
        }
    }
}

impl fmt::Display for HiddenTreeRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (trees, states, start) = (self.n_trees, self.n_states, self.start.name());
        let (a, s, tau) = (self.pseudocount, self.softness, self.entropy);
        write!(
            f,
            "{trees} × {states} states, {start}, pseudocount {a}, softness {s}, entropy {tau}"
        )
    }
}
