//! The learners, a file each: what it learns, its options and how front ends offer it.
//!
//! To add one, write its file, with an entry like those of the others, and name it here.

mod chow_liu;
mod hidden_chow_liu;

pub use chow_liu::ChowLiu;
pub use hidden_chow_liu::{FixedChoices, HiddenChowLiu, HiddenTreeRecipe, HiddenTreeSearch};

use super::LearnerEntry;

/// All learners, in the order in which front ends list them.
pub const LEARNERS: &[LearnerEntry] = &[chow_liu::ENTRY, hidden_chow_liu::ENTRY];

/// The learner of a name.
pub fn learner_named(name: &str) -> Option<&'static LearnerEntry> {
    LEARNERS.iter().find(|entry| entry.name == name)
}
