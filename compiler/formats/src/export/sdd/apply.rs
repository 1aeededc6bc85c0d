//! Conjunction, disjunction and negation of diagrams.
//!
//! Two decisions at one node of the vtree are combined element by element: primes by "and",
//! subs by the operation; elements whose subs turn out the same are joined by the "or" of
//! their primes. What needs the result of another operation waits on a stack of its own,
//! because vtrees may be as deep as there are variables.

use super::diagram::{FALSE, SddDiagram, SddElement, SddNode, SddNodeId, SddTooLarge, TRUE};

/// What is done to two nodes, or one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SddOperation {
    /// Both.
    And,
    /// One of them, or both.
    Or,
    /// Not the first; the second is `TRUE`.
    Not,
}

/// An operation with its operands.
type SddOperationKey = (SddOperation, SddNodeId, SddNodeId);

/// An operation that waits for others.
struct SddApplyFrame {
    key: SddOperationKey,
    /// The node of the vtree at which both are decisions; none before that is known.
    at: Option<u32>,
    lefts: Vec<SddElement>,
    rights: Vec<SddElement>,
    /// How many pairs of elements have been combined.
    n_done: usize,
    /// What became of them.
    combined: Vec<SddElement>,
    /// Elements that were joined so far, by their subs; filled once all are combined.
    joined: Vec<SddElement>,
    is_sorted: bool,
}

/// How far a frame came.
enum SddApplyStep {
    Done(SddNodeId),
    Needs(SddOperationKey),
}

impl SddDiagram<'_> {
    /// Applies an operation.
    pub fn apply(
        &mut self,
        operation: SddOperation,
        a: SddNodeId,
        b: SddNodeId,
    ) -> Result<SddNodeId, SddTooLarge> {
        let key = ordered((operation, a, b));
        if let Some(known) = self.look_up(key) {
            return Ok(known);
        }
        let mut stack = vec![SddApplyFrame::new(key)];
        while let Some(frame) = stack.last_mut() {
            match self.step(frame)? {
                SddApplyStep::Needs(key) => stack.push(SddApplyFrame::new(key)),
                SddApplyStep::Done(result) => {
                    let key = frame.key;
                    self.remember(key, result)?;
                    stack.pop();
                }
            }
        }
        Ok(self.look_up(key).expect("the result was remembered"))
    }

    /// A result that needs no work, or is known.
    fn look_up(&mut self, (operation, a, b): SddOperationKey) -> Option<SddNodeId> {
        match (operation, a, b) {
            (SddOperation::Not, FALSE, _) => Some(TRUE),
            (SddOperation::Not, TRUE, _) => Some(FALSE),
            (SddOperation::Not, a, _) => match self.node(a) {
                SddNode::Literal(literal) => Some(self.literal(-literal)),
                _ => self.known.get(&(operation, a, b)).copied(),
            },
            (_, a, b) if a == b => Some(a),
            (SddOperation::And, FALSE, _) | (SddOperation::Or, TRUE, _) => Some(a),
            (SddOperation::And, TRUE, _) | (SddOperation::Or, FALSE, _) => Some(b),
            _ => match (self.node(a), self.node(b)) {
                (SddNode::Literal(x), SddNode::Literal(y)) if x == -y => Some(match operation {
                    SddOperation::And => FALSE,
                    _ => TRUE,
                }),
                _ => self.known.get(&(operation, a, b)).copied(),
            },
        }
    }

    /// Goes on with an operation until it is done or needs another one.
    fn step(&mut self, frame: &mut SddApplyFrame) -> Result<SddApplyStep, SddTooLarge> {
        if frame.at.is_none()
            && let Some(needed) = self.open(frame)?
        {
            return Ok(SddApplyStep::Needs(needed));
        }
        if let Some(needed) = self.combine(frame)? {
            return Ok(SddApplyStep::Needs(needed));
        }
        if let Some(needed) = self.join_equal(frame) {
            return Ok(SddApplyStep::Needs(needed));
        }
        let at = frame.at.expect("the frame was opened");
        let elements = std::mem::take(&mut frame.joined);
        self.decision(elements, at).map(SddApplyStep::Done)
    }

    /// Sees both operands as decisions at one node of the vtree; says which negation that
    /// needs, if it is not there yet.
    fn open(&mut self, frame: &mut SddApplyFrame) -> Result<Option<SddOperationKey>, SddTooLarge> {
        let (operation, a, b) = frame.key;
        if operation == SddOperation::Not {
            frame.at = Some(self.vtree_node(a));
            frame.lefts = self.elements(a).to_vec();
            frame.rights = vec![(TRUE, TRUE)];
            return Ok(None);
        }
        // At the lowest node above both, an operand from the left part is a prime with its
        // negation, one from the right part a sub under the prime that is always true.
        let (place_a, place_b) = (self.vtree_node(a), self.vtree_node(b));
        let (at, n_steps) = self.vtree().meet(place_a, place_b);
        self.take_steps(n_steps)?;
        for (node, elements) in [(a, &mut frame.lefts), (b, &mut frame.rights)] {
            let place = self.vtree_node(node);
            *elements = if place == at {
                self.elements(node).to_vec()
            } else if self.vtree().is_left_of(place, at) {
                let key = (SddOperation::Not, node, TRUE);
                let Some(not) = self.look_up(key) else {
                    return Ok(Some(key));
                };
                vec![(node, TRUE), (not, FALSE)]
            } else {
                vec![(TRUE, node)]
            };
        }
        self.take_steps(frame.lefts.len() * frame.rights.len())?;
        frame.at = Some(at);
        Ok(None)
    }

    /// Combines elements pair by pair; says which operation that needs next.
    fn combine(
        &mut self,
        frame: &mut SddApplyFrame,
    ) -> Result<Option<SddOperationKey>, SddTooLarge> {
        let operation = frame.key.0;
        while frame.n_done < frame.lefts.len() * frame.rights.len() {
            let (p, s) = frame.lefts[frame.n_done / frame.rights.len()];
            let (q, t) = frame.rights[frame.n_done % frame.rights.len()];
            let key = ordered((SddOperation::And, p, q));
            let Some(prime) = self.look_up(key) else {
                return Ok(Some(key));
            };
            // Primes that exclude each other need no sub.
            if prime != FALSE {
                let key = ordered((operation, s, t));
                let Some(sub) = self.look_up(key) else {
                    return Ok(Some(key));
                };
                frame.combined.push((prime, sub));
            }
            frame.n_done += 1;
        }
        Ok(None)
    }

    /// Joins elements with the same sub; says which disjunction that needs next.
    fn join_equal(&mut self, frame: &mut SddApplyFrame) -> Option<SddOperationKey> {
        if !frame.is_sorted {
            frame.combined.sort_unstable_by_key(|&(_, sub)| sub);
            frame.is_sorted = true;
        }
        while let Some(&(prime, sub)) = frame.combined.last() {
            match frame.joined.last_mut() {
                Some((joined, same)) if *same == sub => {
                    let key = ordered((SddOperation::Or, *joined, prime));
                    let Some(both) = self.look_up(key) else {
                        return Some(key);
                    };
                    *joined = both;
                }
                _ => frame.joined.push((prime, sub)),
            }
            frame.combined.pop();
        }
        None
    }
}

impl SddApplyFrame {
    fn new(key: SddOperationKey) -> Self {
        SddApplyFrame {
            key,
            at: None,
            lefts: Vec::new(),
            rights: Vec::new(),
            n_done: 0,
            combined: Vec::new(),
            joined: Vec::new(),
            is_sorted: false,
        }
    }
}

/// The order of operands means nothing; constants come first.
fn ordered((operation, a, b): SddOperationKey) -> SddOperationKey {
    match operation {
        SddOperation::Not => (operation, a, TRUE),
        _ => (operation, a.min(b), a.max(b)),
    }
}
