//! Which units of a large circuit are drawn as one box.

use crate::circuit::{CircuitGraph, LeafKind, NameId, UnitId, UnitKind, VarId};
use crate::stats::depths;
use pelton_grammar::diagnostic::listed;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most boxes in a drawing.
pub(super) const MOST_BOXES: usize = 40;
/// Most boxes where families are split; beyond it they are drawn whole.
const MOST_SPLIT_BOXES: usize = 24;
/// Most bands of depth for units without names.
const MOST_BANDS: usize = 14;

/// Units in groups.
#[derive(Clone, Debug)]
pub(super) struct UnitGroups {
    /// The group of every unit; `None` where the root does not reach.
    pub of_unit: Vec<Option<u32>>,
    pub groups: Vec<UnitGroup>,
}

/// Units that are drawn as one box.
#[derive(Clone, Debug)]
pub(super) struct UnitGroup {
    pub label: GroupLabel,
    pub n_sums: usize,
    pub n_products: usize,
    pub n_inputs: usize,
    /// The sum of the depths of its units.
    pub total_depth: u64,
    /// Variables that its own leaves mention.
    pub variables: FxHashSet<VarId>,
}

/// What a group is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GroupLabel {
    /// A family of nodes, with `·` where indices or digits differ.
    Family(String),
    /// Units at the root that belong to no named node.
    Root,
    /// Units without names, by depth. Edges lead from one band to deeper ones.
    Band { low: u32, high: u32 },
    /// Leaves of one distribution; the variables as one pattern if they are alike.
    Leaves {
        family: &'static str,
        variables: Option<String>,
    },
}

impl UnitGroup {
    fn new(label: GroupLabel) -> Self {
        UnitGroup {
            label,
            n_sums: 0,
            n_products: 0,
            n_inputs: 0,
            total_depth: 0,
            variables: FxHashSet::default(),
        }
    }

    /// Number of units.
    pub fn n_units(&self) -> usize {
        self.n_sums + self.n_products + self.n_inputs
    }

    /// Whether it holds leaves of one distribution and nothing else.
    pub fn is_leaves(&self) -> bool {
        matches!(self.label, GroupLabel::Leaves { .. })
    }
}

/// How sums and products are grouped, finest first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnitRule {
    /// By base name and all indices but the last.
    SplitFamily,
    /// By base name.
    Family,
    /// By the name's text without its digits.
    Pattern,
    /// By depth.
    Band,
}

/// How leaves are grouped, finest first; always by distribution.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LeafRule {
    /// And by variable.
    Variable,
    /// And by array of variables.
    Array,
    Distribution,
}

/// Groups the reached units by the finest rule that keeps the drawing small.
pub(super) fn groups(circuit: &CircuitGraph, reached: &[bool]) -> UnitGroups {
    use LeafRule::{Array, Distribution, Variable};
    use UnitRule::{Band, Family, Pattern, SplitFamily};
    let named = [
        (SplitFamily, Variable, MOST_SPLIT_BOXES),
        (SplitFamily, Array, MOST_SPLIT_BOXES),
        (Family, Array, MOST_BOXES),
        (Family, Distribution, MOST_BOXES),
        (Pattern, Array, MOST_BOXES),
        (Pattern, Distribution, MOST_BOXES),
    ];
    let nameless = [
        (Band, Variable, MOST_SPLIT_BOXES),
        (Band, Array, MOST_BOXES),
    ];
    let depths = depths(circuit, reached);
    let rules = if is_mostly_named(circuit, reached) {
        named.as_slice()
    } else {
        &[]
    };
    // The first rule, from fine to coarse, that gives few enough boxes.
    let found = rules
        .iter()
        .chain(&nameless)
        .find_map(|&(units, leaves, most)| {
            Grouping::new(circuit, &depths, units, leaves).run(reached, most)
        });
    found.unwrap_or_else(|| {
        Grouping::new(circuit, &depths, Band, Distribution)
            .run(reached, usize::MAX)
            .expect("no number of groups is beyond the limit")
    })
}

/// Whether names say more about the circuit than depths do.
fn is_mostly_named(circuit: &CircuitGraph, reached: &[bool]) -> bool {
    let (mut n_owned, mut n_orphans) = (0, 0);
    for unit in circuit.units().filter(|unit| reached[unit.index()]) {
        match (circuit.kind(unit), circuit.owner(unit)) {
            (UnitKind::Input(_), _) => {}
            (_, Some(_)) => n_owned += 1,
            (_, None) => n_orphans += 1,
        }
    }
    n_owned > n_orphans
}

/// What units of one group have in common.
#[derive(Clone, PartialEq, Eq, Hash)]
enum UnitGroupKey {
    Name(String, Vec<i64>),
    Root,
    Band(u32),
    Leaves(&'static str, String),
}

/// One attempt at grouping.
struct Grouping<'a> {
    circuit: &'a CircuitGraph,
    depths: &'a [u32],
    units: UnitRule,
    leaves: LeafRule,
    band_size: u32,
    ids: FxHashMap<UnitGroupKey, u32>,
    /// Groups of names met before, so that a name's text is made once.
    name_groups: FxHashMap<NameId, u32>,
    variable_groups: FxHashMap<(VarId, &'static str), u32>,
    groups: Vec<UnitGroup>,
}

impl<'a> Grouping<'a> {
    fn new(
        circuit: &'a CircuitGraph,
        depths: &'a [u32],
        units: UnitRule,
        leaves: LeafRule,
    ) -> Self {
        let n_layers = depths.iter().max().map_or(1, |deepest| deepest + 1);
        Grouping {
            circuit,
            depths,
            units,
            leaves,
            band_size: n_layers.div_ceil(MOST_BANDS as u32),
            ids: FxHashMap::default(),
            name_groups: FxHashMap::default(),
            variable_groups: FxHashMap::default(),
            groups: Vec::new(),
        }
    }

    /// Groups all reached units; `None` if that makes more than `most` groups.
    fn run(mut self, reached: &[bool], most: usize) -> Option<UnitGroups> {
        let mut of_unit = vec![None; self.circuit.n_units()];
        for unit in self.circuit.units().filter(|unit| reached[unit.index()]) {
            let group = self.group_of(unit);
            if self.groups.len() > most {
                return None;
            }
            of_unit[unit.index()] = Some(group);
            self.count(unit, group);
        }
        Some(UnitGroups {
            of_unit,
            groups: self.groups,
        })
    }

    fn count(&mut self, unit: UnitId, group: u32) {
        let group = &mut self.groups[group as usize];
        group.total_depth += u64::from(self.depths[unit.index()]);
        match self.circuit.kind(unit) {
            UnitKind::Sum => group.n_sums += 1,
            UnitKind::Product => group.n_products += 1,
            UnitKind::Input(leaf) => {
                group.n_inputs += 1;
                group.variables.insert(self.circuit.leaf(leaf).variable);
            }
        }
    }

    fn group_of(&mut self, unit: UnitId) -> u32 {
        let circuit = self.circuit;
        match circuit.kind(unit) {
            UnitKind::Input(leaf) => {
                let leaf = circuit.leaf(leaf);
                let family = match &leaf.kind {
                    LeafKind::Indicator(_) => "indicator",
                    LeafKind::Distribution(distribution) => distribution.family.name(),
                };
                self.leaf_group(leaf.variable, family)
            }
            _ if self.units == UnitRule::Band => self.band_group(unit),
            _ => match circuit.owner(unit) {
                Some(name) => self.name_group(name),
                None => self.intern(UnitGroupKey::Root, || GroupLabel::Root),
            },
        }
    }

    fn leaf_group(&mut self, variable: VarId, family: &'static str) -> u32 {
        if let Some(&group) = self.variable_groups.get(&(variable, family)) {
            return group;
        }
        let name = &self.circuit.variable(variable).name;
        let variables = match self.leaves {
            LeafRule::Variable => Some(name.clone()),
            LeafRule::Array => Some(without_digits(name)),
            LeafRule::Distribution => None,
        };
        let key = UnitGroupKey::Leaves(family, variables.clone().unwrap_or_default());
        let group = self.intern(key, || GroupLabel::Leaves { family, variables });
        self.variable_groups.insert((variable, family), group);
        group
    }

    fn name_group(&mut self, name: NameId) -> u32 {
        if let Some(&group) = self.name_groups.get(&name) {
            return group;
        }
        let names = self.circuit.names();
        let (base, indices) = (names.base(name), names.indices(name));
        let n_kept = match self.units {
            UnitRule::SplitFamily => indices.len().saturating_sub(1),
            _ => 0,
        };
        let kept = &indices[..n_kept];
        let base = match self.units {
            UnitRule::Pattern => without_digits(base),
            _ => base.to_string(),
        };
        let label = family_label(&base, kept, indices.len());
        let key = UnitGroupKey::Name(base, kept.to_vec());
        let group = self.intern(key, || GroupLabel::Family(label));
        self.name_groups.insert(name, group);
        group
    }

    fn band_group(&mut self, unit: UnitId) -> u32 {
        let depth = self.depths[unit.index()];
        let key = UnitGroupKey::Band(depth / self.band_size);
        let (low, high) = (depth, depth);
        let group = self.intern(key, || GroupLabel::Band { low, high });
        if let GroupLabel::Band { low, high } = &mut self.groups[group as usize].label {
            *low = depth.min(*low);
            *high = depth.max(*high);
        }
        group
    }

    fn intern(&mut self, key: UnitGroupKey, label: impl FnOnce() -> GroupLabel) -> u32 {
        let next = self.groups.len() as u32;
        let group = *self.ids.entry(key).or_insert(next);
        if group == next {
            self.groups.push(UnitGroup::new(label()));
        }
        group
    }
}

/// `z[3, ·]`
fn family_label(base: &str, kept: &[i64], n_indices: usize) -> String {
    if n_indices == 0 {
        return base.to_string();
    }
    let indices = (0..n_indices).map(|at| kept.get(at).map_or("·".to_string(), i64::to_string));
    format!("{base}[{}]", listed(indices))
}

/// The text with every run of digits replaced by `·`.
fn without_digits(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    let mut in_digits = false;
    for c in text.chars() {
        let is_digit = c.is_ascii_digit();
        match (is_digit, in_digits) {
            (true, false) => pattern.push('·'),
            (true, true) => {}
            (false, _) => pattern.push(c),
        }
        in_digits = is_digit;
    }
    pattern
}
