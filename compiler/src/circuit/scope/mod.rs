//! Scopes: which variables each unit mentions, and how sets of variables nest.

mod laminar;
mod of_units;
mod set;
#[cfg(test)]
mod tests;
mod vtree;

pub(crate) use laminar::{ScopeCrossing, arrange};
pub use of_units::Scopes;
pub use set::Scope;
pub use vtree::{Vtree, VtreeNode};
