//! Models against the reference, on the examples that people start from.

use super::*;
use crate::data::Table;
use pelton_compiler::evaluate::{self, Cell};
use pelton_compiler::flow::Flows;
use pelton_compiler::{Options, analyze, load};
use std::path::Path;

const MIXTURE: &str = "
var a : bool; var b : {red, green, blue}; var n : 0..20; var t : real; var k : nat;
node good = bernoulli(a; 0.9) * categorical(b; [0.2, 0.3, 0.5]) * binomial(n; 19, 0.3) * normal(t; 1.5, 0.25) * poisson(k; 3.0);
node bad = bernoulli(a; 0.2) * categorical(b; [0.6, 0.4, 0.0]) * binomial(n; 19, 0.7) * normal(t; -1.0, 2.0) * geometric(k; 0.4);
root = 0.3: good | 0.7: bad;
";
