//! Density leaves against the plain functions of leaves.
