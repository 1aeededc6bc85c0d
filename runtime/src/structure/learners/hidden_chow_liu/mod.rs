//! Hidden Chow-Liu trees: Chow-Liu trees of hidden variables.

mod moves;
mod recipe;

pub use recipe::{FixedChoices, HiddenTreeRecipe};

use crate::learn::LearnOptions;
use crate::structure::source::{HiddenTree, HiddenTreeForm, hclt_source};
use crate::structure::trees::{self, TREE_OPTIONS};
use crate::structure::{
    EnsembleResult, JoinForm, LearnedStructure, LearnerEntry, LearnerOption, LearnerSettings,
    OptionKind, SearchObserver, SearchOptions, StructureError, StructureLearner, StructureReport,
    StructureTask, TreeChoice, TreeOptions, search, size,
};
use std::time::{Duration, Instant};

pub(super) const ENTRY: LearnerEntry = LearnerEntry {
    name: "hclt",
    about: "Learn a hidden Chow-Liu tree: a Chow-Liu tree of hidden variables, each of which \
            decides about a column",
    details: "Columns may be of any kind: truth values, categories, small integers, real \
              numbers. Parameters are learned by EM that starts from clusters of rows. Within a \
              budget, the number of trees and of hidden states, the start and how much to \
              regularize are searched for by validation, and the trials that complete each other \
              best become one ensemble.",
    options: &[
        LearnerOption::new(
            "hidden",
            "K",
            "Set the number of states of each hidden variable [default: 12]",
            OptionKind::Count,
        ),
        LearnerOption::new(
            "trees",
            "N",
            "Set the number of trees [default: 4]",
            OptionKind::Count,
        ),
        LearnerOption::new(
            "form",
            "FORM",
            "Choose the form of the circuit",
            OptionKind::Word(FORMS),
        )
        .or("pelton"),
        LearnerOption {
            conflicts: &["checkpoint", "form", "init", "method"],
            needs_validation: true,
            ..LearnerOption::new(
                "budget",
                "TIME",
                "Search for this long, by validation likelihood: `90s`, `10m`, `1h30m`.\n\n\
                 The search leaves fixed what other options set",
                OptionKind::Seconds,
            )
        },
        TREE_OPTIONS[0],
        TREE_OPTIONS[1],
        TREE_OPTIONS[2],
    ],
    make,
};

/// What hidden trees look like as a circuit.
const FORMS: &[(&str, &str)] = &[
    (
        "pelton",
        "Every tree has a weight; real columns always have a hidden variable",
    ),
    (
        "paper",
        "As in the paper: one sum over the states of all trees",
    ),
];

fn make(settings: &LearnerSettings) -> Box<dyn StructureLearner> {
    let default = HiddenChowLiu::default();
    let n_trees = settings.get("trees").unwrap_or(default.trees.n_trees);
    let Some(seconds) = settings.get("budget") else {
        return Box::new(HiddenChowLiu {
            n_states: settings.get("hidden").unwrap_or(default.n_states),
            trees: TreeOptions::of(settings, n_trees),
            form: if settings.is("form", "paper") {
                HiddenTreeForm::Paper
            } else {
                HiddenTreeForm::Pelton
            },
        });
    };
    let budget = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    Box::new(HiddenTreeSearch {
        trees: TreeOptions::of(settings, 1),
        fixed: FixedChoices {
            n_states: settings.get("hidden"),
            n_trees: settings.get("trees"),
            choice: TreeChoice::of(settings),
            pseudocount: settings.get("pseudocount"),
            softness: settings.get("softness"),
            entropy: settings.get("entropy"),
        },
        options: SearchOptions::new(budget, settings.seed),
    })
}

/// Learns a mixture of hidden Chow-Liu trees.
#[derive(Clone, Debug, PartialEq)]
pub struct HiddenChowLiu {
    /// States of each hidden variable.
    pub n_states: usize,
    /// Which trees.
    pub trees: TreeOptions,
    /// What the circuit looks like.
    pub form: HiddenTreeForm,
}

impl Default for HiddenChowLiu {
    /// Four trees with twelve states, as in the paper.
    fn default() -> Self {
        HiddenChowLiu {
            n_states: 12,
            trees: TreeOptions {
                n_trees: 4,
                ..TreeOptions::default()
            },
            form: HiddenTreeForm::default(),
        }
    }
}

impl HiddenChowLiu {
    /// The circuit, whose parameters are yet to be learned.
    pub fn structure(&self, study: &StructureTask) -> Result<LearnedStructure, StructureError> {
        let start = Instant::now();
        if self.n_states == 0 {
            let message = "a hidden variable needs at least one state".to_string();
            return Err(StructureError::Option(message));
        }
        let n_states = self.n_states;
        let (trees, nats) = trees::found(study.train.table, study.train.weights, &self.trees)?;
        size::check_hidden(study.schema, &trees, n_states, self.form)?;
        let hidden = trees.iter().map(|tree| HiddenTree { tree, n_states });
        Ok(LearnedStructure {
            source: hclt_source(study.schema, &hidden.collect::<Vec<_>>(), self.form),
            learned: None,
            is_cancelled: false,
            report: trees::report(study, &self.trees, Some(n_states), nats, start.elapsed()),
            form: JoinForm::Trees {
                trees,
                n_states: Some(n_states),
            },
        })
    }
}

impl StructureLearner for HiddenChowLiu {
    fn learn(
        &self,
        study: &StructureTask,
        _: &LearnOptions,
        _: &mut dyn SearchObserver,
    ) -> Result<LearnedStructure, StructureError> {
        self.structure(study)
    }
}

/// Searches for a mixture of hidden Chow-Liu trees under which the validation rows are
/// likely. Trials differ in the number of trees and of hidden states, in where learning
/// starts and in how much is regularized.
#[derive(Clone, Debug)]
pub struct HiddenTreeSearch {
    /// How to search.
    pub options: SearchOptions,
    /// How trees are found.
    pub trees: TreeOptions,
    /// What is not to be searched for.
    pub fixed: FixedChoices,
}

impl HiddenTreeSearch {
    /// The ensemble that was found.
    pub fn run(
        &self,
        study: &StructureTask,
        observer: &mut dyn SearchObserver,
    ) -> Result<EnsembleResult, StructureError> {
        let mut columns = study.schema.columns.iter();
        let can_soften = columns.any(|column| column.domain.size() > Some(1));
        let space = HiddenTreeSearch {
            fixed: FixedChoices {
                softness: self.fixed.softness.or((!can_soften).then_some(0.0)),
                ..self.fixed
            },
            ..self.clone()
        };
        search(study, &space, &self.options, observer)
    }
}

impl StructureLearner for HiddenTreeSearch {
    fn learn(
        &self,
        study: &StructureTask,
        learning: &LearnOptions,
        observer: &mut dyn SearchObserver,
    ) -> Result<LearnedStructure, StructureError> {
        let options = SearchOptions {
            learning: learning.clone(),
            ..self.options.clone()
        };
        let found = HiddenTreeSearch {
            options,
            ..self.clone()
        }
        .run(study, observer)?;
        Ok(LearnedStructure {
            source: found.assembled.source,
            form: JoinForm::Circuit,
            learned: Some(found.assembled.learned),
            is_cancelled: found.is_cancelled,
            report: StructureReport {
                search: Some(found.report),
                ..StructureReport::default()
            },
        })
    }

    fn learns_parameters(&self) -> bool {
        true
    }

    fn default_learning(&self) -> Option<LearnOptions> {
        Some(self.options.learning.clone())
    }
}
