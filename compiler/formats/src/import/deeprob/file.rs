//! The form of the file.

use crate::import::ImportError;
use pelton_compiler::load::LARGEST_SOURCE;
use pelton_grammar::diagnostic::counted;
use pelton_grammar::source::{Source, Span};
use rustc_hash::FxHashMap;
use serde::Deserialize;

/// A graph as NetworkX writes it.
#[derive(Deserialize)]
pub(super) struct DeeprobFile {
    pub nodes: Vec<DeeprobNode>,
    /// Newer versions of NetworkX call them edges.
    #[serde(alias = "edges")]
    pub links: Vec<DeeprobLink>,
}

/// A link from `source` to `target`.
#[derive(Deserialize)]
pub(super) struct DeeprobLink {
    pub source: u64,
    pub target: u64,
    pub idx: Option<u64>,
}

/// A node with all that any class has.
#[derive(Deserialize)]
pub(super) struct DeeprobNode {
    pub id: u64,
    pub class: Option<String>,
    scope: DeeprobScope,
    weights: Option<Vec<f64>>,
    /// The table of a node of a tree that was saved alone, in logarithms.
    pub weight: Option<DeeprobTable>,
    params: Option<Box<DeeprobParameters>>,
}

/// Logarithms of the probabilities of false and true if the parent is false, and if it
/// is true.
pub(super) type DeeprobTable = [[f64; 2]; 2];

#[derive(Deserialize)]
#[serde(untagged)]
enum DeeprobScope {
    One(u64),
    Many(Vec<u64>),
}

/// Parameters of leaves.
#[derive(Default, Deserialize)]
pub(super) struct DeeprobParameters {
    pub p: Option<f64>,
    pub categories: Option<Vec<i64>>,
    pub probabilities: Option<Vec<f64>>,
    pub densities: Option<Vec<f64>>,
    pub breaks: Option<Vec<f64>>,
    pub start: Option<f64>,
    pub width: Option<f64>,
    pub mean: Option<f64>,
    pub stddev: Option<f64>,
    pub tree: Option<Vec<i64>>,
    pub params: Option<Vec<DeeprobTable>>,
}

/// Reads the text.
pub(super) fn parse(source: &Source) -> Result<DeeprobFile, ImportError> {
    if source.text().len() as u64 > LARGEST_SOURCE {
        let message = format!("a network in JSON may have {} MiB", LARGEST_SOURCE >> 20);
        return Err(ImportError::whole(message).help("it is read as a whole, which takes memory"));
    }
    let text = source.text().trim_start_matches('\u{feff}');
    serde_json::from_str(text).map_err(|error| {
        let line = source
            .line_start(error.line().saturating_sub(1))
            .unwrap_or(0);
        let place = (line + error.column().saturating_sub(1)).min(source.text().len());
        let place = source.text().floor_char_boundary(place);
        let span = Span::new(source.id(), place, place);
        ImportError::at(span, format!("this is no network of deeprob-kit: {error}"))
            .help("`save_spn_json` writes such files; numbers that are not finite cannot be read")
    })
}

impl DeeprobLink {
    /// Where its two nodes are.
    pub fn ends(&self, positions: &FxHashMap<u64, usize>) -> Result<(usize, usize), ImportError> {
        let find = |id: u64| {
            let missing =
                || ImportError::whole(format!("a link leads to node {id}, which is missing"));
            positions.get(&id).copied().ok_or_else(missing)
        };
        Ok((find(self.source)?, find(self.target)?))
    }
}

impl DeeprobFile {
    /// Where each node is, by its id.
    pub fn positions(&self) -> Result<FxHashMap<u64, usize>, ImportError> {
        let mut positions = FxHashMap::default();
        for (at, node) in self.nodes.iter().enumerate() {
            if positions.insert(node.id, at).is_some() {
                return Err(ImportError::whole(format!(
                    "there are two nodes {}",
                    node.id
                )));
            }
        }
        Ok(positions)
    }
}

impl DeeprobNode {
    /// A fault of this node.
    pub fn fault(&self, message: impl std::fmt::Display) -> ImportError {
        ImportError::whole(format!("node {}: {message}", self.id))
    }

    /// The variables.
    pub fn scope(&self) -> &[u64] {
        match &self.scope {
            DeeprobScope::One(variable) => std::slice::from_ref(variable),
            DeeprobScope::Many(variables) => variables,
        }
    }

    /// The variable of a leaf that has one.
    pub fn only_variable(&self) -> Result<u64, ImportError> {
        match self.scope() {
            &[variable] => Ok(variable),
            scope => Err(self.fault(format!("its leaf is over {} variables, not 1", scope.len()))),
        }
    }

    /// The weights of a sum.
    pub fn weights(&self, n_children: usize) -> Result<Vec<f64>, ImportError> {
        let weights = self.weights.clone().unwrap_or_default();
        if weights.len() != n_children {
            let message = format!(
                "it has {} and {}",
                counted(n_children, "child", "children"),
                counted(weights.len(), "weight", "weights")
            );
            return Err(self.fault(message));
        }
        match weights
            .iter()
            .find(|weight| !(**weight >= 0.0 && weight.is_finite()))
        {
            Some(weight) => Err(self.fault(format!("{weight} cannot be a weight"))),
            None => Ok(weights),
        }
    }

    /// The parameters of a leaf.
    pub fn params(&self) -> Result<&DeeprobParameters, ImportError> {
        self.params
            .as_deref()
            .ok_or_else(|| self.fault("it has no `params`"))
    }
}
