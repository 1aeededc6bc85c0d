//! The search: what holds however much time there is.

use super::kit::{self, Kind};
use pelton_runtime::data::{Schema, Table};
use pelton_runtime::learn::{Epoch, LearnOptions, LearningControl, LearningObserver, StopReason};
use pelton_runtime::structure::{
    EnsembleResult, FixedChoices, HiddenTreeSearch, SearchObserver, SearchOptions, StructureError,
    StructureTask, TreeOptions, WeightedSample,
};
use pelton_tests::dice::Dice;
use std::time::Duration;

/// Searches over rows drawn at random, the same for validation.
fn searched(
    schema: &Schema,
    search: &HiddenTreeSearch,
    observer: &mut dyn SearchObserver,
) -> Result<EnsembleResult, StructureError> {
    let mut dice = Dice::new(5);
    let rows: Vec<Vec<f64>> = (0..40).map(|_| kit::row(&mut dice, schema, 10)).collect();
    let circuit = schema.circuit();
    let (train, valid) = rows.split_at(20);
    let tables = [train, valid].map(|rows| Table::from_assignments(&circuit, rows));
    let samples = [0, 1].map(|at| WeightedSample {
        table: &tables[at],
        weights: None,
    });
    let study = StructureTask {
        schema,
        train: samples[0],
        valid: Some(samples[1]),
        model: &kit::precise(),
    };
    search.run(&study, observer)
}

fn options(time: Duration) -> HiddenTreeSearch {
    let options = SearchOptions::new(time, 1);
    HiddenTreeSearch {
        options: SearchOptions {
            learning: LearnOptions {
                threads: 1,
                ..options.learning
            },
            ..options
        },
        trees: TreeOptions::default(),
        fixed: FixedChoices::default(),
    }
}

struct Nobody;

impl LearningObserver for Nobody {}
impl SearchObserver for Nobody {}

fn assert_sound(found: &EnsembleResult) {
    let weights = found.report.trials.iter().map(|trial| trial.weight);
    kit::assert_close(weights.sum(), 1.0, 1e-9, "the weights");
    let whole = found.assembled.learned.report.valid.unwrap();
    for trial in &found.report.trials {
        let (own, whole) = (trial.valid.mean, whole.mean);
        assert!(whole >= own - 1e-9, "{whole} and {own}");
        assert!(trial.n_epochs > 0 && trial.best_epoch <= trial.n_epochs);
    }
}

/// A search that is over before it begins still has a result.
#[test]
fn the_shortest_time_gives_a_trial() {
    let schema = kit::array(3, Kind::Bool.domain(&mut Dice::new(1)));
    let options = options(Duration::from_nanos(1));
    let found = searched(&schema, &options, &mut Nobody).unwrap();
    assert_eq!(found.report.trials.len(), 1);
    assert_eq!(found.report.trials[0].weight, 1.0);
    assert_sound(&found);
    let report = &found.assembled.learned.report;
    assert_eq!(report.stop_reason, StopReason::Budget);
    assert!(!found.is_cancelled);
}

/// Of one column there is little to learn, so that many trials come out alike.
#[test]
fn trials_that_are_alike_are_no_trouble() {
    let schema = kit::array(1, Kind::Bool.domain(&mut Dice::new(1)));
    let found = searched(&schema, &options(Duration::from_millis(1_500)), &mut Nobody).unwrap();
    assert_sound(&found);
}

#[test]
fn columns_of_all_kinds_are_searched_over() {
    for seed in 0..3 {
        let schema = kit::named(&mut Dice::new(seed), 5, kit::ALL);
        let found = searched(&schema, &options(Duration::from_millis(300)), &mut Nobody).unwrap();
        assert_sound(&found);
    }
}

/// Without finite columns nothing is softened, and nobody has to say so.
#[test]
fn real_columns_alone_are_searched_over() {
    let schema = kit::array(3, Kind::Real.domain(&mut Dice::new(1)));
    let found = searched(&schema, &options(Duration::from_millis(300)), &mut Nobody).unwrap();
    assert!(
        found
            .report
            .trials
            .iter()
            .all(|trial| trial.choices.contains(&("softness", 0.0.into())))
    );
    assert_sound(&found);
}

#[test]
fn a_circuit_that_is_too_large_is_told() {
    let schema = kit::array(6, Kind::Real.domain(&mut Dice::new(1)));
    let options = HiddenTreeSearch {
        fixed: FixedChoices {
            n_states: Some(100_000),
            ..FixedChoices::default()
        },
        ..options(Duration::from_millis(1_000))
    };
    let refused = searched(&schema, &options, &mut Nobody).unwrap_err();
    assert!(refused.to_string().contains("too large"), "{refused}");
}

/// Stops after so many epochs.
struct Impatient(usize);

impl LearningObserver for Impatient {
    fn epoch(
        &mut self,
        _: &Epoch,
        _: &dyn Fn() -> pelton_runtime::learn::Checkpoint,
    ) -> LearningControl {
        self.0 = self.0.saturating_sub(1);
        match self.0 {
            0 => LearningControl::Stop,
            _ => LearningControl::Continue,
        }
    }
}

impl SearchObserver for Impatient {}

#[test]
fn an_interrupted_search_gives_what_it_has() {
    let schema = kit::array(4, Kind::Bool.domain(&mut Dice::new(1)));
    let found = searched(
        &schema,
        &options(Duration::from_millis(60_000)),
        &mut Impatient(3),
    )
    .unwrap();
    assert!(found.is_cancelled);
    assert_eq!(found.report.trials.len(), 1);
    assert_sound(&found);
}
