//! Steps against the definition of Q, plain searches and formulas.

mod closed;
mod extremes;
mod maker;
mod never_falls;
mod plain_search;
mod start;
mod world;
