//! Structures from data.
//!
//! A [`StructureLearner`] writes a circuit from the rows of a [`StructureTask`], as text that goes
//! through the ordinary pipeline; [`LEARNERS`] is the table of all, from which front ends take
//! them. [`search()`] makes ensembles of what they give.
//!
//! A Chow-Liu tree joins variables that tell most about each other: it is a
//! spanning tree of most mutual information, and of all distributions that are
//! trees the one nearest to the data. [`information()`] counts pairs of columns,
//! [`best_trees`] finds one tree or the best few, [`bootstrap`] draws rows anew for
//! trees that differ more than those.

mod best_trees;
mod bits;
mod bootstrap;
mod ensemble;
mod error;
mod information;
mod joint;
mod learner;
mod learners;
mod levels;
mod matrix;
mod parameter_arrays;
mod places;
mod search;
mod selection;
mod size;
mod source;
mod swap;
mod tally;
mod task;
#[cfg(test)]
mod tests;
mod tree;
mod trees;

pub use best_trees::best_trees;
pub use bootstrap::bootstrap;
pub use ensemble::{
    AssembledEnsemble, EnsembleMember, JoinForm, JoinedEnsemble, join, mixing_weights,
};
pub use error::StructureError;
pub use information::{InformationOptions, information};
pub use learner::{
    LearnedStructure, LearnerEntry, LearnerOption, LearnerSettings, OptionKind, StructureLearner,
    StructureReport,
};
pub use learners::*;
pub use matrix::InformationMatrix;
pub use search::{
    EnsembleResult, Refinement, SearchObserver, SearchOptions, SearchReport, SearchSpace,
    SearchTrial, search,
};
pub use source::{HiddenTree, HiddenTreeForm, clt_source, hclt_source};
pub use task::{LARGEST, StructureTask, WeightedSample, compile};
pub use tree::VariableTree;
pub use trees::{TreeChoice, TreeOptions};
