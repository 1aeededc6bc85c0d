//! Sets as sorted, separate runs: what scopes, values and atoms have in common.
//!
//! A run reaches from its first member up to, not including, its end.

/// Joins runs that touch or overlap, whatever their order.
pub(crate) fn united<T: Ord + Copy>(mut all: Vec<(T, T)>) -> Vec<(T, T)> {
    all.sort_unstable();
    let mut runs: Vec<(T, T)> = Vec::with_capacity(all.len());
    for (low, high) in all {
        // In the order of their lower ends, each run continues the last one or lies behind it.
        match runs.last_mut() {
            Some(last) if low <= last.1 => last.1 = last.1.max(high),
            _ => runs.push((low, high)),
        }
    }
    runs
}

/// The runs that two sets share.
pub(crate) fn common<T: Ord + Copy>(
    one: impl IntoIterator<Item = (T, T)>,
    other: impl IntoIterator<Item = (T, T)>,
) -> impl Iterator<Item = (T, T)> {
    let (mut left, mut right) = (one.into_iter().peekable(), other.into_iter().peekable());
    std::iter::from_fn(move || {
        loop {
            let (a, b) = (*left.peek()?, *right.peek()?);
            // The run that ends first meets nothing further of the other set.
            if a.1 < b.1 {
                left.next()
            } else {
                right.next()
            };
            let shared = (a.0.max(b.0), a.1.min(b.1));
            if shared.0 < shared.1 {
                return Some(shared);
            }
        }
    })
}

/// What is in a set and not in another, whose runs are holes.
pub(crate) fn without<T: Ord + Copy>(
    set: impl IntoIterator<Item = (T, T)>,
    holes: impl IntoIterator<Item = (T, T)>,
) -> Vec<(T, T)> {
    let mut runs = Vec::new();
    let mut holes = holes.into_iter().peekable();
    for (mut low, high) in set {
        while let Some(&(hole_low, hole_high)) = holes.peek() {
            if hole_low >= high {
                break;
            }
            if low < hole_low {
                runs.push((low, hole_low));
            }
            low = low.max(hole_high);
            // A hole that reaches beyond this run may cut the next one too.
            if hole_high > high {
                break;
            }
            holes.next();
        }
        if low < high {
            runs.push((low, high));
        }
    }
    runs
}

pub(crate) fn contain<T: Ord + Copy>(runs: &[(T, T)], member: T) -> bool {
    let at = runs.partition_point(|run| run.1 <= member);
    runs.get(at).is_some_and(|run| run.0 <= member)
}
