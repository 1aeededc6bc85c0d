//! Trees against all trees, information against plain counts.

mod bootstrap;
mod information;
mod spanning;
mod trees;
mod world;
