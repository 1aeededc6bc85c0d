//! Cycles in a graph given by its successors, and the order of one that has none.

/// The steps of one cycle, each a node with the label of the edge to the next
/// one (the last step leads back to the first), or `None` if there is none.
///
/// Depth-first search with its own stack: graphs may be a million deep.
pub fn find<L: Copy>(
    n_nodes: usize,
    mut successors: impl FnMut(usize) -> Vec<(usize, L)>,
) -> Option<Vec<(usize, L)>> {
    let mut state = vec![CycleSearchState::New; n_nodes];
    for start in 0..n_nodes {
        if state[start] != CycleSearchState::New {
            continue;
        }
        // Depth first from each node that was not seen: one that is met while it is open closes
        // a cycle.
        state[start] = CycleSearchState::Open;
        let mut stack = vec![(start, successors(start).into_iter())];
        // The edge by which each member of the stack but the first was entered.
        let mut path: Vec<(usize, L)> = Vec::new();
        while let Some((node, rest)) = stack.last_mut() {
            let node = *node;
            let Some((next, label)) = rest.next() else {
                state[node] = CycleSearchState::Done;
                stack.pop();
                path.pop();
                continue;
            };
            match state[next] {
                CycleSearchState::Done => {}
                CycleSearchState::Open => {
                    path.push((node, label));
                    // The way from where the search began to the cycle is no part of it.
                    let from = path.iter().position(|&(at, _)| at == next)?;
                    return Some(path.split_off(from));
                }
                CycleSearchState::New => {
                    state[next] = CycleSearchState::Open;
                    path.push((node, label));
                    stack.push((next, successors(next).into_iter()));
                }
            }
        }
    }
    None
}

/// All nodes that can be reached from these, each behind its successors; the graph has no
/// cycle.
pub fn children_first<I: IntoIterator<Item = usize>>(
    n_nodes: usize,
    starts: impl IntoIterator<Item = usize>,
    mut successors: impl FnMut(usize) -> I,
) -> Vec<usize> {
    let mut order = Vec::new();
    let mut is_seen = vec![false; n_nodes];
    for start in starts {
        if std::mem::replace(&mut is_seen[start], true) {
            continue;
        }
        let mut stack = vec![(start, successors(start).into_iter())];
        while let Some((node, rest)) = stack.last_mut() {
            match rest.next() {
                None => {
                    order.push(*node);
                    stack.pop();
                }
                Some(next) if is_seen[next] => {}
                Some(next) => {
                    is_seen[next] = true;
                    stack.push((next, successors(next).into_iter()));
                }
            }
        }
    }
    order
}

/// The nodes of a graph without cycles, each as soon as none of those that it waits for is
/// left; `n_waiting` counts them. Nodes on cycles, and what waits for them, are left out.
pub fn as_ready<I: IntoIterator<Item = usize>>(
    mut n_waiting: Vec<usize>,
    mut successors: impl FnMut(usize) -> I,
) -> Vec<usize> {
    let nodes = 0..n_waiting.len();
    let mut order: Vec<usize> = nodes.filter(|&node| n_waiting[node] == 0).collect();
    let mut next = 0;
    while let Some(&node) = order.get(next) {
        next += 1;
        for successor in successors(node) {
            n_waiting[successor] -= 1;
            if n_waiting[successor] == 0 {
                order.push(successor);
            }
        }
    }
    order
}

#[derive(Clone, Copy, PartialEq)]
enum CycleSearchState {
    New,
    Open,
    Done,
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn finds_the_cycle_and_not_the_way_to_it() {
        let edges = [vec![1], vec![2], vec![3], vec![1], vec![0]];
        let cycle = find(5, |node| edges[node].iter().map(|&to| (to, ())).collect());
        let nodes: Vec<usize> = cycle.unwrap().into_iter().map(|(node, ())| node).collect();
        assert_eq!(nodes, [1, 2, 3]);
    }

    #[test]
    fn a_long_chain_has_none() {
        let n = 300_000;
        let next = |node: usize| {
            if node + 1 < n {
                vec![(node + 1, ())]
            } else {
                vec![]
            }
        };
        assert!(find(n, next).is_none());
    }
}
