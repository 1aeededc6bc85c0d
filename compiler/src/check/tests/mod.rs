//! Checks on small circuits, each built by hand with the text it stands for.

mod laminar;
mod messages;
mod properties;
mod repairs;
mod sketch;
