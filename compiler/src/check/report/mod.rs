//! What messages of the checks, and of the repairs, have in common: places and words.

mod not_smooth;
mod overlap;
mod place;
mod wording;

pub(crate) use not_smooth::report_not_smooth;
pub use overlap::refuted;
pub(crate) use place::{FaultyUnit, report_places};
pub(super) use wording::show_child;
pub(crate) use wording::{show_number, show_scope, show_variables, written_name};
