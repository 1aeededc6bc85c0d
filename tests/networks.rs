//! Networks and formulas of other tools against what they mean, assignment by assignment.

#[path = "networks/bayes.rs"]
mod bayes;
#[path = "networks/deeprob.rs"]
mod deeprob;
#[path = "networks/formulas.rs"]
mod formulas;
#[path = "networks/limits.rs"]
mod limits;
#[path = "networks/markov.rs"]
mod markov;
#[path = "networks/reading.rs"]
mod reading;
#[path = "networks/round_trip.rs"]
mod round_trip;
#[path = "networks/spflow.rs"]
mod spflow;
#[path = "networks/zoo.rs"]
mod zoo;
