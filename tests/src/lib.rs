//! Random circuits, large shapes, oracles and ways to run Pelton, shared by its tests.
//!
//! [`random`] makes small circuits of every kind, [`clutter`] roundabout ones, [`oracle`] says by truth
//! table what is true of them, and [`shape`] builds circuits of the sizes and
//! forms that learners produce. [`fuzz`] mutates texts; [`mod@case`] and [`page`]
//! read the files that say what Pelton has to answer, [`manual`] what readers are shown, and [`command`] asks it.
//! [`conformance`] is one suite for all ways to embed the library, [`engine_suite`] for all engines.
//! [`benchmark`] unpacks data sets, [`zoo`] finds published circuits, [`measure`] is what benchmarks share, [`skip`](mod@skip) what is said of a test that cannot run.

pub mod alike;
pub mod benchmark;
pub mod case;
pub mod clutter;
pub mod command;
pub mod conformance;
pub mod dice;
pub mod differential;
pub mod engine_suite;
pub mod fuzz;
pub mod manual;
pub mod measure;
pub mod oracle;
pub mod page;
pub mod random;
pub mod repair;
pub mod shape;
pub mod sketch;
pub mod skip;
pub mod text;
pub mod workload;
pub mod zoo;
