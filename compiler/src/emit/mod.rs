//! Circuits as text: source, JSON and drawings.

#[cfg(test)]
pub(crate) mod fixture;
