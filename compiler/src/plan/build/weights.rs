//! Packs weights: each operation's are consecutive, equal lists are kept once.

use crate::plan::{Slot, Source};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The packed weight buffer in the making. Its first place is the constant 1.
pub(super) struct Weights {
    pub sources: Vec<Source>,
    lists: HashTable<(Slot, u32)>,
}

/// The constant 1: the weight of a product that is computed as a sum of one term.
pub(super) const UNIT: Slot = Slot(0);

impl Weights {
    pub fn new() -> Self {
        let mut weights = Weights {
            sources: Vec::new(),
            lists: HashTable::new(),
        };
        weights.add(&[Source::One]);
        weights
    }

    /// All of them, without the room that was left for more.
    pub fn into_sources(mut self) -> Vec<Source> {
        self.sources.shrink_to_fit();
        self.sources
    }

    /// Where the list is; blocks with the same weights share them.
    pub fn add(&mut self, list: &[Source]) -> Slot {
        let sources = &mut self.sources;
        let found = self.lists.find(hash(list), |&(slot, len)| {
            stored(sources, slot, len) == list
        });
        if let Some(&(slot, _)) = found {
            return slot;
        }
        let slot = Slot(u32::try_from(sources.len()).expect("below 2^32 weights"));
        sources.extend_from_slice(list);
        let entry = (slot, list.len() as u32);
        self.lists.insert_unique(hash(list), entry, |&(slot, len)| {
            hash(stored(sources, slot, len))
        });
        slot
    }
}

fn stored(sources: &[Source], slot: Slot, len: u32) -> &[Source] {
    &sources[slot.0 as usize..][..len as usize]
}

fn hash(list: &[Source]) -> u64 {
    let mut hasher = FxHasher::default();
    list.hash(&mut hasher);
    hasher.finish()
}
