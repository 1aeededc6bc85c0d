//! All assignments of a few variables, with the cells of tables over some of them.

/// Walks the assignments of `dims`, the last one running fastest, and keeps for each of
/// several tables the position of the cell that the assignment falls into.
pub(super) struct AssignmentWalk {
    dims: Vec<usize>,
    digits: Vec<usize>,
    /// For each table the step that each dimension makes in it.
    strides: Vec<Vec<usize>>,
    offsets: Vec<usize>,
}

impl AssignmentWalk {
    /// The first assignment. `scopes` are the variables of each table in the order of
    /// its dimensions, all of them among `variables`.
    pub fn new<'s>(
        variables: &[u32],
        n_values: &[usize],
        scopes: impl Iterator<Item = &'s [u32]>,
    ) -> Self {
        let dims: Vec<usize> = variables.iter().map(|&v| n_values[v as usize]).collect();
        let strides: Vec<Vec<usize>> = scopes
            .map(|scope| strides(variables, n_values, scope))
            .collect();
        AssignmentWalk {
            digits: vec![0; dims.len()],
            offsets: vec![0; strides.len()],
            dims,
            strides,
        }
    }

    /// Where the assignment falls into a table.
    pub fn offset(&self, table: usize) -> usize {
        self.offsets[table]
    }

    /// Goes on to the next assignment; behind the last one comes the first.
    pub fn advance(&mut self) {
        for dim in (0..self.dims.len()).rev() {
            self.digits[dim] += 1;
            if self.digits[dim] < self.dims[dim] {
                self.step(dim);
                return;
            }
            self.step_back(dim);
            self.digits[dim] = 0;
        }
    }

    fn step(&mut self, dim: usize) {
        for (offset, strides) in self.offsets.iter_mut().zip(&self.strides) {
            *offset += strides[dim];
        }
    }

    fn step_back(&mut self, dim: usize) {
        let by = self.dims[dim] - 1;
        for (offset, strides) in self.offsets.iter_mut().zip(&self.strides) {
            *offset -= strides[dim] * by;
        }
    }
}

fn strides(variables: &[u32], n_values: &[usize], scope: &[u32]) -> Vec<usize> {
    let mut strides = vec![0; variables.len()];
    let mut stride = 1;
    for &member in scope.iter().rev() {
        let dim = variables.iter().position(|&variable| variable == member);
        strides[dim.expect("the scope is among the variables")] = stride;
        stride *= n_values[member as usize];
    }
    strides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_in_their_own_order() {
        let (variables, n_values) = ([0, 2, 5], [2, 1, 3, 1, 1, 2]);
        let scopes: [&[u32]; 3] = [&[5, 0], &[2], &[]];
        let mut cells = AssignmentWalk::new(&variables, &n_values, scopes.into_iter());
        let mut seen = Vec::new();
        for _ in 0..13 {
            seen.push((cells.offset(0), cells.offset(1), cells.offset(2)));
            cells.advance();
        }
        assert_eq!(seen[..4], [(0, 0, 0), (2, 0, 0), (0, 1, 0), (2, 1, 0)]);
        assert_eq!(seen[11..], [(3, 2, 0), (0, 0, 0)]);
    }
}
