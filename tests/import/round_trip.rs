//! What is written is read back as the same distribution, with the same weights.

use super::{assert_same, bytes, folder, read};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::{CircuitGraph, Property, UnitKind};
use pelton_formats::export::export;
use pelton_formats::import::CircuitFormat;
use pelton_tests::dice::Dice;
use std::collections::BTreeMap;

/// The log weights of sums that are no choice of one, and of coins, as a bag.
fn weights(circuit: &CircuitGraph) -> BTreeMap<Vec<u64>, usize> {
    let mut bag = BTreeMap::new();
    let values = circuit.start_values();
    for sum in circuit.sums().filter(|&sum| circuit.n_children(sum) > 1) {
        let logs = circuit.children(sum).map(|child| {
            let weight = child.weight.unwrap();
            values[circuit.entry_position(weight)].log().to_bits()
        });
        *bag.entry(logs.collect()).or_insert(0) += 1;
    }
    bag
}

/// A circuit as flat source text, read again.
fn through_source(checked: &Checked, what: &str) -> Checked {
    let mut text = String::new();
    pelton_compiler::emit::circuit(checked.circuit(), &mut text).unwrap();
    read(what, text)
}

fn through(checked: &Checked, format: CircuitFormat, name: &str) -> Checked {
    let exported = export(checked, format).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    read(name, exported.text)
}

#[test]
fn every_small_file_comes_back_through_its_own_format() {
    for (name, format) in [
        ("sprinkler.psdd", CircuitFormat::Psdd),
        ("coins.psdd", CircuitFormat::Psdd),
        ("dice.jpc", CircuitFormat::Jpc),
        ("votes.spn", CircuitFormat::Spn),
        ("weather.clt", CircuitFormat::Clt),
        ("choice.nnf", CircuitFormat::Nnf),
        ("choice.ddnnf", CircuitFormat::D4),
    ] {
        let first = read(name, bytes(name));
        let source = through_source(&first, "a.pcirc");
        assert_same(first.circuit(), source.circuit(), name);
        for given in [&first, &source] {
            let again = through(given, format, name);
            assert_same(first.circuit(), again.circuit(), name);
        }
    }
}

#[test]
fn psdds_keep_their_weights_to_the_last_bit() {
    for name in ["sprinkler.psdd", "coins.psdd"] {
        let first = read(name, bytes(name));
        let again = through(
            &through_source(&first, "a.pcirc"),
            CircuitFormat::Psdd,
            name,
        );
        assert_eq!(weights(first.circuit()), weights(again.circuit()), "{name}");
        for property in Property::ALL {
            assert!(again.facts().is_proven(property), "{name}: {property:?}");
        }
    }
}

#[test]
fn weighted_formats_hold_each_other() {
    for name in ["sprinkler.psdd", "coins.psdd", "weather.clt", "votes.spn"] {
        let first = read(name, bytes(name));
        for format in [CircuitFormat::Jpc, CircuitFormat::Spn] {
            let again = through(&first, format, "again");
            assert_same(first.circuit(), again.circuit(), name);
        }
    }
    let tree = read("weather.clt", bytes("weather.clt"));
    let diagram = through(&tree, CircuitFormat::Psdd, "weather.psdd");
    assert_same(tree.circuit(), diagram.circuit(), "weather.psdd");
    let again = through(&diagram, CircuitFormat::Clt, "again.clt");
    assert_same(tree.circuit(), again.circuit(), "again.clt");
}

/// Random deterministic circuits with products of many factors: a PSDD takes them apart.
#[test]
fn made_circuits_become_psdds() {
    for seed in 0..40 {
        let text = made(&mut Dice::new(seed));
        let first = read("made.pcirc", text.clone());
        let exported =
            export(&first, CircuitFormat::Psdd).unwrap_or_else(|r| panic!("{text}: {r}"));
        let again = read("made.psdd", exported.text.clone());
        assert_same(first.circuit(), again.circuit(), &text);
        let products = again.circuit().products();
        let widest = products.map(|unit| again.circuit().n_children(unit)).max();
        assert!(widest.is_none_or(|n| n <= 2), "{text}\n{}", exported.text);
        assert!(again.facts().is_proven(Property::Structured), "{text}");
        let vtree = exported.vtree.unwrap();
        assert_eq!(
            vtree.lines().filter(|l| l.starts_with('L')).count(),
            6,
            "{vtree}"
        );
        assert_eq!(
            vtree.lines().filter(|l| l.starts_with('I')).count(),
            5,
            "{vtree}"
        );
    }
}

/// A choice on the first variable between products of coins over the others, grouped in
/// different ways and written in all the forms that a coin has.
fn made(dice: &mut Dice) -> String {
    let mut text = "var x[1..7] : bool;\n".to_string();
    for at in 2..=6 {
        for name in ["p", "q"] {
            let p = 0.05 + 0.9 * dice.fraction();
            let coin = match dice.below(4) {
                0 => format!("{p}: x[{at}] + {}: !x[{at}]", 1.0 - p),
                1 => format!("x[{at}] ~ bernoulli({p})"),
                2 => format!("x[{at}] ~ bernoulli(exp({:?}))", p.ln()),
                _ => ["", "!"][dice.below(2)].to_string() + &format!("x[{at}]"),
            };
            text += &format!("node {name}{at} = {coin};\n");
        }
    }
    let w = 0.05 + 0.9 * dice.fraction();
    text + &format!(
        "root {w}: x[1] * p2 * p3 * p4 * p5 * p6 + {}: !x[1] * (q3 * q2) * q4 * (q5 * q6);\n",
        1.0 - w
    )
}

#[test]
fn what_a_format_cannot_hold_is_refused_by_name() {
    let refused = |text: &str, format: CircuitFormat| {
        let checked = read("a.pcirc", text);
        export(&checked, format).unwrap_err().to_string()
    };
    let overlap = "var a, b : bool;\n\
                   node left = a * b ~ bernoulli(0.5);\n\
                   node right = a * b ~ bernoulli(0.25);\n\
                   node mix = 0.5: left + 0.5: right;\nroot mix;";
    assert!(refused(overlap, CircuitFormat::Psdd).contains("sum node `mix` is not deterministic"));
    assert!(refused(overlap, CircuitFormat::Nnf).contains("is a distribution"));
    let real = "var h : real; node height = h ~ normal(0, 1); root height;";
    assert!(refused(real, CircuitFormat::Jpc).contains("leaf node `height`"));
    let weighted = "var a : bool; node w = 0.5: a + 0.5: !a; root w;";
    assert!(
        refused(weighted, CircuitFormat::Nnf).contains("sum node `w` has weights other than 1")
    );
    for format in [
        CircuitFormat::Uai,
        CircuitFormat::Bif,
        CircuitFormat::Cnf,
        CircuitFormat::Sdd,
    ] {
        assert!(!refused(weighted, format).is_empty());
    }
    let crossing = "var a, b, c, d : bool;\n\
        node left = (0.5: a * b + 0.5: !a * !b) * (0.5: c + 0.5: !c);\n\
        node right = (0.5: b * c + 0.5: !b * !c) * (0.5: a + 0.5: !a);\n\
        root 0.5: d * left + 0.5: !d * right;";
    assert!(refused(crossing, CircuitFormat::Psdd).contains("is not structured"));
    assert!(
        refused(
            "var a, b : bool; root 0.25: a * b + 0.25: a * !b + 0.5: !a * (0.5: b + 0.5: !b);",
            CircuitFormat::Clt
        )
        .contains("no choice between a variable and its negation")
    );
}

#[test]
fn texts_of_spflow_and_deeprob_hold_what_they_can() {
    let text = "var a : bool; var h : real;\n\
                node tall = h ~ normal(2, 0.5);\n\
                root 0.25: a * tall + 0.75: !a * h ~ gamma(2, 1);";
    let checked = read("a.pcirc", text);
    let written = export(&checked, CircuitFormat::Spflow).unwrap();
    let wanted = "(0.25*((Categorical(V0|p=[0.0, 1.0]) * Gaussian(V1|mean=2.0;stdev=0.5))) \
                  + 0.75*((Categorical(V0|p=[1.0, 0.0]) * Gamma(V1|alpha=2.0;beta=1.0))))\n";
    assert_eq!(written.text, wanted);
    assert!(export(&checked, CircuitFormat::Deeprob).is_err());
    let checked = read("a.pcirc", text.replace("gamma(2, 1)", "normal(0, 1)"));
    let written = export(&checked, CircuitFormat::Deeprob).unwrap();
    let json: serde_json::Value = serde_json::from_str(&written.text).unwrap();
    assert_eq!(json["nodes"][0]["class"], "Sum");
    assert_eq!(json["nodes"][0]["weights"], serde_json::json!([0.25, 0.75]));
    assert_eq!(json["links"].as_array().unwrap().len(), 6);
}

/// Formats that know of variables by their leaves do not forget those without.
#[test]
fn variables_that_no_unit_mentions_are_written_as_uniform() {
    let text = "var a, b : bool; var c : 0..3; root 0.25: a + 0.75: !a;";
    let checked = read("a.pcirc", text);
    for (format, name) in [
        (CircuitFormat::Spflow, "a.spflow"),
        (CircuitFormat::Deeprob, "a.json"),
    ] {
        let exported = export(&checked, format).unwrap();
        assert!(
            exported
                .notes
                .iter()
                .any(|note| note.contains("no unit mentions `b` and 1 more")),
            "{:?}",
            exported.notes
        );
        let again = read(name, exported.text);
        assert_eq!(again.circuit().variables().len(), 3, "{name}");
        for p in super::table(again.circuit()) {
            let is_right = [0.25 / 6.0, 0.75 / 6.0]
                .iter()
                .any(|q| (p - q).abs() < 1e-12);
            assert!(is_right, "{name}: {p}");
        }
    }
    let real = read(
        "a.pcirc",
        "var a : bool; var h : real; root 0.25: a + 0.75: !a;",
    );
    for format in [CircuitFormat::Spflow, CircuitFormat::Deeprob] {
        let refusal = export(&real, format).unwrap_err().to_string();
        assert!(refusal.contains("no unit mentions `h`"), "{refusal}");
    }
}

/// A tree that would be too large when written out is not tried.
#[test]
fn shared_units_are_not_repeated_for_ever() {
    let mut text = "var x[0..64] : bool;\nnode n0 = 0.5: x[0] + 0.5: !x[0];\n".to_string();
    for at in 1..64 {
        let before = at - 1;
        text += &format!("node n{at} = 0.5: x[{at}] * n{before} + 0.5: !x[{at}] * n{before};\n");
    }
    text += "root n63;";
    let checked = read("a.pcirc", text);
    let refusal = export(&checked, CircuitFormat::Spflow).unwrap_err();
    assert!(
        refusal.to_string().contains("the format is a tree"),
        "{refusal}"
    );
    assert_eq!(
        checked.circuit().kind(checked.circuit().root()),
        UnitKind::Sum
    );
}

#[test]
fn every_file_of_the_corpus_is_read() {
    let mut n_files = 0;
    for entry in folder().read_dir().unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let _ = read(&name, std::fs::read(&path).unwrap());
        n_files += 1;
    }
    assert!(n_files >= 8, "{n_files} files");
}
