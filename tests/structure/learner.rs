//! A learner that nothing else knows of: what it takes to add one, and to search with it.

use super::kit;
use pelton_compiler::circuit::ParameterValue;
use pelton_runtime::data::Table;
use pelton_runtime::learn::LearnOptions;
use pelton_runtime::structure::{
    HiddenChowLiu, JoinForm, LEARNERS, LearnedStructure, LearnerSettings, SearchObserver,
    SearchOptions, SearchSpace, StructureError, StructureLearner, StructureReport, StructureTask,
    TreeOptions, WeightedSample, search,
};
use pelton_tests::dice::Dice;
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use std::fmt;
use std::time::Duration;

/// Learns that columns, which are truth values, have nothing to do with one another.
#[derive(Debug)]
struct Independent;

impl Independent {
    fn source(study: &StructureTask) -> String {
        let declarations = study.schema.declarations();
        let columns = study.schema.references();
        let leaves: Vec<String> = columns
            .iter()
            .map(|column| format!("{column} ~ bernoulli(?)"))
            .collect();
        format!("{declarations} root {};", leaves.join(" * "))
    }
}

impl StructureLearner for Independent {
    fn learn(
        &self,
        study: &StructureTask,
        learning: &LearnOptions,
        observer: &mut dyn SearchObserver,
    ) -> Result<LearnedStructure, StructureError> {
        let source = Independent::source(study);
        let model = study.compile(&source)?;
        let learned = study.learn(&model, learning, observer)?;
        Ok(LearnedStructure {
            source,
            form: JoinForm::Circuit,
            learned: Some(learned),
            is_cancelled: false,
            report: StructureReport {
                summary: "independent columns".to_string(),
                figures: vec![("columns", json!(study.schema.columns.len()))],
                ..StructureReport::default()
            },
        })
    }

    fn learns_parameters(&self) -> bool {
        true
    }
}

/// Independent columns, or a hidden tree with so many states.
struct Mixed;

#[derive(Clone)]
struct Choice(usize);

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} states", self.0)
    }
}

impl SearchSpace for Mixed {
    type Recipe = Choice;

    fn first(&self) -> Vec<Choice> {
        vec![Choice(0), Choice(2)]
    }

    fn neighbour(&self, recipe: &Choice, _: &mut ChaCha8Rng) -> Choice {
        Choice((recipe.0 + 1) % 4)
    }

    fn learner(&self, recipe: &Choice) -> Box<dyn StructureLearner> {
        match recipe.0 {
            0 => Box::new(Independent),
            n_states => Box::new(HiddenChowLiu {
                n_states,
                trees: TreeOptions::default(),
                ..HiddenChowLiu::default()
            }),
        }
    }

    fn learning(&self, _: &Choice, base: &LearnOptions) -> LearnOptions {
        base.clone()
    }

    fn cost(&self, recipe: &Choice) -> f64 {
        1.0 + recipe.0 as f64
    }

    fn choices(&self, recipe: &Choice) -> Vec<(&'static str, serde_json::Value)> {
        vec![("states", json!(recipe.0))]
    }
}

fn with_study<T>(run: impl FnOnce(&StructureTask) -> T) -> T {
    let mut dice = Dice::new(3);
    let schema = kit::array(4, kit::Kind::Bool.domain(&mut dice));
    let rows: Vec<Vec<f64>> = (0..60).map(|_| kit::row(&mut dice, &schema, 0)).collect();
    let circuit = schema.circuit();
    let tables = [&rows[..40], &rows[40..]].map(|rows| Table::from_assignments(&circuit, rows));
    let samples = [0, 1].map(|at| WeightedSample {
        table: &tables[at],
        weights: None,
    });
    run(&StructureTask {
        schema: &schema,
        train: samples[0],
        valid: Some(samples[1]),
        model: &kit::precise(),
    })
}

/// Members of both learners become one ensemble, which is no worse than any of them.
#[test]
fn an_ensemble_has_members_of_several_learners() {
    let options = SearchOptions {
        learning: LearnOptions {
            fullbatch_epochs: 5,
            threads: 1,
            ..LearnOptions::default()
        },
        ..SearchOptions::new(Duration::from_millis(500), 1)
    };
    with_study(|study| {
        let found = search(study, &Mixed, &options, &mut ()).unwrap();
        let whole = found.assembled.learned.report.valid.unwrap();
        let kinds = [0, 2].map(|n| json!(n));
        for kind in kinds {
            let is_tried = |kind: &serde_json::Value| {
                let mut trials = found.report.trials.iter();
                trials.any(|trial| trial.choices == [("states", kind.clone())])
            };
            assert!(is_tried(&kind), "{kind}");
        }
        for trial in &found.report.trials {
            assert!(whole.mean >= trial.valid.mean - 1e-9, "{trial:?}");
        }
        let model = study.compile(&found.assembled.source).unwrap();
        let values: &[ParameterValue] = &found.assembled.learned.values;
        assert_eq!(values.len(), model.n_entries());
    });
}

/// What front ends rely on: names are different, options are checked, and what is right by
/// default makes a learner.
#[test]
fn learners_and_their_options_are_told_apart() {
    for (at, entry) in LEARNERS.iter().enumerate() {
        assert!(LEARNERS[..at].iter().all(|other| other.name != entry.name));
        let mut settings = LearnerSettings::default();
        for (at, option) in entry.options.iter().enumerate() {
            let before = &entry.options[..at];
            assert!(before.iter().all(|other| other.name != option.name));
            assert!(option.kind.check("-1").is_err(), "{}", option.name);
            if let Some(default) = option.default {
                assert_eq!(option.kind.check(default), Ok(()), "{}", option.name);
                let values = &mut settings.values;
                values.insert(option.name.to_string(), default.to_string());
            }
        }
        let learner = (entry.make)(&settings);
        let report = with_study(|study| learner.learn(study, &LearnOptions::default(), &mut ()));
        let json = report.unwrap().report.to_json(entry.name, json!({}));
        assert_eq!(json["structure"]["kind"], entry.name);
    }
}
