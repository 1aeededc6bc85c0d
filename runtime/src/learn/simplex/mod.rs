//! The M-step of one vector of probabilities under an entropy term.
//!
//! For shares `d` of the data, a pull `b > 0` towards entropy and the entropies
//! `gamma` of what the entries choose, it maximises
//!
//! ```text
//! sum d_i log theta_i + b * sum theta_i * (gamma_i - log theta_i),   sum theta = 1
//! ```
//!
//! At the maximum `d_i / theta_i - b log theta_i + b gamma_i = y` for all `i`. For
//! a given `y = D + b t` (`D = sum d`) that is solved by Wright's omega function;
//! the total of all `theta_i` falls with `t`, so that what is left is to find the
//! zero of a falling function of one number.
//!
//! The loops are branch-free over slices, so that compilers turn them into
//! vectors; on CPUs with AVX2 the same code is compiled for it. No step is fused,
//! so results do not depend on which of the two runs.

/// A function that is compiled twice: for vectors of 256 bits, where the CPU has them, too.
macro_rules! with_wide_vectors {
    ($(#[$doc:meta])* $vis:vis fn $name:ident($($own:ident: $type:ty),*) -> $out:ty $body:block) => {
        $(#[$doc])*
        $vis fn $name($($own: $type),*) -> $out {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn wide($($own: $type),*) -> $out $body

                if is_x86_feature_detected!("avx2") {
                    // SAFETY: the CPU has what the function is compiled for.
                    return unsafe { wide($($own),*) };
                }
            }
            $body
        }
    };
}
mod logarithm;
mod many;
mod omega;
#[cfg(test)]
mod tests;

pub use many::{MANY, ManySolver};

use logarithm::ln;
use pelton_compiler::kernel::exp2_double;
use std::f64::consts::LOG2_E;

/// Entries are padded to a multiple of this.
const LANES: usize = 4;

/// Steps after which the bracket alone decides; none was ever seen to need a third of it.
const MOST_STEPS: usize = 60;

/// If the logarithm of the total is off by less, one step of first order is enough:
/// what it leaves is of the order of the square.
const CLOSE: f64 = 1e-7;

/// Up to this ratio of data to pull, `ln omega` may be computed as a difference.
const MODERATE: f64 = 1e4;

/// Beyond this ratio of data to pull the solution is the shares of the data to the last
/// digit, and differences in `t` are lost beside the ratio.
const ALL_DATA: f64 = 1e200;

/// Pulls below this are solved scaled, together with their data: what is near the
/// smallest of numbers has neither an exact logarithm nor an inverse.
const FAINT: f64 = 1e-200;

/// What they are scaled by, a power of 2, so that no digit changes.
const UPSCALE: f64 = f64::from_bits((1023 + 600) << 52);

/// Solves one vector after the other, in buffers that are used again.
#[derive(Clone, Debug, Default)]
pub struct SimplexSolver {
    /// Number of entries; what follows them in the buffers repeats the last.
    n: usize,
    /// Data beside a pull that is scaled.
    scaled: Vec<f64>,
    /// `ln d - ln b`
    log_ratio: Vec<f64>,
    gamma: Vec<f64>,
    /// What omega is taken of.
    argument: Vec<f64>,
    omega: Vec<f64>,
    /// `ln theta`
    log_theta: Vec<f64>,
    theta: Vec<f64>,
}

/// How a vector was solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimplexSolution {
    /// Where a solver of nearly the same problem should start.
    pub start: f64,
    /// Steps that were taken.
    pub n_steps: usize,
}

/// What is asked, with the ratio of all data to the pull.
#[derive(Clone, Copy)]
struct SimplexProblem<'a> {
    d: &'a [f64],
    gamma: &'a [f64],
    pull: f64,
    ratio: f64,
    start: f64,
}

/// The common part of one problem.
#[derive(Clone, Copy)]
struct SimplexScale {
    /// `D / b`
    ratio: f64,
    t: f64,
    /// The `t` that the buffers hold omegas of, or NaN.
    known: f64,
}

impl SimplexSolver {
    /// Writes the maximum into `theta`: none of the slices is longer than the
    /// others, `d` and `pull` are not negative and finite, `gamma` is finite.
    /// `start` is that of an earlier [`SimplexSolution`], or NaN. With neither data nor
    /// pull, `theta` stays as it is.
    pub fn solve(
        &mut self,
        d: &[f64],
        gamma: &[f64],
        pull: f64,
        start: f64,
        theta: &mut [f64],
    ) -> SimplexSolution {
        if pull > 0.0 && pull < FAINT {
            return self.solve_faint(d, gamma, pull, start, theta);
        }
        // Where entropy does not count, or is nothing beside the data, the shares are those of the
        // data.
        let total: f64 = d.iter().sum();
        let ratio = total / pull;
        if pull == 0.0 || ratio > ALL_DATA {
            if total > 0.0 {
                let pairs = theta.iter_mut().zip(d);
                pairs.for_each(|(theta, d)| *theta = d / total);
            }
            return SimplexSolution { start, n_steps: 0 };
        }
        let problem = SimplexProblem {
            d,
            gamma,
            pull,
            ratio,
            start,
        };
        let solution = dispatch(self, problem);
        theta.copy_from_slice(&self.theta[..theta.len()]);
        solution
    }

    /// Solves a problem whose unit is hardly ever reached. Only the proportions of data
    /// and pull count, so both may be scaled; data that this makes infinite are all that
    /// counts.
    #[cold]
    fn solve_faint(
        &mut self,
        d: &[f64],
        gamma: &[f64],
        pull: f64,
        start: f64,
        theta: &mut [f64],
    ) -> SimplexSolution {
        let total: f64 = d.iter().sum();
        if total * UPSCALE > f64::MAX {
            return self.solve(d, gamma, 0.0, start, theta);
        }
        let mut scaled = std::mem::take(&mut self.scaled);
        scaled.clear();
        scaled.extend(d.iter().map(|d| d * UPSCALE));
        let solution = self.solve(&scaled, gamma, pull * UPSCALE, start, theta);
        self.scaled = scaled;
        solution
    }

    #[inline(always)]
    fn load(&mut self, d: &[f64], gamma: &[f64], pull: f64) {
        self.n = d.len();
        // 1. Room for whole vectors; what follows the entries repeats the last, which is harmless
        // in all loops but the sum.
        let n = d.len().next_multiple_of(LANES);
        for buffer in [
            &mut self.log_ratio,
            &mut self.gamma,
            &mut self.argument,
            &mut self.omega,
            &mut self.log_theta,
            &mut self.theta,
        ] {
            buffer.resize(n, 0.0);
        }
        let last = self.n - 1;
        self.gamma[..=last].copy_from_slice(gamma);
        self.gamma[last..].fill(gamma[last]);
        self.log_ratio[..=last].copy_from_slice(d);
        self.log_ratio[last..].fill(d[last]);
        // 2. Logarithms, without branches.
        let log_pull = ln(pull);
        for logs in self.log_ratio.as_chunks_mut::<LANES>().0 {
            for log in logs {
                let is_data = *log > f64::MIN_POSITIVE;
                let positive = if is_data { *log } else { f64::MIN_POSITIVE };
                // Without data an entry has no omega.
                *log = if is_data {
                    ln(positive) - log_pull
                } else {
                    NOTHING
                };
            }
        }
    }

    /// Newton's method from the left end, within a bracket that closes in.
    #[inline(always)]
    fn find(&mut self, problem: SimplexProblem<'_>) -> SimplexSolution {
        // 1. Data as logarithms, and the ends between which the total passes 1.
        let SimplexProblem { ratio, start, .. } = problem;
        self.load(problem.d, problem.gamma, problem.pull);
        let (mut low, mut high) = bracket(problem.gamma);
        let is_inside = start >= low && start <= high;
        let mut t = if is_inside { start } else { low };
        let mut known = f64::NAN;
        for n_steps in 1..=MOST_STEPS {
            // 2. The logarithm of the total, which is more nearly a line than the total is.
            let scale = SimplexScale { ratio, t, known };
            let (log_total, slope) = self.evaluate(scale);
            let step = -log_total / slope;
            // 3. Near the end the last step is taken in the entries themselves.
            if log_total.abs() < CLOSE || n_steps == MOST_STEPS {
                self.correct(step);
                return SimplexSolution {
                    start: t + step,
                    n_steps,
                };
            }
            // 4. A step that leaves the bracket is replaced by its middle.
            if log_total > 0.0 {
                low = t
            } else {
                high = t
            }
            known = t;
            t = if t + step >= low && t + step <= high {
                t + step
            } else {
                low + (high - low) / 2.0
            };
        }
        unreachable!("the last step returns")
    }

    /// The logarithm of the total of all entries, and its derivative by `t`.
    #[inline(always)]
    fn evaluate(&mut self, scale: SimplexScale) -> (f64, f64) {
        let smallest = self.set_arguments(scale);
        if smallest > omega::LARGE {
            self.set_large_omegas(scale)
        } else {
            self.set_omegas()
        }
        self.set_logs(scale);
        self.total()
    }

    /// Gives the smallest argument too.
    #[inline(always)]
    fn set_arguments(&mut self, scale: SimplexScale) -> f64 {
        let shift = scale.ratio + scale.t;
        let inputs = self.log_ratio.iter().zip(&self.gamma);
        for (argument, (log_ratio, gamma)) in self.argument.iter_mut().zip(inputs) {
            *argument = log_ratio + shift - gamma;
        }
        let mut smallest = [f64::INFINITY; LANES];
        for arguments in self.argument.as_chunks::<LANES>().0 {
            for lane in 0..LANES {
                let x = arguments[lane];
                smallest[lane] = lesser(x, smallest[lane]);
            }
        }
        smallest.into_iter().fold(f64::INFINITY, f64::min)
    }

    #[inline(always)]
    fn set_omegas(&mut self) {
        for (w, &x) in self.omega.iter_mut().zip(&self.argument) {
            *w = omega::omega(x);
        }
    }

    /// The same where all arguments are large; omegas of a place nearby are a
    /// better start than none.
    #[inline(always)]
    fn set_large_omegas(&mut self, scale: SimplexScale) {
        let moved = scale.t - scale.known;
        let pairs = self.omega.iter_mut().zip(&self.argument);
        // Plain loops: an iterator's `for_each` is a function of its own, which is not compiled
        // for AVX2.
        if moved.abs() < 1.0 {
            for (w, &x) in pairs {
                *w = omega::moved(x, *w, moved);
            }
        } else {
            for (w, &x) in pairs {
                *w = omega::large(x);
            }
        }
    }

    /// `ln theta` is `ln d - ln b - ln w`, which is `gamma - D / b - t + w`; the first
    /// form does not cancel if there is much more data than pull.
    #[inline(always)]
    fn set_logs(&mut self, scale: SimplexScale) {
        let shift = scale.ratio + scale.t;
        let n = self.gamma.len();
        let (gamma, log_ratio, argument) =
            (&self.gamma[..n], &self.log_ratio[..n], &self.argument[..n]);
        let (omega, logs) = (&self.omega[..n], &mut self.log_theta[..n]);
        for i in 0..n {
            logs[i] = gamma[i] - shift + omega[i];
        }
        if scale.ratio > MODERATE {
            for i in 0..n {
                let large = log_ratio[i] - ln(omega[i].max(f64::MIN_POSITIVE));
                logs[i] = if argument[i] > 0.0 { large } else { logs[i] };
            }
        }
        logs[self.n..].fill(f64::NEG_INFINITY);
    }

    #[inline(always)]
    fn total(&mut self) -> (f64, f64) {
        // 1. The largest, beside which no power is beyond all numbers.
        let mut largest = [f64::NEG_INFINITY; LANES];
        for logs in self.log_theta.as_chunks::<LANES>().0 {
            for lane in 0..LANES {
                let log = logs[lane];
                largest[lane] = greater(log, largest[lane]);
            }
        }
        let largest = largest.into_iter().fold(f64::NEG_INFINITY, f64::max);
        for (theta, &log) in self.theta.iter_mut().zip(&self.log_theta) {
            *theta = exp2_double((log - largest) * LOG2_E);
        }
        // 2. The total, and its derivative: `d theta / dt` is `-theta / (1 + omega)`. A sum for
        // each lane, in an order that vectors of any width keep.
        let (mut totals, mut slopes) = ([0.0; LANES], [0.0; LANES]);
        let omegas = self.omega.as_chunks::<LANES>().0.iter();
        for (theta, omegas) in self.theta.as_chunks::<LANES>().0.iter().zip(omegas) {
            for lane in 0..LANES {
                totals[lane] += theta[lane];
                slopes[lane] += theta[lane] / (1.0 + omegas[lane]);
            }
        }
        let total: f64 = totals.iter().sum();
        let slope: f64 = slopes.iter().sum();
        (largest + ln(total), -slope / total)
    }

    /// Takes the last step, and makes the entries add up to 1 to the last digits.
    #[inline(always)]
    fn correct(&mut self, step: f64) {
        for (theta, omega) in self.theta.iter_mut().zip(&self.omega) {
            let factor = 1.0 - step / (1.0 + omega);
            *theta *= if factor > 0.0 { factor } else { 0.0 };
        }
        let total: f64 = self.theta.iter().sum();
        for theta in &mut self.theta {
            *theta /= total;
        }
    }
}

/// What stands for the logarithm of nothing; a sum with it is still a number.
const NOTHING: f64 = -1e300;

with_wide_vectors! {
    /// Writes `-theta ln theta` for each of some probabilities, 0 for 0.
    pub fn entropy_terms(thetas: &[f64], terms: &mut [f64]) -> () {
        for (term, &theta) in terms.iter_mut().zip(thetas) {
            let is_some = theta > f64::MIN_POSITIVE;
            let positive = if is_some { theta } else { 1.0 };
            *term = -positive * ln(positive);
        }
    }
}

/// The lesser of two numbers as one instruction: the second if there is none.
#[inline(always)]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two numbers as one instruction: the second if there is none.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// Between these the total passes 1. Some room at both ends keeps a step that
/// rounding carries just past one of them from being taken for a wild one.
#[inline(always)]
fn bracket(gamma: &[f64]) -> (f64, f64) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for &gamma in gamma {
        low = lesser(gamma, low);
        high = greater(gamma, high);
    }
    let high = high + ln(gamma.len() as f64);
    let room = 1e-9 * (1.0 + low.abs() + high.abs());
    (low - room, high + room)
}

with_wide_vectors! {
    fn dispatch(solver: &mut SimplexSolver, problem: SimplexProblem<'_>) -> SimplexSolution {
        solver.find(problem)
    }
}
