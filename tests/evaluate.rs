//! The reference evaluation against worked examples and brute force.

#[path = "evaluate/derivative.rs"]
mod derivative;
#[path = "evaluate/golden.rs"]
mod golden;
#[path = "evaluate/long_chain.rs"]
mod long_chain;
#[path = "evaluate/maximum.rs"]
mod maximum;
#[path = "evaluate/tree.rs"]
mod tree;
