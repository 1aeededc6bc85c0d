//! Checks on small circuits, each built by hand with the text it stands for.

mod messages;
mod properties;
pub(crate) mod sketch;
