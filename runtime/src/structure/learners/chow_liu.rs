//! Chow-Liu trees: each variable depends on one other.

use crate::learn::{LearnOptions, LearningResult, Report, StopReason};
use crate::structure::ensemble::{EnsembleMember, mixing_weights};
use crate::structure::source::clt_source;
use crate::structure::trees::{self, TREE_OPTIONS, bootstrap_seed};
use crate::structure::{
    JoinForm, LearnedStructure, LearnerEntry, LearnerOption, OptionKind, SearchObserver,
    StructureError, StructureLearner, StructureReport, StructureTask, TreeChoice, TreeOptions,
    VariableTree, WeightedSample, bootstrap, size,
};
use pelton_compiler::circuit::Domain;
use std::time::Instant;

pub(super) const ENTRY: LearnerEntry = LearnerEntry {
    name: "clt",
    about: "Learn a Chow-Liu tree: each variable depends on one other",
    details: "The tree is the spanning tree of greatest mutual information between columns. Its \
              circuit has a sum for each variable and each value of the variable's parent; it is \
              deterministic, so that its parameters have a closed form. Columns hold truth \
              values, categories or small integers.\n\n\
              With several trees the circuit is an ensemble: each tree is learned alone, and \
              their weights are fitted by EM.",
    options: &[
        LearnerOption::new("trees", "N", "Set the number of trees", OptionKind::Count).or("1"),
        TREE_OPTIONS[0],
        TREE_OPTIONS[1],
        TREE_OPTIONS[2],
    ],
    make: |settings| {
        let n_trees = settings.get("trees").unwrap_or(1);
        Box::new(ChowLiu(TreeOptions::of(settings, n_trees)))
    },
};

/// Learns Chow-Liu trees. A single one is a deterministic circuit; several are an ensemble,
/// each learned alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChowLiu(pub TreeOptions);

impl StructureLearner for ChowLiu {
    fn learn(
        &self,
        study: &StructureTask,
        learning: &LearnOptions,
        observer: &mut dyn SearchObserver,
    ) -> Result<LearnedStructure, StructureError> {
        let (structure, trees) = self.found(study)?;
        if !self.learns_parameters() {
            return Ok(structure);
        }
        self.ensemble(study, &trees, learning, structure.report, observer)
    }

    fn learns_parameters(&self) -> bool {
        self.0.n_trees > 1
    }
}

impl ChowLiu {
    /// The trees as one circuit without parameters.
    pub fn structure(&self, study: &StructureTask) -> Result<LearnedStructure, StructureError> {
        self.found(study).map(|(structure, _)| structure)
    }

    fn found(
        &self,
        study: &StructureTask,
    ) -> Result<(LearnedStructure, Vec<VariableTree>), StructureError> {
        let start = Instant::now();
        check_columns(study)?;
        let (trees, nats) = trees::found(study.train.table, study.train.weights, &self.0)?;
        size::check_plain(study.schema, &trees)?;
        let structure = LearnedStructure {
            report: trees::report(study, &self.0, None, nats, start.elapsed()),
            ..of_trees(study, trees.clone())
        };
        Ok((structure, trees))
    }

    /// A mixture of the trees, each of which is learned from the rows that were drawn for
    /// it if trees are bootstrapped, otherwise from all. Their weights are fitted to all
    /// training rows by EM.
    fn ensemble(
        &self,
        study: &StructureTask,
        trees: &[VariableTree],
        learning: &LearnOptions,
        report: StructureReport,
        observer: &mut dyn SearchObserver,
    ) -> Result<LearnedStructure, StructureError> {
        // 1. Each tree alone, and the likelihoods of all rows under it.
        let (mut members, mut logs) = (Vec::new(), Vec::new());
        let mut first: Option<Report> = None;
        for (number, tree) in (0..).zip(trees) {
            let drawn = (self.0.choice == TreeChoice::Bootstrap && number > 0).then(|| {
                let seed = bootstrap_seed(self.0.seed, number);
                bootstrap(study.train.table, study.train.weights, seed)
            });
            let drawn = drawn.as_ref().map(|(table, weights)| WeightedSample {
                table,
                weights: weights.as_deref(),
            });
            let own = StructureTask {
                train: drawn.unwrap_or(study.train),
                ..*study
            };
            let structure = of_trees(study, vec![tree.clone()]);
            let model = study.compile(&structure.source)?;
            let LearningResult { values, report } = own.learn(&model, learning, observer)?;
            let (parameters, rows) = (model.parameters(values.clone()), study.train.table);
            let found = model.log_likelihoods(&parameters, rows, learning.threads);
            logs.push(found.logs);
            members.push(EnsembleMember::new(&structure, model.circuit(), &values));
            let stop_reason = report.stop_reason;
            first.get_or_insert(report).stop_reason = stop_reason;
            if stop_reason == StopReason::Cancelled {
                break;
            }
        }
        // 2. One circuit of those that were learned in time.
        let weights = mixing_weights(&logs, study.train.weights);
        let members: Vec<(&EnsembleMember, f64)> = members.iter().zip(weights).collect();
        let first = first.expect("there is at least one tree");
        let whole = study.assemble(&members, &first)?;
        Ok(LearnedStructure {
            is_cancelled: first.stop_reason == StopReason::Cancelled,
            learned: Some(whole.learned),
            source: whole.source,
            form: JoinForm::Circuit,
            report,
        })
    }
}

/// A mixture of trees of which nothing is told.
fn of_trees(study: &StructureTask, trees: Vec<VariableTree>) -> LearnedStructure {
    LearnedStructure {
        source: clt_source(study.schema, &trees.iter().collect::<Vec<_>>()),
        form: JoinForm::Trees {
            trees,
            n_states: None,
        },
        learned: None,
        is_cancelled: false,
        report: StructureReport::default(),
    }
}

/// Refuses columns that are not of finitely many values.
fn check_columns(study: &StructureTask) -> Result<(), StructureError> {
    let mut columns = study.schema.columns.iter();
    let Some(real) = columns.find(|column| column.domain.size().is_none()) else {
        return Ok(());
    };
    let domain = match real.domain {
        Domain::Real => "real numbers",
        _ => "numbers without end",
    };
    Err(StructureError::Data(format!(
        "column `{}` holds {domain}, and a Chow-Liu tree is over columns of finitely many values; \
         learn a hidden one (`hclt`), or leave the column out",
        real.shown()
    )))
}
