//! Eight problems of one size at a time, one in each lane of two vectors.
//!
//! Most vectors of a circuit have few entries. Side by side they need no sums
//! across lanes and no padding, which makes it one and a half to three times as fast.

use super::{
    ALL_DATA, CLOSE, FAINT, MODERATE, MOST_STEPS, NOTHING, SimplexSolution, greater, lesser,
    logarithm::ln, omega,
};
use pelton_compiler::kernel::exp2_double;
use std::f64::consts::LOG2_E;

/// Problems that are solved together.
pub const MANY: usize = 8;

/// One number for each problem.
type SimplexLanes = [f64; MANY];

/// Solves eight problems of one size, see [`SimplexSolver`](super::SimplexSolver). In
/// all buffers the entries of the problems alternate.
#[derive(Clone, Debug, Default)]
pub struct ManySolver {
    /// The data, then `ln d - ln b`.
    log_ratio: Vec<f64>,
    gamma: Vec<f64>,
    argument: Vec<f64>,
    omega: Vec<f64>,
    log_theta: Vec<f64>,
    theta: Vec<f64>,
    /// `D / b + t` of the entry's problem, and how far `t` has moved.
    shift: Vec<f64>,
    moved: Vec<f64>,
}

impl ManySolver {
    /// Makes room for problems of `n` entries.
    pub fn resize(&mut self, n: usize) {
        for buffer in [
            &mut self.log_ratio,
            &mut self.gamma,
            &mut self.argument,
            &mut self.omega,
            &mut self.log_theta,
            &mut self.theta,
            &mut self.shift,
            &mut self.moved,
        ] {
            buffer.resize(n * MANY, 0.0);
        }
    }

    /// Sets an entry of a problem: its share of the data and what it gains.
    pub fn set(&mut self, problem: usize, entry: usize, d: f64, gamma: f64) {
        self.log_ratio[entry * MANY + problem] = d;
        self.gamma[entry * MANY + problem] = gamma;
    }

    /// An entry of a solution.
    pub fn theta(&self, problem: usize, entry: usize) -> f64 {
        self.theta[entry * MANY + problem]
    }

    /// Whether a problem may be solved here: its pull may not be next to nothing, be it
    /// by itself or beside the data.
    pub fn takes(total: f64, pull: f64) -> bool {
        pull >= FAINT && total / pull <= ALL_DATA
    }

    /// Solves the problems that were set. Each of them is one that the solver
    /// [takes](ManySolver::takes).
    pub fn solve(&mut self, pulls: SimplexLanes, starts: SimplexLanes) -> [SimplexSolution; MANY] {
        dispatch(self, pulls, starts)
    }

    #[inline(always)]
    fn find(&mut self, pulls: SimplexLanes, starts: SimplexLanes) -> [SimplexSolution; MANY] {
        // 1. As in the solver of one problem, lane by lane: data as logarithms, brackets, and a
        // start inside of them.
        let ratios = self.load(pulls);
        let (mut low, mut high) = self.brackets();
        let mut t = [0.0; MANY];
        for lane in 0..MANY {
            let is_inside = starts[lane] >= low[lane] && starts[lane] <= high[lane];
            t[lane] = if is_inside { starts[lane] } else { low[lane] };
        }
        // 2. Newton's method until the last lane is there; those that are close stay meanwhile.
        let mut moved = [f64::INFINITY; MANY];
        let mut n_steps = [0; MANY];
        for step in 1..=MOST_STEPS {
            let (log_totals, slopes) = self.evaluate(ratios, t, moved);
            let mut is_done = true;
            for lane in 0..MANY {
                let log_total = log_totals[lane];
                moved[lane] = 0.0;
                if log_total.abs() < CLOSE {
                    continue;
                }
                n_steps[lane] = step;
                if step == MOST_STEPS {
                    continue;
                }
                is_done = false;
                if log_total > 0.0 {
                    low[lane] = t[lane]
                } else {
                    high[lane] = t[lane]
                }
                let newton = t[lane] - log_total / slopes[lane];
                let next = if newton >= low[lane] && newton <= high[lane] {
                    newton
                } else {
                    low[lane] + (high[lane] - low[lane]) / 2.0
                };
                moved[lane] = next - t[lane];
                t[lane] = next;
            }
            if is_done {
                moved = std::array::from_fn(|lane| -log_totals[lane] / slopes[lane]);
                break;
            }
        }
        // 3. The last step of each, in the entries themselves.
        self.correct(moved);
        self.normalize();
        std::array::from_fn(|lane| SimplexSolution {
            start: t[lane] + moved[lane],
            n_steps: n_steps[lane] + 1,
        })
    }

    /// Turns data into logarithms; gives the ratios of data to pull.
    #[inline(always)]
    fn load(&mut self, pulls: SimplexLanes) -> SimplexLanes {
        let mut totals = [0.0; MANY];
        for d in self.log_ratio.as_chunks::<MANY>().0 {
            for lane in 0..MANY {
                totals[lane] += d[lane];
            }
        }
        let log_pulls = pulls.map(ln);
        fill(&mut self.shift, log_pulls);
        for (log, &log_pull) in self.log_ratio.iter_mut().zip(&self.shift) {
            let is_data = *log > f64::MIN_POSITIVE;
            let positive = if is_data { *log } else { f64::MIN_POSITIVE };
            let log_ratio = ln(positive) - log_pull;
            *log = if is_data { log_ratio } else { NOTHING };
        }
        std::array::from_fn(|lane| totals[lane] / pulls[lane])
    }

    /// Between these each total passes 1, with some room for rounding.
    #[inline(always)]
    fn brackets(&self) -> (SimplexLanes, SimplexLanes) {
        let (mut low, mut high) = ([f64::INFINITY; MANY], [f64::NEG_INFINITY; MANY]);
        for gamma in self.gamma.as_chunks::<MANY>().0 {
            for lane in 0..MANY {
                low[lane] = lesser(gamma[lane], low[lane]);
                high[lane] = greater(gamma[lane], high[lane]);
            }
        }
        let log_n = ln((self.gamma.len() / MANY) as f64);
        for lane in 0..MANY {
            high[lane] += log_n;
            let room = 1e-9 * (1.0 + low[lane].abs() + high[lane].abs());
            low[lane] -= room;
            high[lane] += room;
        }
        (low, high)
    }

    /// The logarithms of the totals, and their derivatives by `t`.
    #[inline(always)]
    fn evaluate(
        &mut self,
        ratios: SimplexLanes,
        t: SimplexLanes,
        moved: SimplexLanes,
    ) -> (SimplexLanes, SimplexLanes) {
        fill(
            &mut self.shift,
            std::array::from_fn(|lane| ratios[lane] + t[lane]),
        );
        let inputs = self.log_ratio.iter().zip(&self.gamma).zip(&self.shift);
        for (argument, ((log_ratio, gamma), shift)) in self.argument.iter_mut().zip(inputs) {
            *argument = log_ratio + shift - gamma;
        }
        self.set_omegas(moved);
        let inputs = self.gamma.iter().zip(&self.shift).zip(&self.omega);
        for (log, ((gamma, shift), omega)) in self.log_theta.iter_mut().zip(inputs) {
            *log = gamma - shift + omega;
        }
        if ratios.iter().any(|&ratio| ratio > MODERATE) {
            let inputs = self.log_ratio.iter().zip(&self.argument).zip(&self.omega);
            for (log, ((log_ratio, argument), &omega)) in self.log_theta.iter_mut().zip(inputs) {
                let positive = greater(omega, f64::MIN_POSITIVE);
                let large = log_ratio - ln(positive);
                *log = if *argument > 0.0 { large } else { *log };
            }
        }
        self.totals()
    }

    #[inline(always)]
    fn set_omegas(&mut self, moved: SimplexLanes) {
        let mut smallest = [f64::INFINITY; MANY];
        for x in self.argument.as_chunks::<MANY>().0 {
            for lane in 0..MANY {
                smallest[lane] = lesser(x[lane], smallest[lane]);
            }
        }
        // One series serves all lanes, so the worst of them decides which.
        let smallest = smallest.into_iter().fold(f64::INFINITY, f64::min);
        let farthest = moved.map(f64::abs).into_iter().fold(0.0, f64::max);
        // Plain loops: an iterator's `for_each` is a function of its own, which is not
        // compiled for AVX2.
        let pairs = self.omega.iter_mut().zip(&self.argument);
        match (smallest > omega::LARGE, farthest < 1.0) {
            (false, _) => {
                for (w, &x) in pairs {
                    *w = omega::omega(x);
                }
            }
            (true, false) => {
                for (w, &x) in pairs {
                    *w = omega::large(x);
                }
            }
            (true, true) => {
                fill(&mut self.moved, moved);
                for ((w, &x), &moved) in pairs.zip(&self.moved) {
                    *w = omega::moved(x, *w, moved);
                }
            }
        }
    }

    #[inline(always)]
    fn totals(&mut self) -> (SimplexLanes, SimplexLanes) {
        let mut largest = [f64::NEG_INFINITY; MANY];
        for log in self.log_theta.as_chunks::<MANY>().0 {
            for lane in 0..MANY {
                largest[lane] = greater(log[lane], largest[lane]);
            }
        }
        fill(&mut self.shift, largest);
        let inputs = self.log_theta.iter().zip(&self.shift);
        for (theta, (log, largest)) in self.theta.iter_mut().zip(inputs) {
            *theta = exp2_double((log - largest) * LOG2_E);
        }
        let (mut totals, mut slopes) = ([0.0; MANY], [0.0; MANY]);
        let omegas = self.omega.as_chunks::<MANY>().0.iter();
        for (theta, omegas) in self.theta.as_chunks::<MANY>().0.iter().zip(omegas) {
            for lane in 0..MANY {
                totals[lane] += theta[lane];
                slopes[lane] += theta[lane] / (1.0 + omegas[lane]);
            }
        }
        let log_total = |lane: usize| largest[lane] + ln(totals[lane]);
        let slope = |lane: usize| -slopes[lane] / totals[lane];
        (std::array::from_fn(log_total), std::array::from_fn(slope))
    }

    /// Takes the last steps, which are so small that first order is enough.
    #[inline(always)]
    fn correct(&mut self, moved: SimplexLanes) {
        fill(&mut self.moved, moved);
        let inputs = self.omega.iter().zip(&self.moved);
        for (theta, (omega, moved)) in self.theta.iter_mut().zip(inputs) {
            let factor = 1.0 - moved / (1.0 + omega);
            *theta *= if factor > 0.0 { factor } else { 0.0 };
        }
    }

    #[inline(always)]
    fn normalize(&mut self) {
        let mut totals = [0.0; MANY];
        for theta in self.theta.as_chunks::<MANY>().0 {
            for lane in 0..MANY {
                totals[lane] += theta[lane];
            }
        }
        for theta in self.theta.as_chunks_mut::<MANY>().0 {
            for lane in 0..MANY {
                theta[lane] /= totals[lane];
            }
        }
    }
}

/// Repeats one number for each lane.
#[inline(always)]
fn fill(buffer: &mut [f64], lanes: SimplexLanes) {
    for chunk in buffer.as_chunks_mut::<MANY>().0 {
        *chunk = lanes;
    }
}

with_wide_vectors! {
    fn dispatch(solver: &mut ManySolver, pulls: SimplexLanes, starts: SimplexLanes) -> [SimplexSolution; MANY] {
        solver.find(pulls, starts)
    }
}
