//! What is told of a structure.

use crate::progress::shown_time;
use pelton_grammar::diagnostic::{counted, thousands};
use pelton_runtime::structure::InformationOptions;
use pelton_runtime::structure::{Structure, Study, information};
use serde_json::{Value as Json, json};
use std::io::Write;
use std::time::Duration;

/// What is told of a structure.
pub struct StructureReport {
    kind: &'static str,
    n_columns: usize,
    n_trees: usize,
    n_states: Option<usize>,
    choice: &'static str,
    /// Mutual information of the best tree's pairs, in nats.
    information: f64,
    time: Duration,
}

impl StructureReport {
    /// What is known of a structure that took so long.
    pub fn new(
        study: &Study,
        structure: &Structure,
        choice: &'static str,
        options: &InformationOptions,
        time: Duration,
    ) -> Self {
        let pairs = information(study.train.table, study.train.weights, options);
        let totals = structure.trees.iter().map(|tree| pairs.of_tree(tree));
        StructureReport {
            kind: match structure.n_states {
                Some(_) => "hclt",
                None => "clt",
            },
            n_columns: study.schema.columns.len(),
            n_trees: structure.trees.len(),
            n_states: structure.n_states,
            choice,
            information: totals.fold(f64::NEG_INFINITY, f64::max),
            time,
        }
    }

    /// The run's report with what is known of the structure.
    pub fn to_json(&self, mut report: Json) -> Json {
        report["structure"] = json!({
            "kind": self.kind,
            "columns": self.n_columns,
            "trees": self.n_trees,
            "hidden": self.n_states,
            "tree_choice": self.choice,
            "information": self.information,
            "seconds": self.time.as_secs_f64(),
        });
        report
    }

    /// The same for people.
    pub fn tell(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let trees = match self.kind {
            "hclt" => counted(
                self.n_trees,
                "hidden Chow-Liu tree",
                "hidden Chow-Liu trees",
            ),
            _ => counted(self.n_trees, "Chow-Liu tree", "Chow-Liu trees"),
        };
        let columns = thousands(self.n_columns);
        write!(out, "{trees} over {columns} columns")?;
        if let Some(n_states) = self.n_states {
            write!(out, ", {}", counted(n_states, "state", "states"))?;
        }
        let (information, time) = (self.information, shown_time(self.time));
        writeln!(
            out,
            ", {information:.4} nats of mutual information, found in {time}\n"
        )
    }
}
