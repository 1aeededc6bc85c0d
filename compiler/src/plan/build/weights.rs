//! Packs weights: each operation's are consecutive, equal lists are kept once.

use crate::plan::{WeightSlot, WeightSource};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The packed weight buffer in the making. Its first place is the constant 1.
pub(super) struct WeightBuffer {
    pub sources: Vec<WeightSource>,
    lists: HashTable<(WeightSlot, u32)>,
}

/// The constant 1: the weight of a product that is computed as a sum of one term.
pub(super) const UNIT: WeightSlot = WeightSlot(0);

impl WeightBuffer {
    pub fn new() -> Self {
        let mut weights = WeightBuffer {
            sources: Vec::new(),
            lists: HashTable::new(),
        };
        weights.add(&[WeightSource::One]);
        weights
    }

    /// All of them, without the room that was left for more.
    pub fn into_sources(mut self) -> Vec<WeightSource> {
        self.sources.shrink_to_fit();
        self.sources
    }

    /// Where the list is; blocks with the same weights share them.
    pub fn add(&mut self, list: &[WeightSource]) -> WeightSlot {
        let sources = &mut self.sources;
        let found = self.lists.find(hash(list), |&(slot, len)| {
            stored(sources, slot, len) == list
        });
        if let Some(&(slot, _)) = found {
            return slot;
        }
        let slot = WeightSlot(u32::try_from(sources.len()).expect("below 2^32 weights"));
        sources.extend_from_slice(list);
        let entry = (slot, list.len() as u32);
        self.lists.insert_unique(hash(list), entry, |&(slot, len)| {
            hash(stored(sources, slot, len))
        });
        slot
    }
}

fn stored(sources: &[WeightSource], slot: WeightSlot, len: u32) -> &[WeightSource] {
    &sources[slot.0 as usize..][..len as usize]
}

fn hash(list: &[WeightSource]) -> u64 {
    let mut hasher = FxHasher::default();
    list.hash(&mut hasher);
    hasher.finish()
}
