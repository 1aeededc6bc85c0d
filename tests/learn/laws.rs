//! Laws that hold for every circuit: an epoch never lowers the objective, threads
//! and interruptions change nothing, no softness is no softness, and parameters
//! stay parameters.

use super::kit::*;
use pelton_compiler::check::{CheckOptions, check};
use pelton_compiler::circuit::{CircuitGraph, ParamKind, ParameterValue, Property};
use pelton_grammar::diagnostic::SourceDiagnostics;
use pelton_runtime::Model;
use pelton_runtime::data::{DataError, Table};
use pelton_runtime::learn::{
    Checkpoint, Epoch, LearnError, LearnOptions, LearningControl, LearningObserver, LearningResult,
    LearningRows, Method, RowChunk, RowChunks, RowStream, Softening, Start, TrainingTask, learn,
};
use pelton_tests::dice::Dice;
use pelton_tests::workload::{EvidenceKind, Features, evidence, workload};
use std::collections::BTreeMap;

/// Random circuits, unless `PELTON_LEARN_CIRCUITS` asks for more.
fn n_circuits() -> u64 {
    let asked = std::env::var("PELTON_LEARN_CIRCUITS").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(300)
}

/// A random circuit with rows that it makes possible, some with gaps, and options.
struct Case {
    model: Model,
    table: Table,
    options: LearnOptions,
    dice: Dice,
}

fn case(seed: u64, n_rows: usize) -> Case {
    let drawn = workload(seed);
    let mut dice = Dice::new(seed + 1_000_000);
    let kind = dice.pick(&[EvidenceKind::Hard, EvidenceKind::Partial]);
    let table = evidence(&drawn, kind, n_rows, &mut dice, &mut Features::new());
    let options = CheckOptions {
        decide: vec![Property::Deterministic],
        ..CheckOptions::default()
    };
    let checked = check(drawn.circuit, &options, &mut SourceDiagnostics::new());
    let model = compiled(checked.expect("workloads are smooth and decomposable"));
    Case {
        options: random_options(&mut dice),
        model,
        table,
        dice,
    }
}

fn random_options(dice: &mut Dice) -> LearnOptions {
    LearnOptions {
        method: Some(Method::Em),
        pseudocount: dice.pick(&[0.0, 0.1, 3.0]),
        softness: dice.pick(&[0.0, 0.0, 0.002, 0.1]),
        softening: dice.pick(&[Softening::Virtual, Softening::Geometric]),
        scale_by_marginal: dice.chance(50),
        entropy: dice.pick(&[0.0, 0.0, 0.003, 0.3]),
        fullbatch_epochs: 6,
        tolerance: 0.0,
        start: dice.pick(&[Start::Random, Start::KMeans, Start::Keep]),
        seed: dice.below(1000) as u64,
        threads: 1,
        ..LearnOptions::default()
    }
}

/// Every vector adds up to 1, and every number is one that its kind allows.
fn assert_legal(circuit: &CircuitGraph, values: &[ParameterValue], what: &str) {
    for parameter in circuit.parameters() {
        let Some(own) = values.get(parameter.entries()) else {
            continue; // made by optimisation
        };
        let is_learned = |at: usize| circuit.all_entries()[at].learned;
        if !parameter.entries().any(is_learned) {
            continue; // may be anything
        }
        let numbers: Vec<f64> = own.iter().map(|value| value.linear()).collect();
        assert!(numbers.iter().all(|x| x.is_finite()), "{what}: {numbers:?}");
        match parameter.kind {
            ParamKind::Simplex | ParamKind::Unit => {
                let total: f64 = numbers.iter().sum();
                assert!(numbers.iter().all(|&x| x >= 0.0), "{what}: {numbers:?}");
                assert!(
                    (total - 1.0).abs() < 1e-6,
                    "{what}: {numbers:?} {parameter:?} {:?}",
                    &circuit.all_entries()[parameter.entries()]
                );
            }
            ParamKind::Positive => assert!(
                numbers[0] > 0.0,
                "{what}: {numbers:?} {parameter:?} {:?}",
                &circuit.all_entries()[parameter.entries()]
            ),
            ParamKind::Real | ParamKind::Weights => {}
        }
    }
}

/// Fixed entries are as they were.
fn assert_fixed(circuit: &CircuitGraph, values: &[ParameterValue], what: &str) {
    let start = circuit.start_values();
    for ((entry, value), start) in circuit.all_entries().iter().zip(values).zip(start) {
        assert!(
            entry.learned || *value == start,
            "{what}: a fixed entry moved"
        );
    }
}

#[test]
fn the_objective_never_falls_and_parameters_stay_parameters() {
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..n_circuits() {
        let case = case(seed, 60);
        let what = format!("seed {seed}, {:?}", case.options);
        let outcome = match fit(&case.model, &case.table, &case.options) {
            Ok(learned) => {
                assert_legal(case.model.circuit(), &learned.values, &what);
                assert_fixed(case.model.circuit(), &learned.values, &what);
                assert_rises(&learned.report.epochs, &what);
                "learned".to_string()
            }
            Err(
                error @ (LearnError::Circuit(_)
                | LearnError::NothingToLearn
                | LearnError::Refused(_)),
            ) => error
                .to_string()
                .split([';'])
                .next()
                .unwrap_or_default()
                .to_string(),
            Err(LearnError::Option(message)) => {
                assert!(message.contains("soft"), "{what}: {message}");
                "nothing to soften".to_string()
            }
            Err(other) => panic!("{what}: {other}"),
        };
        *outcomes.entry(outcome).or_default() += 1;
    }
    println!("{outcomes:#?}");
    // Many have weights or masses that nothing can be learned from.
    assert!(outcomes["learned"] as u64 > n_circuits() / 6);
}

fn assert_rises(epochs: &[Epoch], what: &str) {
    let objectives: Vec<f64> = epochs.iter().filter_map(|epoch| epoch.objective).collect();
    for pair in objectives.windows(2) {
        let least = pair[0] - 1e-9 * pair[0].abs().max(1.0);
        assert!(pair[1] >= least, "{what}: {objectives:?}");
    }
}

/// Options with mini-batches, so that more can go wrong.
fn hybrid(options: &LearnOptions) -> LearnOptions {
    LearnOptions {
        minibatch_epochs: 3,
        fullbatch_epochs: 3,
        batch_size: 128,
        ..options.clone()
    }
}

#[test]
fn threads_change_nothing() {
    let mut n_learned = 0;
    for seed in 0..n_circuits() / 5 {
        let case = case(7000 + seed, 400);
        let options = hybrid(&case.options);
        let with = |threads| {
            let options = LearnOptions {
                threads,
                ..options.clone()
            };
            fit(&case.model, &case.table, &options)
        };
        if let (Ok(one), Ok(three)) = (with(1), with(3)) {
            assert_eq!(one.values, three.values, "seed {seed}");
            n_learned += 1;
        }
    }
    assert!(n_learned > 10, "{n_learned}");
}

/// Ends a run after an epoch and keeps the checkpoint.
struct Interrupt {
    after: usize,
    kept: Option<Checkpoint>,
}

impl LearningObserver for Interrupt {
    fn epoch(&mut self, epoch: &Epoch, checkpoint: &dyn Fn() -> Checkpoint) -> LearningControl {
        if epoch.epoch >= self.after {
            self.kept = Some(checkpoint());
            LearningControl::Stop
        } else {
            LearningControl::Continue
        }
    }
}

#[test]
fn a_resumed_run_ends_like_one_that_was_never_interrupted() {
    let mut n_learned = 0;
    for seed in 0..n_circuits() / 5 {
        let mut case = case(9000 + seed, 150);
        let options = LearnOptions {
            softening: case.dice.pick(&[
                Softening::Virtual,
                Softening::Geometric,
                Softening::Sampled,
            ]),
            ..hybrid(&case.options)
        };
        let run = |resume: Option<&Checkpoint>, observer: &mut dyn LearningObserver| {
            let task = TrainingTask {
                model: &case.model,
                train: LearningRows::of(&case.table),
                valid: Some(LearningRows::of(&case.table)),
                test: None,
                options: &options,
                resume,
            };
            learn(&task, observer)
        };
        let Ok(whole) = run(None, &mut ()) else {
            continue;
        };
        let after = 1 + case.dice.below(whole.report.epochs.len());
        let mut interrupt = Interrupt { after, kept: None };
        let _ = run(None, &mut interrupt).expect("learned before");
        let (tensors, text) = interrupt.kept.expect("was interrupted").to_parts();
        let kept = Checkpoint::from_parts(&tensors, &text).expect("reads what it wrote");
        let resumed = run(Some(&kept), &mut ()).expect("learned before");
        assert_same(&whole, &resumed, &format!("seed {seed}, after {after}"));
        n_learned += 1;
    }
    assert!(n_learned > 10, "{n_learned}");
}

fn assert_same(one: &LearningResult, other: &LearningResult, what: &str) {
    assert_eq!(one.values, other.values, "{what}");
    assert_eq!(one.report.epochs.len(), other.report.epochs.len(), "{what}");
    assert_eq!(one.report.best_epoch, other.report.best_epoch, "{what}");
    assert_eq!(one.report.stop_reason, other.report.stop_reason, "{what}");
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let model = model("var a, b : bool; root ?: a * b ~ bernoulli(?) + ?: !a * b ~ bernoulli(?);");
    let rows = table(
        model.circuit(),
        &[&[1.0, 0.0], &[0.0, f64::NAN], &[1.0, 1.0]],
    );
    let options = LearnOptions::default();
    let mut interrupt = Interrupt {
        after: 2,
        kept: None,
    };
    let task = TrainingTask {
        model: &model,
        train: LearningRows::of(&rows),
        valid: None,
        test: None,
        options: &options,
        resume: None,
    };
    let _ = learn(&task, &mut interrupt).expect("learns");
    let kept = interrupt.kept.expect("was interrupted");
    let other = LearnOptions {
        pseudocount: 0.5,
        ..LearnOptions::default()
    };
    let resumed = learn(
        &TrainingTask {
            options: &other,
            resume: Some(&kept),
            ..task
        },
        &mut (),
    );
    let message = resumed.expect_err("is another run").to_string();
    assert!(message.contains("pseudocount was 0.1"), "{message}");
    let fewer = rows.slice(0..2);
    let task = TrainingTask {
        train: LearningRows::of(&fewer),
        resume: Some(&kept),
        ..task
    };
    let message = learn(&task, &mut ())
        .expect_err("is another run")
        .to_string();
    assert!(message.contains("training rows"), "{message}");
}

#[test]
fn no_softness_is_plain_learning() {
    for seed in 0..n_circuits() / 10 {
        let case = case(5000 + seed, 80);
        let with = |softening, scale_by_marginal| {
            let options = LearnOptions {
                softness: 0.0,
                softening,
                scale_by_marginal,
                ..case.options.clone()
            };
            fit(&case.model, &case.table, &options).map(|learned| learned.values)
        };
        let plain = with(Softening::Virtual, false);
        for softening in [Softening::Virtual, Softening::Geometric, Softening::Sampled] {
            match (&plain, with(softening, true)) {
                (Ok(plain), Ok(other)) => assert_eq!(*plain, other, "seed {seed}"),
                (plain, other) => assert_eq!(plain.is_err(), other.is_err()),
            }
        }
    }
}

/// A pseudocount for each batch is one for all rows that is as many times as large,
/// in either phase: batches then add the same share of it as all rows do.
#[test]
fn a_pseudocount_for_each_batch_is_a_larger_one_for_all_rows() {
    let mut n_different = 0;
    for seed in 0..n_circuits() / 20 {
        let case = case(7000 + seed, 96);
        let with = |pseudocount, pseudocount_per_batch| {
            let options = LearnOptions {
                pseudocount,
                pseudocount_per_batch,
                minibatch_epochs: 2,
                fullbatch_epochs: 2,
                batch_size: 24,
                ..case.options.clone()
            };
            fit(&case.model, &case.table, &options).map(|learned| learned.values)
        };
        match (with(0.5, true), with(2.0, false)) {
            (Ok(each), Ok(all)) => assert_close(&each, &all, seed),
            (each, all) => assert_eq!(each.is_err(), all.is_err(), "seed {seed}"),
        }
        n_different += usize::from(with(0.5, true).ok() != with(0.5, false).ok());
    }
    assert!(n_different > 0, "it makes a difference");
}

/// Shares of a pseudocount are rounded, so values may differ in last digits.
fn assert_close(each: &[ParameterValue], all: &[ParameterValue], seed: u64) {
    for (each, all) in each.iter().zip(all) {
        let (each, all) = (each.linear(), all.linear());
        let scale = each.abs().max(all.abs()).max(1.0);
        assert!(
            (each - all).abs() <= 1e-4 * scale,
            "seed {seed}: {each} {all}"
        );
    }
}

/// Rows that are handed out a few at a time.
struct InParts<'a>(&'a Table, usize);

struct Part<'a> {
    table: &'a Table,
    size: usize,
    next: usize,
}

impl RowStream for InParts<'_> {
    fn open(&self) -> Result<Box<dyn RowChunks + '_>, DataError> {
        Ok(Box::new(Part {
            table: self.0,
            size: self.1,
            next: 0,
        }))
    }
}

impl RowChunks for Part<'_> {
    fn next_chunk(&mut self, max_rows: usize) -> Result<Option<RowChunk>, DataError> {
        let end = self.table.n_rows().min(self.next + self.size.min(max_rows));
        let chunk = (self.next < end).then(|| (self.table.slice(self.next..end), None));
        self.next = end;
        Ok(chunk)
    }
}

#[test]
fn rows_that_are_read_in_parts_teach_the_same() {
    let mut n_learned = 0;
    for seed in 0..n_circuits() / 10 {
        let case = case(3000 + seed, 150);
        let options = LearnOptions {
            start: Start::Random,
            ..case.options.clone()
        };
        let Ok(whole) = fit(&case.model, &case.table, &options) else {
            continue;
        };
        let parts = InParts(&case.table, 37);
        let task = TrainingTask {
            model: &case.model,
            train: LearningRows::Stream(&parts),
            valid: None,
            test: None,
            options: &options,
            resume: None,
        };
        let streamed = learn(&task, &mut ()).expect("learned before");
        let (one, other) = (whole.report.train.mean, streamed.report.train.mean);
        assert!(
            (one - other).abs() <= 1e-6 * one.abs().max(1.0),
            "seed {seed}: {one} {other}"
        );
        n_learned += 1;
    }
    assert!(n_learned > 3, "{n_learned}");
}
