//! Flows of rows.

mod accumulator;
mod lanes;

use super::careful::{RecheckBuffers, inverse, log_value};
use super::fill::{cells, fill};
use super::parameters::{KernelPrecision, Parameters};
use super::pool::{PlanUse, PooledTile};
use super::root_bound::RootBound;
use super::shards::{shards, spread};
use super::{Model, Precision, with_precision};
use crate::data::Table;
use accumulator::Accumulator;
use lanes::FlowLanes;
use pelton_compiler::flow::CircuitFlows;
use pelton_compiler::kernel::{EvaluationPurpose, KernelPass, PackedWeights};
use pelton_compiler::reference;
use std::ops::Range;

/// Which flows are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FlowKind {
    /// How often each edge is taken, expected given the row.
    #[default]
    Expected,
    /// Flows through supports, which do not depend on weights: those of the most
    /// likely parameters of a deterministic circuit.
    Support,
}

/// Which flows to compute, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowOptions<'a> {
    /// Expected or through supports.
    pub kind: FlowKind,
    /// How much each row counts; 1 if not given.
    pub row_weights: Option<&'a [f64]>,
    /// Threads; 0 takes as many as there are cores.
    pub threads: usize,
}

/// Flows of all rows, added up.
#[derive(Clone, Debug)]
pub struct FlowTotals {
    /// The flows.
    pub flows: CircuitFlows,
    /// Logarithms of the values of possible rows, added up by weight.
    pub log_likelihood: f64,
    /// Weight of all possible rows: what entered at the root.
    pub weight: f64,
    /// Rows with a value of zero; they have no flows.
    pub n_zero: usize,
    /// Rows that the kernels could not hold and the reference evaluated.
    pub n_repaired: usize,
}

impl FlowTotals {
    /// Adds these to a sum, which they begin if there is none.
    pub(crate) fn add_to(self, sum: &mut Option<FlowTotals>) {
        match sum {
            Some(sum) => sum.add(&self),
            None => *sum = Some(self),
        }
    }

    /// Adds those of other rows.
    pub fn add(&mut self, other: &FlowTotals) {
        self.flows.add(&other.flows);
        self.log_likelihood += other.log_likelihood;
        self.weight += other.weight;
        self.n_zero += other.n_zero;
        self.n_repaired += other.n_repaired;
    }
}

/// At most so many accumulators, whose sums are added in order.
const SHARDS: usize = 16;

/// Tiles in a row that are done twice before the next one is watched at once.
const MANY_SUSPECTS: usize = 3;

/// Tiles whose counts are added in the kernels' precision before they go into
/// double precision: few enough for rounding, many enough for speed.
const GROUP_TILES: usize = 16;

pub(super) fn flows(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    options: &FlowOptions,
) -> FlowTotals {
    if let Some(weights) = options.row_weights {
        assert_eq!(weights.len(), table.n_rows(), "a weight for each row");
    }
    with_precision!(model, run(model, parameters, table, options))
}

fn run<T: KernelPrecision>(
    model: &Model,
    parameters: &Parameters,
    table: &Table,
    options: &FlowOptions,
) -> FlowTotals {
    let jobs = match table.n_rows() {
        0 => Vec::new(),
        n => shards(n, T::LANES, n_shards(n, T::LANES)),
    };
    let new_worker = || FlowWorker::<T>::new(model, parameters, table, options);
    let parts = spread(&jobs, options.threads, new_worker, |worker, rows| {
        worker.rows(table, rows.clone())
    });
    let plan = model.full().plan();
    let mut all = Accumulator::new(plan);
    parts.iter().for_each(|part| all.add(part));
    let packed = parameters.packed::<T>(model, purpose(options.kind));
    all.into_totals(model.circuit(), plan, packed)
}

/// Accumulators for so many rows: few rows are not worth many, because each costs
/// as much as a tile of them.
fn n_shards(n_rows: usize, tile: usize) -> usize {
    const LEAST_TILES: usize = 4;
    n_rows.div_ceil(tile * LEAST_TILES).min(SHARDS)
}

fn purpose(kind: FlowKind) -> EvaluationPurpose {
    match kind {
        FlowKind::Expected => EvaluationPurpose::Value,
        FlowKind::Support => EvaluationPurpose::Support,
    }
}

/// The buffers of one thread.
struct FlowWorker<'a, T: KernelPrecision> {
    model: &'a Model,
    parameters: &'a Parameters,
    options: FlowOptions<'a>,
    packed: &'a PackedWeights<T>,
    tile: PooledTile<'a, T>,
    careful: Option<RecheckBuffers<'a, T>>,
    root_bound: RootBound,
    /// Tiles in a row, up to the last one of this shard, in which something was lost
    /// that may matter. After some of them derivatives are kept at once, so that the
    /// passes that count also say whether losses matter.
    n_suspects: usize,
    /// Whether a tile of this group was watched, so that there are counts of such.
    has_watched: bool,
}

#[derive(PartialEq)]
enum FlowTileOutcome {
    /// Its counts were added.
    Good,
    /// Something was lost before any count was added.
    Suspect,
    /// Counts that are no numbers may have been added.
    Spoilt,
}

impl<'a, T: KernelPrecision> FlowWorker<'a, T> {
    fn new(
        model: &'a Model,
        parameters: &'a Parameters,
        table: &Table,
        options: &FlowOptions<'a>,
    ) -> Self {
        FlowWorker {
            model,
            parameters,
            options: *options,
            packed: parameters.packed(model, purpose(options.kind)),
            tile: PooledTile::take(model, PlanUse::Full),
            careful: None,
            root_bound: parameters
                .root_bound::<T>(model, purpose(options.kind))
                .with(table),
            n_suspects: 0,
            has_watched: false,
        }
    }

    fn careful(&mut self) -> &mut RecheckBuffers<'a, T> {
        let (model, parameters) = (self.model, self.parameters);
        let purpose = purpose(self.options.kind);
        self.careful
            .get_or_insert_with(|| RecheckBuffers::new(model, parameters, purpose))
    }

    fn rows(&mut self, table: &Table, rows: Range<usize>) -> Accumulator {
        let mut sums = Accumulator::new(self.model.full().plan());
        self.n_suspects = 0;
        let by_reference = self.model.is_reference(table)
            || !self.packed.is_faithful()
            || self.model.has_uncounted_tables;
        for first in rows.clone().step_by(T::LANES * GROUP_TILES) {
            let group = first..rows.end.min(first + T::LANES * GROUP_TILES);
            if by_reference {
                group.for_each(|row| self.by_reference(table, row, &mut sums))
            } else {
                self.group(table, group, &mut sums)
            }
        }
        sums
    }

    /// Adds the flows of a group of tiles; if one does not go well, all are done
    /// again one by one.
    fn group(&mut self, table: &Table, rows: Range<usize>, sums: &mut Accumulator) {
        // 1. All tiles count into the same buffers. One that is suspect is passed again, watched;
        // once several in a row were, tiles are watched at once.
        let tile = |first: usize| first..rows.end.min(first + T::LANES);
        let tiles: Vec<Range<usize>> = rows.clone().step_by(T::LANES).map(tile).collect();
        let before = sums.totals;
        self.tile.clear_counts();
        self.has_watched = false;
        let is_good = tiles.iter().all(|tile| {
            let plain = if self.n_suspects < MANY_SUSPECTS {
                self.tile(table, tile.clone(), None, sums)
            } else {
                FlowTileOutcome::Suspect
            };
            let outcome = match plain {
                FlowTileOutcome::Suspect => self.watched_tile(table, tile.clone(), sums),
                outcome => {
                    self.n_suspects = 0;
                    outcome
                }
            };
            outcome == FlowTileOutcome::Good
        });
        // 2. Counts of plain and of watched tiles lie apart.
        if is_good {
            sums.add_counts(self.tile.counts());
            if let Some(careful) = self.careful.as_mut().filter(|_| self.has_watched) {
                sums.add_counts(careful.tile().counts());
            }
            return;
        }
        // 3. What was counted cannot be told apart by tiles, so that all are done again.
        sums.totals = before;
        for tile in tiles {
            self.tile_again(table, tile, sums);
        }
    }

    /// Adds the flows of a tile by passes that keep all derivatives, so that they tell
    /// whether what was lost matters.
    fn watched_tile(
        &mut self,
        table: &Table,
        rows: Range<usize>,
        sums: &mut Accumulator,
    ) -> FlowTileOutcome {
        if !std::mem::replace(&mut self.has_watched, true) {
            self.careful().tile().clear_counts();
        }
        let is_lossy = self.careful().forward(table, rows.start);
        let lanes = FlowLanes::of(self.careful().tile(), rows, 0);
        if self.enters_nothing(&lanes) {
            return FlowTileOutcome::Spoilt;
        }
        let start = self.starts(&lanes);
        if self.careful().backward(&start) {
            return FlowTileOutcome::Spoilt;
        }
        let is_suspect = is_lossy && !lanes.are_covered(&self.root_bound);
        self.n_suspects = if is_suspect { self.n_suspects + 1 } else { 0 };
        if is_suspect {
            let bounds = self.careful().bounds_of(&lanes.root, &start);
            if lanes.rows().any(|(lane, _)| !bounds[lane].is_harmless()) {
                return FlowTileOutcome::Spoilt;
            }
        }
        self.add_likelihoods(&lanes, sums);
        FlowTileOutcome::Good
    }

    /// Adds the flows of a tile. If it is known in which lanes losses matter,
    /// those are skipped and the others trusted.
    fn tile(
        &mut self,
        table: &Table,
        rows: Range<usize>,
        skipped: Option<u64>,
        sums: &mut Accumulator,
    ) -> FlowTileOutcome {
        // 1. Up; where losses may matter, nothing is counted.
        let first = rows.start;
        fill(&mut self.tile, self.model, self.parameters, table, first);
        let program = self.model.full();
        let flags = self.tile.run(program, self.packed, KernelPass::Forward);
        let is_lossy = flags.underflow || self.tile.lost() != 0;
        let lanes = FlowLanes::of(&self.tile, rows, skipped.unwrap_or(0));
        if self.enters_nothing(&lanes) {
            return FlowTileOutcome::Spoilt;
        }
        let is_suspect = || is_lossy && !lanes.are_covered(&self.root_bound);
        if skipped.is_none() && (flags.overflow || is_suspect()) {
            return FlowTileOutcome::Suspect;
        }
        // 2. Down, from what enters at the root of each lane.
        let start = self.starts(&lanes);
        self.tile.set_root_derivative(start);
        let flags = self.tile.run(program, self.packed, KernelPass::Backward);
        if flags.overflow {
            return FlowTileOutcome::Spoilt;
        }
        // 3. Likelihoods, once nothing can go wrong any more.
        self.add_likelihoods(&lanes, sums);
        FlowTileOutcome::Good
    }

    fn add_likelihoods(&self, lanes: &FlowLanes<T>, sums: &mut Accumulator) {
        for (lane, row) in lanes.rows() {
            let log = log_value(lanes.root[lane], lanes.exponents[lane]);
            sums.totals.add(log, self.weight(row), self.entering(log));
        }
    }

    /// The derivative by the root that each lane starts with; nothing where it has no row.
    fn starts(&self, lanes: &FlowLanes<T>) -> Vec<T> {
        let mut starts = vec![T::ZERO; T::LANES];
        for (lane, row) in lanes.rows() {
            let entering = match self.options.kind {
                FlowKind::Expected => inverse(lanes.root[lane]),
                // What enters is the root's value, as far as it is positive.
                FlowKind::Support => T::power_of_two(lanes.exponents[lane]),
            };
            starts[lane] = entering * T::from_f64(self.weight(row));
        }
        starts
    }

    /// Whether what should enter at the root of a lane is too small a number: soft evidence may
    /// weigh as little as it likes.
    fn enters_nothing(&self, lanes: &FlowLanes<T>) -> bool {
        let vanishes = |lane: usize| T::power_of_two(lanes.exponents[lane]) == T::ZERO;
        let mut lanes_used = lanes.rows();
        self.options.kind == FlowKind::Support
            && lanes_used.any(|(lane, _)| lanes.root[lane] > T::ZERO && vanishes(lane))
    }

    /// How much of a row enters at the root: all of it, or as much of its evidence as
    /// lies in the support.
    fn entering(&self, log: f64) -> f64 {
        match self.options.kind {
            FlowKind::Expected => 1.0,
            FlowKind::Support => log.exp(),
        }
    }

    fn weight(&self, row: usize) -> f64 {
        self.options.row_weights.map_or(1.0, |weights| weights[row])
    }

    /// Adds the flows of a tile in which something was lost: what is covered for
    /// by kernels, the rest by the reference.
    fn tile_again(&mut self, table: &Table, rows: Range<usize>, sums: &mut Accumulator) {
        let bounds = self.careful().bounds(table, rows.start);
        let is_bad = |lane: &usize| !bounds[*lane].is_harmless();
        let bad: Vec<usize> = (0..rows.len()).filter(is_bad).collect();
        let skipped = bad.iter().fold(0, |mask, lane| mask | 1_u64 << lane);
        self.tile.clear_counts();
        let before = sums.totals;
        if bad.len() < rows.len()
            && self.tile(table, rows.clone(), Some(skipped), sums) == FlowTileOutcome::Good
        {
            sums.add_counts(self.tile.counts());
            for lane in bad {
                self.by_reference(table, rows.start + lane, sums);
            }
        } else {
            sums.totals = before;
            rows.for_each(|row| self.by_reference(table, row, sums));
        }
    }

    fn by_reference(&self, table: &Table, row: usize, sums: &mut Accumulator) {
        let (circuit, values) = (self.model.circuit(), self.parameters.values());
        let cells = cells(self.model, self.parameters, table, row);
        let found = match self.options.kind {
            FlowKind::Expected => reference::flows(circuit, values, &cells),
            FlowKind::Support => Some(reference::support_flows(circuit, values, &cells)),
        };
        let weight = self.weight(row);
        sums.totals.n_repaired += 1;
        let log = found.as_ref().map(|row| row.log_value);
        let log = log.unwrap_or(f64::NEG_INFINITY);
        sums.totals.add(log, weight, self.entering(log));
        if let Some(row) = found {
            let mut own = CircuitFlows::zero(circuit);
            row.add_to(&mut own);
            let sum = &mut sums.repaired;
            let sum = sum.get_or_insert_with(|| CircuitFlows::zero(circuit));
            sum.add_scaled(&own, weight);
        }
    }
}
