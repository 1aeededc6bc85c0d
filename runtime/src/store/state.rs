//! Numbers beside the parameters, such as those of a checkpoint.

/// A tensor that the writer adds.
#[derive(Clone, Debug, PartialEq)]
pub struct StateTensor {
    /// Its dimensions; none for a single number.
    pub shape: Vec<usize>,
    /// As many numbers as the dimensions make, the last one running fastest.
    pub data: StateData,
}

/// Numbers of one kind.
#[derive(Clone, Debug, PartialEq)]
pub enum StateData {
    /// Reals, of any value.
    F64(Vec<f64>),
    /// Integers from 0 up.
    U64(Vec<u64>),
}

impl StateTensor {
    /// A list of reals.
    pub fn reals(values: Vec<f64>) -> Self {
        StateTensor {
            shape: vec![values.len()],
            data: StateData::F64(values),
        }
    }

    /// A list of integers.
    pub fn integers(values: Vec<u64>) -> Self {
        StateTensor {
            shape: vec![values.len()],
            data: StateData::U64(values),
        }
    }
}
