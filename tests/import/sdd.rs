//! Decision diagrams: structured when they are read, proper when they are written.

use super::{analyzed, assert_same, bytes, read, table};
use pelton_compiler::check::Checked;
use pelton_compiler::circuit::Property;
use pelton_formats::export::{ExportedCircuit, export};
use pelton_formats::import::CircuitFormat;
use pelton_runtime::query::ValueBox;
use pelton_runtime::query::{count, divergence};
use pelton_tests::dice::Dice;
use pelton_tests::zoo::Zoo;
use std::collections::HashMap;
use std::fmt::Write;

/// The models of a circuit over few variables, as bits, the first variable lowest.
type Truth = u64;

/// A random vtree as nested splits.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(usize),
    Split(Box<Tree>, Box<Tree>),
}

impl Tree {
    fn random(variables: &[usize], dice: &mut Dice) -> Tree {
        match variables {
            [only] => Tree::Leaf(*only),
            _ => {
                let cut = 1 + dice.below(variables.len() - 1);
                let parts = [&variables[..cut], &variables[cut..]];
                let [left, right] = parts.map(|part| Box::new(Tree::random(part, dice)));
                Tree::Split(left, right)
            }
        }
    }

    fn variables(&self) -> Vec<usize> {
        match self {
            Tree::Leaf(variable) => vec![*variable],
            Tree::Split(left, right) => [left.variables(), right.variables()].concat(),
        }
    }
}

/// A file in the making.
struct Writer<'d> {
    lines: String,
    n_lines: usize,
    n_splits: usize,
    dice: &'d mut Dice,
}

impl Writer<'_> {
    fn line(&mut self, kind: &str, rest: &str) -> usize {
        let id = self.n_lines;
        writeln!(self.lines, "{kind} {id} {rest}").unwrap();
        self.n_lines += 1;
        id
    }

    /// A unit for a function of a tree's variables, given by the assignments (as lists of
    /// truths in their order) for which it holds.
    fn function(&mut self, tree: &Tree, holds: &dyn Fn(&[bool]) -> bool) -> usize {
        let n = tree.variables().len();
        let rows: Vec<Vec<bool>> = rows(n);
        // Constants are mostly, but not always, written as such.
        let is_short = self.dice.chance(80);
        match rows.iter().filter(|row| holds(row)).count() {
            0 if is_short => return self.line("F", ""),
            all if all == rows.len() && is_short => return self.line("T", ""),
            _ => {}
        }
        match tree {
            Tree::Leaf(variable) => match (holds(&[false]), holds(&[true])) {
                (false, true) => self.line("L", &format!("{variable} {}", variable + 1)),
                (true, false) => self.line("L", &format!("{variable} -{}", variable + 1)),
                (true, true) => self.line("T", ""),
                (false, false) => self.line("F", ""),
            },
            Tree::Split(left, right) => {
                self.n_splits += 1;
                let place = 1000 + self.n_splits;
                let n_left = left.variables().len();
                let n_right = n - n_left;
                // Primes by what is left of the function; some are cut in two.
                let mut groups: HashMap<(Vec<bool>, bool), Vec<Vec<bool>>> = HashMap::new();
                for row in self::rows(n_left) {
                    let rest = self::rows(n_right).into_iter();
                    let rest = rest.map(|right| holds(&[row.clone(), right].concat()));
                    let cut = self.dice.chance(30);
                    groups.entry((rest.collect(), cut)).or_default().push(row);
                }
                let mut groups: Vec<_> = groups.into_iter().collect();
                groups.sort();
                let mut elements = String::new();
                for ((rest, _), primes) in &groups {
                    let prime = self.function(left, &|row| primes.iter().any(|own| own == row));
                    let sub = self.function(right, &|row| rest[position(row)]);
                    write!(elements, " {prime} {sub}").unwrap();
                }
                self.line("D", &format!("{place} {}{elements}", groups.len()))
            }
        }
    }
}

/// All rows of truths, in order.
fn rows(n: usize) -> Vec<Vec<bool>> {
    let row = |at: usize| (0..n).map(|bit| at >> (n - 1 - bit) & 1 == 1).collect();
    (0..1 << n).map(row).collect()
}

fn position(row: &[bool]) -> usize {
    row.iter().fold(0, |at, &truth| 2 * at + usize::from(truth))
}

/// A random diagram with what it stands for: a file, not compressed, and its truths.
fn random(seed: u64) -> (String, usize, Vec<bool>) {
    let dice = &mut Dice::new(seed);
    let n = 2 + dice.below(5);
    let mut order: Vec<usize> = (0..n).collect();
    dice.shuffle(&mut order);
    let tree = Tree::random(&order, dice);
    let percent = [10, 30, 50, 80][dice.below(4)];
    let truths: Vec<bool> = (0..1 << n).map(|_| dice.chance(percent)).collect();
    let mut writer = Writer {
        lines: String::new(),
        n_lines: 0,
        n_splits: 0,
        dice,
    };
    // Functions speak of variables in the tree's order, truths in their own.
    let of_order = |row: &[bool]| {
        let mut own = vec![false; n];
        order.iter().zip(row).for_each(|(&at, &x)| own[at] = x);
        truths[position(&own)]
    };
    // Literals of all variables first, so that all are known.
    for variable in 0..n {
        writer.line("L", &format!("{variable} {}", variable + 1));
    }
    writer.function(&tree, &of_order);
    let text = format!("sdd {}\n{}", writer.n_lines, writer.lines);
    (text, n, truths)
}

/// The number of models, in digits.
fn models(checked: &Checked) -> String {
    let nothing = [ValueBox::default()];
    count(checked, &nothing, 1).unwrap().models.to_string()
}

#[test]
fn random_diagrams_are_structured_and_come_back() {
    let mut n_read = 0;
    for seed in 0..300 {
        let (text, n, truths) = random(seed);
        if !truths.contains(&true) {
            assert!(analyzed("a.sdd", text).into_checked().is_none());
            continue;
        }
        n_read += 1;
        let checked = read("a.sdd", text.clone());
        let what = format!("seed {seed}");
        for property in [Property::Structured, Property::Deterministic] {
            assert!(
                checked.facts().is_proven(property),
                "{what}: {property:?}\n{text}"
            );
        }
        let expected: Vec<f64> = truths.iter().map(|&truth| f64::from(truth)).collect();
        assert_eq!(table(checked.circuit()), expected, "{what}");
        let exported =
            export(&checked, CircuitFormat::Sdd).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_proper(&exported, n, &truths, &what);
        let again = read("b.sdd", exported.text.clone());
        assert_same(checked.circuit(), again.circuit(), &what);
        // The form is unique for its vtree, so that what comes back is written as large.
        let third = export(&again, CircuitFormat::Sdd).unwrap();
        if third.vtree == exported.vtree {
            let n_lines = |text: &str| text.lines().count();
            assert_eq!(n_lines(&third.text), n_lines(&exported.text), "{what}");
        }
    }
    assert!(n_read > 250, "{n_read}");
}

/// Primes exclude each other, cover all cases and stay in the left part of their node of
/// the vtree, subs in the right one; and the root is the function.
fn assert_proper(exported: &ExportedCircuit, n: usize, truths: &[bool], what: &str) {
    let vtree = exported.vtree.as_ref().unwrap();
    let (mut below, mut parts) = (HashMap::new(), HashMap::new());
    for line in vtree.lines().skip(1) {
        let words: Vec<&str> = line.split(' ').collect();
        let numbers: Vec<usize> = words[1..]
            .iter()
            .map(|word| word.parse().unwrap())
            .collect();
        match words[0] {
            "L" => drop(below.insert(numbers[0], 1_u64 << (numbers[1] - 1))),
            _ => {
                let union = below[&numbers[1]] | below[&numbers[2]];
                below.insert(numbers[0], union);
                parts.insert(numbers[0], (below[&numbers[1]], below[&numbers[2]]));
            }
        }
    }
    let all: Truth = u64::MAX >> (64 - (1 << n));
    let mut units: HashMap<usize, (Truth, u64)> = HashMap::new();
    let mut last = 0;
    for line in exported.text.lines().skip(1) {
        let words: Vec<i64> = line[2..]
            .split(' ')
            .map(|word| word.parse().unwrap())
            .collect();
        let id = words[0] as usize;
        let unit = match line.as_bytes()[0] {
            b'T' => (all, 0),
            b'F' => (0, 0),
            b'L' => {
                let variable = words[2].unsigned_abs() as usize - 1;
                let holds = |at: usize| (at >> (n - 1 - variable) & 1 == 1) == (words[2] > 0);
                assert_eq!(below[&(words[1] as usize)], 1 << variable, "{what}");
                (truth(n, holds), 1 << variable)
            }
            _ => decision(&words, &units, &parts, all, what),
        };
        units.insert(id, unit);
        last = id;
    }
    assert_eq!(units[&last].0, truth(n, |at| truths[at]), "{what}");
}

fn truth(n: usize, holds: impl Fn(usize) -> bool) -> Truth {
    (0..1 << n).map(|at| u64::from(holds(at)) << at).sum()
}

fn decision(
    words: &[i64],
    units: &HashMap<usize, (Truth, u64)>,
    parts: &HashMap<usize, (u64, u64)>,
    all: Truth,
    what: &str,
) -> (Truth, u64) {
    let (left, right) = parts[&(words[1] as usize)];
    let (mut covered, mut holds, mut scope) = (0, 0, 0);
    let mut subs = Vec::new();
    for element in words[3..].chunks(2) {
        let (prime, sub) = (units[&(element[0] as usize)], units[&(element[1] as usize)]);
        assert_eq!(covered & prime.0, 0, "{what}: primes overlap");
        assert_ne!(prime.0, 0, "{what}: a prime is false");
        assert_eq!((prime.1 & !left, sub.1 & !right), (0, 0), "{what}");
        assert!(!subs.contains(&element[1]), "{what}: not compressed");
        subs.push(element[1]);
        covered |= prime.0;
        holds |= prime.0 & sub.0;
        scope |= prime.1 | sub.1;
    }
    assert_eq!(covered, all, "{what}: primes do not cover all cases");
    (holds, scope)
}

#[test]
fn diagrams_of_the_zoo_come_back() {
    let Some(zoo) = Zoo::find("diagrams_of_the_zoo_come_back") else {
        return;
    };
    for name in zoo.names("sdds") {
        let checked = read(&name, zoo.bytes("sdds", &name));
        for property in [Property::Structured, Property::Deterministic] {
            assert!(checked.facts().is_proven(property), "{name}: {property:?}");
        }
        let exported =
            export(&checked, CircuitFormat::Sdd).unwrap_or_else(|e| panic!("{name}: {e}"));
        let again = read("a.sdd", exported.text);
        assert_eq!(models(&checked), models(&again), "{name}");
        let variables = |checked: &Checked| checked.circuit().variables().len();
        assert_eq!(variables(&checked), variables(&again), "{name}");
        // Both are the uniform distribution of their models.
        let values = (
            checked.circuit().start_values(),
            again.circuit().start_values(),
        );
        let found = divergence((&checked, &values.0), (&again, &values.1), 1).unwrap();
        assert!(found.nats.abs() < 1e-9, "{name}: {found:?}");
        let psdd = export(&checked, CircuitFormat::Psdd).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(psdd.notes[0].contains("scaled to mass 1"), "{name}");
        let psdd = read("a.psdd", psdd.text);
        for property in Property::ALL {
            assert!(psdd.facts().is_proven(property), "{name}: {property:?}");
        }
        let values = psdd.circuit().start_values();
        let found = divergence(
            (&psdd, &values),
            (&checked, &checked.circuit().start_values()),
            1,
        );
        assert!(found.unwrap().nats.abs() < 1e-9, "{name}");
    }
}

#[test]
fn variables_that_no_unit_mentions_stay() {
    let checked = read("parity.sdd", bytes("parity.sdd"));
    let exported = export(&checked, CircuitFormat::Sdd).unwrap();
    let again = read("a.sdd", exported.text);
    assert_eq!(again.circuit().variables().len(), 4);
    assert_same(checked.circuit(), again.circuit(), "parity");
    let last = read(
        "a.pcirc",
        "var a, b, c : bool;\nroot 1: a * b + 1: !a * !b;\n",
    );
    let again = read("a.sdd", export(&last, CircuitFormat::Sdd).unwrap().text);
    assert_eq!(models(&again), "4");
}

#[test]
fn zeros_and_ones_are_logic() {
    let text = "var a, b : bool;\n\
        root 1: a * b ~ bernoulli(1) + 1: !a * (0: b + 1: !b) + 0: a * !b;\n";
    let checked = read("a.pcirc", text);
    for (format, name) in [
        (CircuitFormat::Sdd, "a.sdd"),
        (CircuitFormat::Nnf, "a.nnf"),
        (CircuitFormat::D4, "a.ddnnf"),
    ] {
        let exported = export(&checked, format).unwrap_or_else(|e| panic!("{e}"));
        let again = read(name, exported.text);
        assert_same(checked.circuit(), again.circuit(), name);
    }
}

#[test]
fn what_is_no_diagram_is_refused() {
    let refused = |text: &str| {
        let checked = read("a.pcirc", text);
        export(&checked, CircuitFormat::Sdd)
            .unwrap_err()
            .to_string()
    };
    let weighted = refused("var a : bool; node w = 0.5: a + 0.5: !a; root w;");
    assert!(weighted.contains("sum node `w` has weights other than 1 and 0"));
    let number = refused("var a : 0..3; root [a in {1}];");
    assert!(number.contains("`a` is not bool"), "{number}");
    assert!(
        number.ends_with("write .jpc or .spn, which hold distributions"),
        "{number}"
    );
    let twice =
        refused("var a, b : bool; node s = 1: a * b + 1: a * [b in {false, true}]; root s;");
    assert!(
        twice.contains("sum node `s` counts some inputs more than once"),
        "{twice}"
    );
    assert!(twice.contains(".nnf"), "{twice}");
    let crossing = refused(
        "var a, b, c, d : bool;\n\
         node left = (1: a * b + 1: !a * !b) * (1: c + 1: !c);\n\
         node right = (1: b * c + 1: !b * !c) * (1: a + 1: !a);\n\
         root 1: d * left + 1: !d * right;",
    );
    assert!(crossing.contains("is not structured"), "{crossing}");
    assert!(
        crossing.ends_with("write .nnf or .ddnnf, which need no vtree"),
        "{crossing}"
    );
}

/// Diagrams of many parts that have nothing to do with each other are no larger than these.
#[test]
fn independent_parts_stay_small() {
    let n = 24;
    let mut text = format!("var x[0..{n}], y[0..{n}] : bool;\n");
    let pair = |at: usize| format!("(1: x[{at}] * y[{at}] + 1: !x[{at}] * !y[{at}])");
    let all: Vec<String> = (0..n).map(pair).collect();
    writeln!(text, "root {};", all.join(" * ")).unwrap();
    let checked = read("a.pcirc", text);
    let exported = export(&checked, CircuitFormat::Sdd).unwrap();
    assert!(exported.text.lines().count() < 20 * n, "{}", exported.text);
    let again = read("a.sdd", exported.text);
    assert_eq!(models(&again), (1_u64 << n).to_string());
}
