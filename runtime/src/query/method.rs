//! How an answer was found.

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerMethod {
    /// By the structure of the circuit, in one pass over it or over pairs of units.
    Structure,
    /// By adding up so many states.
    Enumeration {
        /// Number of states.
        n_states: u64,
    },
    /// Partly by structure, partly by adding up so many states.
    Mixed {
        /// Number of states.
        n_states: u64,
    },
}

impl AnswerMethod {
    /// The word in reports and JSON.
    pub fn name(self) -> &'static str {
        match self {
            AnswerMethod::Structure => "structure",
            AnswerMethod::Enumeration { .. } => "enumeration",
            AnswerMethod::Mixed { .. } => "mixed",
        }
    }

    /// The number of states that were visited.
    pub fn n_states(self) -> Option<u64> {
        match self {
            AnswerMethod::Structure => None,
            AnswerMethod::Enumeration { n_states } | AnswerMethod::Mixed { n_states } => {
                Some(n_states)
            }
        }
    }
}
