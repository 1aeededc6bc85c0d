//! Texts as SPFlow prints them.

use crate::reading::{circuit, is_close, mass, notes, value};
use pelton_compiler::circuit::Property;

const SOUND: [Property; 3] = [
    Property::Smooth,
    Property::Decomposable,
    Property::Normalized,
];

fn normal(x: f64, mean: f64, sd: f64) -> f64 {
    let z = (x - mean) / sd;
    (-0.5 * z * z).exp() / (sd * (2.0 * std::f64::consts::PI).sqrt())
}

#[test]
fn sums_products_and_leaves_are_read() {
    let text = "(0.4*((Gaussian(V1|mean=0.5;stdev=2.0) * Categorical(V0|p=[0.2, 0.8]))) + \
        0.6*((Gaussian(V1|mean=-1;stdev=1) * Categorical(V0|p=[np.float64(0.5) np.float64(0.5)]))))\n";
    let circuit = circuit("net.txt", text, &SOUND);
    let names: Vec<&str> = circuit
        .variables()
        .iter()
        .map(|v| v.name.as_str())
        .collect();
    assert_eq!(names, ["V0", "V1"]);
    assert_eq!(circuit.variables()[0].domain.to_string(), "0..2");
    let meant = 0.4 * 0.8 * normal(0.3, 0.5, 2.0) + 0.6 * 0.5 * normal(0.3, -1.0, 1.0);
    assert!(is_close(value(&circuit, &[1.0, 0.3]), meant));
    assert!(is_close(mass(&circuit), 1.0));
}

#[test]
fn every_family_has_its_density() {
    let text = "(Gamma(V0|alpha=2;beta=3) * LogNormal(V1|mean=0;stdev=1) * Exponential(V2|l=0.5) * \
        Poisson(V3|mean=2) * Bernoulli(V4|p=0.25) * Uniform(V10|density=0.25;start=0;end=4;type=None) * \
        Histogram(age|[0.,0.5,2.];[1.0,\n 0.3333];[0.25,1.25]) * Histogram(n|[3,4,5];[0.25,0.75];[3,4]))";
    let circuit = circuit("net.txt", text, &SOUND);
    let domains: Vec<String> = circuit
        .variables()
        .iter()
        .map(|v| v.domain.to_string())
        .collect();
    assert_eq!(
        domains,
        [
            "real", "real", "real", "nat", "bool", "real", "real", "3..5"
        ]
    );
    let point = [0.7, 1.0, 2.0, 3.0, 1.0, 1.0, 0.25, 4.0];
    let gamma = 9.0 * 0.7 * (-2.1f64).exp();
    let poisson = 8.0 / 6.0 * (-2f64).exp();
    let histogram = 1.0 / (0.5 + 1.5 * 0.3333);
    let meant = gamma
        * normal(0.0, 0.0, 1.0)
        * 0.5
        * (-1f64).exp()
        * poisson
        * 0.25
        * 0.25
        * histogram
        * 0.75;
    let found = value(&circuit, &point);
    assert!(is_close(found, meant), "{found} for {meant}");
    assert!(notes("net.txt", text)[0].contains("the largest difference was 5.0e-5"));
}

#[test]
fn histograms_of_one_variable_share_a_range() {
    let text = "(0.5*(Histogram(V0|[0,1,2];[0.5,0.5];[0,1])) + 0.5*(Histogram(V0|[1,2,3];[0.5,0.5];[1,2])))";
    let found = circuit("net.txt", text, &SOUND);
    assert_eq!(found.variables()[0].domain.to_string(), "0..3");
    assert!(is_close(value(&found, &[1.0]), 0.5));
    let mixed = text.replace("[1,2]))", "[1.5,2.5]))");
    let found = circuit("net.txt", &mixed, &SOUND);
    assert_eq!(found.variables()[0].domain.to_string(), "real");
    assert!(is_close(value(&found, &[1.5]), 0.5));
}

#[test]
fn depth_costs_no_stack() {
    let n = 200_000;
    let text = format!("{}Bernoulli(V0|p=0.5){}", "(".repeat(n), ")".repeat(n));
    assert!(is_close(mass(&circuit("net.txt", &text, &SOUND)), 1.0));
}
