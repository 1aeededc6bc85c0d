//! The plain reference: rows one by one, in logarithms.

use super::ExecutionEngine;

/// Answers by the reference evaluation of the circuit itself.
///
/// Its plans serve what looks at one, such as the places of evidence.
#[derive(Debug)]
pub(super) struct ReferenceEngine;

impl ExecutionEngine for ReferenceEngine {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn about(&self) -> &'static str {
        "Plain evaluation in log space, row by row; slow"
    }

    fn is_reference(&self) -> bool {
        true
    }
}
