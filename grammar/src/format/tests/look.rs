//! What canonical text looks like.

use super::{check_laws, formatted};

/// Checks that `text` is its own canonical form.
fn is_canonical(text: &str) {
    let text = text.trim_start_matches('\n');
    assert_eq!(check_laws(text), text);
}

#[test]
fn the_examples_of_the_language() {
    is_canonical(
        "
/// Sprinkler-style toy: every sum decides one variable.
var rain, wet : bool;

node wet_if_rain = 0.9: wet + 0.1: !wet;
node wet_if_dry = 0.2: wet + 0.8: !wet;
node joint = 0.3: rain * wet_if_rain + 0.7: !rain * wet_if_dry;

root joint;
assert root is smooth, decomposable, deterministic, normalized;
query P(rain | wet); // 0.27 / 0.41 = 0.6585
",
    );
    is_canonical(
        "
const T = 32;
const K = 16;
const V = 27; // a hidden Markov model
var x[0..T] : 0..V;
param init : simplex(K) = ?;
param trans[0..K] : simplex(K) = ?[[0.1, 0.9], [0.5, 0.5]];

/// P(x[t..T] | z_t = k)
node z[t in 0..T, k in 0..K] =
    if t + 1 == T { x[t] ~ categorical(emit[k]) }
    else { x[t] ~ categorical(emit[k]) * sum j in 0..K { trans[k, j]: z[t + 1, j] } };

node h[i in 0..N, k in 0..K] =
    x[i] ~ bernoulli(b[i, k])
  * prod c in 0..N where parent[c] == i { sum j in 0..K { theta[c, k, j]: h[c, j] } };

root sum k in 0..K { init[k]: z[0, k] }; // 497 sums, 7,952 weighted edges, 671 free parameters, a long comment
",
    );
}

#[test]
fn long_statements_are_broken() {
    is_canonical(
        "
const w = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
    27, 28, 29, 30, 31, 32, 33
];
node long =
    0.11111: alpha * beta
  + 0.22222: gamma * delta
  + 0.33333: epsilon * zeta
  + 0.33334: eta * theta * iota;
node s =
    0.5: alpha_long_name_here
      * beta_long_name_here
      * gamma_long_name_here
      * delta_long_name_here
      * eps
  + 0.5: c;
root f(
    0.11111: alpha * beta + 0.22222: gamma * delta,
    x ~ categorical(0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1),
    3
);
node z[t in 0..T] =
    if t == 0 {
        alpha_long_name_here
      * beta_long_name_here
      * (0.3: gamma_long_name_here + 0.7: delta_long_name_here * eps)
    }
    else if t == 1 { b }
    else { c };
root sum k in 0..K, j in 0..J where k != j && j == 2 {
    w[k]: alpha_long_name_here * beta_long_name_here * gamma_long_name_here
};
",
    );
}

#[test]
fn spelling_is_made_uniform() {
    let loose = "var a,b:bool;var c:{x,\"y z\",`in`,\"d\"};@unit ( \"cm\" , ) @missing()var h:real;\
        node t=1 / 3:h~normal(10,2)in[10,20)+2/3:[10<=h<20]*[c==x]*`a`*!  b;\
        node u=if K=2{?[1,]}else{2^-n};query P(a==true|c==x,);";
    let tidy = "var a, b : bool;\nvar c : {x, \"y z\", `in`, d};\n@unit(\"cm\") @missing\nvar h : real;\n\
        node t = 1/3: h ~ normal(10, 2) in [10, 20) + 2/3: [10 <= h < 20] * [c = x] * a * !b;\n\
        node u = if K == 2 { ?[1] } else { 2 ^ -n };\nquery P(a = true | c = x);\n";
    assert_eq!(check_laws(loose), tidy);
}

#[test]
fn comments_stay_where_they_are() {
    is_canonical(
        "
// head

/* lead */ var a : bool; // a
/* b */
var b : bool; /* trailing */

/// Documented.
// A comment on it.
@column(\"c\") // bound
var c : bool;
const list = [
    1, // one
    // two is next
    2 // two
];
node n = // why
    0.3: f(/* first */ a, b /* second */) // one
    // another
  + 0.7: b;
/* last
     line */
",
    );
    assert_eq!(
        check_laws("var a : bool; /* a */ var b : bool;"),
        "var a : bool; /* a */\nvar b : bool;\n"
    );
}

#[test]
fn one_blank_line_of_several_is_kept() {
    assert_eq!(
        check_laws("\n\n\nconst a = 1;\n\n\n// c\n\n\nconst b = 2;\nconst c = 3;\n\n\n"),
        "const a = 1;\n\n// c\n\nconst b = 2;\nconst c = 3;\n"
    );
    assert_eq!(check_laws(""), "");
    assert_eq!(check_laws(" \n\n"), "");
}

#[test]
fn lines_end_as_the_first_one_does() {
    let text = "const a = 1; // c\r\n/* d\r\n e */\r\n/// f\r\nconst b = 2;\r\n";
    assert_eq!(formatted(text), text);
    assert_eq!(
        formatted("const a = 1;\n/* d\r\n e */\r\n"),
        "const a = 1;\n/* d\n e */\n"
    );
}

#[test]
fn a_name_that_looks_like_a_domain_keeps_its_quotes() {
    is_canonical("var x : `bool`;\nvar y : `real`..5;\nvar real : real;\n");
}

#[test]
fn the_shipped_examples_obey_the_laws() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let files = std::fs::read_dir(folder).expect("the examples are there");
    let paths = files.map(|file| file.expect("it can be listed").path());
    let is_circuit = |path: &std::path::PathBuf| path.extension().is_some_and(|e| e == "pcirc");
    let circuits: Vec<_> = paths.filter(is_circuit).collect();
    assert!(!circuits.is_empty());
    for path in circuits {
        check_laws(&std::fs::read_to_string(path).expect("it can be read"));
    }
}
