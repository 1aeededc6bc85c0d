//! The commands that make circuits of circuits.

mod condition;
mod marginalize;
mod mix;
mod multiply;
mod prune;
mod smooth;
mod target;

pub use condition::run as condition;
pub use marginalize::run as marginalize;
pub use mix::run as mix;
pub use multiply::run as multiply;
pub use prune::run as prune;
pub use smooth::run as smooth;
