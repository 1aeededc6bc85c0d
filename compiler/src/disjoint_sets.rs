//! Disjoint sets of positions, which are united and asked for by what leads them.

/// Union-find over positions.
pub(crate) struct DisjointSets {
    parent: Vec<usize>,
}

impl DisjointSets {
    pub(crate) fn new(n: usize) -> Self {
        let parent = (0..n).collect();
        DisjointSets { parent }
    }

    pub(crate) fn find(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            // Each step halves the way for those who come later.
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    pub(crate) fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        // The lower position leads, so that parts come in the order of their members.
        self.parent[a.max(b)] = a.min(b);
    }

    /// Parts a position from those that it was united with; only if all of them are parted.
    pub(crate) fn part(&mut self, at: usize) {
        self.parent[at] = at;
    }

    /// The positions, part by part.
    pub(crate) fn parts(&mut self) -> UnionFindParts {
        let mut size = vec![0_u32; self.parent.len()];
        for at in 0..size.len() {
            size[self.find(at)] += 1;
        }
        let mut parts = UnionFindParts::default();
        let mut part_of = vec![usize::MAX; size.len()];
        for at in 0..size.len() {
            let root = self.find(at);
            if size[root] == 1 {
                parts.single.push(at);
                continue;
            }
            if part_of[root] == usize::MAX {
                part_of[root] = parts.several.len();
                parts.several.push(Vec::new());
            }
            parts.several[part_of[root]].push(at);
        }
        parts
    }
}

/// What a union-find has found.
#[derive(Default)]
pub(crate) struct UnionFindParts {
    /// Positions on their own.
    pub single: Vec<usize>,
    /// Positions that belong together.
    pub several: Vec<Vec<usize>>,
}
