//! Laminar families: sets that nest or are disjoint, and so form a tree.

use super::{Scope, Scopes, Vtree, VtreeNode};
use crate::circuit::{ScopeId, VarId, VtreeId};
use rustc_hash::FxHashMap;

/// Two scopes that overlap, neither of which holds the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScopeCrossing(pub ScopeId, pub ScopeId);

/// Arranges scopes in a tree, or finds two of them that cross.
///
/// Scopes are taken by rising size. Each swallows the largest sets so far that
/// it meets: it must hold them whole, else the two cross. Every set is
/// swallowed once, so the cost is that of reading all scopes once. One of the
/// scopes has to hold all the others for the result to be one tree.
pub(crate) fn arrange(scopes: &Scopes, family: &mut [ScopeId]) -> Result<Vtree, ScopeCrossing> {
    family.sort_unstable_by_key(|&id| (scopes.size(id), id));
    let mut forest = Forest::default();
    for (at, &id) in family.iter().enumerate() {
        if at > 0 && family[at - 1] == id {
            continue;
        }
        forest.add(scopes, id)?;
    }
    Ok(forest.vtree)
}

#[derive(Default)]
struct Forest {
    vtree: Vtree,
    leaves: FxHashMap<VarId, VtreeId>,
    /// The node each node was swallowed by, shortened on use; itself at the top.
    above: Vec<VtreeId>,
    /// The scope each node was made for; `None` for variables on their own.
    scope_of: Vec<Option<ScopeId>>,
}

impl Forest {
    fn add(&mut self, scopes: &Scopes, id: ScopeId) -> Result<(), ScopeCrossing> {
        let scope = scopes.get(id);
        let mut parts = Vec::new();
        let mut rest = scope.remainder();
        // Take the scope apart into the largest sets built so far: the one that holds the first
        // variable left, then the one of the next variable outside of it, and so on.
        while let Some(variable) = rest.first() {
            let part = self.top_of(variable);
            match self.scope_of[part.index()] {
                Some(inner) if !scopes.get(inner).is_subset(scope) => {
                    return Err(ScopeCrossing(inner, id));
                }
                Some(inner) => rest.remove(scopes.get(inner)),
                None => rest.remove(&Scope::single(variable)),
            }
            parts.push(part);
        }
        // A scope of one part is a variable on its own.
        if let [_, _, ..] = *parts {
            self.swallow(id, parts);
        }
        Ok(())
    }

    fn swallow(&mut self, id: ScopeId, parts: Vec<VtreeId>) {
        let node = self.vtree.push(VtreeNode::Split(parts.clone()));
        self.above.push(node);
        self.scope_of.push(Some(id));
        for part in parts {
            self.above[part.index()] = node;
        }
    }

    /// The largest set so far that holds the variable.
    fn top_of(&mut self, variable: VarId) -> VtreeId {
        let known = self.leaves.get(&variable).copied();
        let mut node = known.unwrap_or_else(|| self.leaf(variable));
        while self.above[node.index()] != node {
            let next = self.above[node.index()];
            self.above[node.index()] = self.above[next.index()];
            node = next;
        }
        node
    }

    fn leaf(&mut self, variable: VarId) -> VtreeId {
        let node = self.vtree.push(VtreeNode::Leaf(variable));
        self.leaves.insert(variable, node);
        self.above.push(node);
        self.scope_of.push(None);
        node
    }
}
