//! The solver against known values, its own equation, and hard problems.

use super::omega::omega;
use super::*;

#[test]
fn omega_has_the_values_of_fifty_digits() {
    let known = [
        (-700.0, 9.859_676_543_759_77e-305),
        (-50.0, 1.9287498479639178e-22),
        (-5.0, 0.006_693_000_497_730_995),
        (-1.0, 0.27846454276107374),
        (0.0, 0.567_143_290_409_783_8),
        (1.0, 1.0),
        (5.0, 3.6934413589606496),
        (50.0, 46.167_719_165_492_09),
        (1000.0, 993.099_169_472_389_1),
        (1e8, 99_999_981.579_319_45),
    ];
    for (x, wanted) in known {
        let error = (omega(x) / wanted - 1.0).abs();
        assert!(error < 2e-13, "omega({x}) = {} not {wanted}", omega(x));
    }
}

#[test]
fn omega_solves_its_equation_everywhere() {
    for at in -20_000..20_000 {
        let x = f64::from(at) / 300.0;
        let w = omega(x);
        let error = (w + w.ln() - x).abs() / x.abs().max(1.0);
        assert!(error < 1e-14, "omega({x}) = {w}: {error}");
    }
}

#[test]
fn logarithms_are_those_of_the_library() {
    for at in 1..100_000 {
        let x = (f64::from(at) * 0.014 - 700.0).exp();
        let error = (ln(x) - x.ln()).abs();
        assert!(
            error <= 4.0 * f64::EPSILON * x.ln().abs().max(0.5),
            "ln({x:e})"
        );
    }
}

/// The scaled distance from the condition of the maximum.
fn residual(d: &[f64], gamma: &[f64], b: f64, theta: &[f64]) -> f64 {
    let mean_gamma: f64 = theta.iter().zip(gamma).map(|(t, g)| t * g).sum();
    let entropy: f64 = theta
        .iter()
        .map(|&t| if t > 0.0 { -t * t.ln() } else { 0.0 })
        .sum();
    let y = d.iter().sum::<f64>() + b * (entropy + mean_gamma);
    let one = |at: usize| {
        let (theta, b_log) = (theta[at], b * theta[at].ln());
        let left = d[at] / theta - b_log + b * gamma[at];
        let scale = (d[at] / theta).abs() + b_log.abs() + (b * gamma[at]).abs() + y.abs();
        (left - y).abs() / scale
    };
    let positive = (0..d.len()).filter(|&at| theta[at] > 1e-290);
    positive.map(one).fold(0.0, f64::max)
}

#[test]
fn the_golden_step_is_reproduced() {
    let (d, gamma) = ([0.3, 0.05, 0.0, 0.15], [1.0, 3.0, 2.0, 0.2]);
    let mut theta = [0.25; 4];
    SimplexSolver::default().solve(&d, &gamma, 0.4, f64::NAN, &mut theta);
    let wanted = [
        0.341990952729823,
        0.388853196896437,
        0.103725066969080,
        0.165430783404660,
    ];
    for (theta, wanted) in theta.iter().zip(wanted) {
        assert!((theta - wanted).abs() < 1e-12, "{theta} {wanted}");
    }
}

#[test]
fn limits_are_shares_and_softmax() {
    let (d, gamma) = ([0.3, 0.05, 0.1, 0.15], [1.0, 3.0, 2.0, 0.2]);
    let mut theta = [0.25; 4];
    let mut solver = SimplexSolver::default();
    for b in [0.0, 1e-300, 1e-14] {
        solver.solve(&d, &gamma, b, f64::NAN, &mut theta);
        for (theta, d) in theta.iter().zip(d) {
            assert!((theta - d / 0.6).abs() < 1e-12);
        }
    }
    solver.solve(&[0.0; 4], &gamma, 0.4, f64::NAN, &mut theta);
    let total: f64 = gamma.iter().map(|g: &f64| g.exp()).sum();
    for (theta, gamma) in theta.iter().zip(gamma) {
        assert!((theta - gamma.exp() / total).abs() < 1e-14);
    }
    let before = theta;
    solver.solve(&[0.0; 4], &gamma, 0.0, f64::NAN, &mut theta);
    assert_eq!(theta, before);
}

#[test]
fn hard_problems_are_solved_in_ten_steps() {
    let mut state = 1_u64;
    let mut next = move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut solver = SimplexSolver::default();
    let (mut most_steps, mut worst) = (0, 0.0_f64);
    for _ in 0..20_000 {
        let n = 2 + (next() * 30.0) as usize;
        let mut d: Vec<f64> = (0..n).map(|_| 10.0_f64.powf(-24.0 * next())).collect();
        d.iter_mut().filter(|_| next() < 0.2).for_each(|d| *d = 0.0);
        let reach = 10.0_f64.powf(3.0 * next());
        let gamma: Vec<f64> = (0..n).map(|_| reach * next()).collect();
        let b = 10.0_f64.powf(10.0 - 20.0 * next());
        let mut theta = vec![1.0 / n as f64; n];
        let solution = solver.solve(&d, &gamma, b, f64::NAN, &mut theta);
        let total: f64 = theta.iter().sum();
        assert!((total - 1.0).abs() < 1e-14 && theta.iter().all(|t| t.is_finite()));
        worst = worst.max(residual(&d, &gamma, b, &theta));
        most_steps = most_steps.max(solution.n_steps);
        let again = solver.solve(&d, &gamma, b, solution.start, &mut theta);
        assert!(again.n_steps <= 2, "a solved problem is solved at once");
    }
    println!("at most {most_steps} steps, scaled residual at most {worst:.1e}");
    assert!(
        most_steps <= 10 && worst < 1e-10,
        "{most_steps} steps, {worst:e}"
    );
}

#[test]
fn many_problems_have_the_solutions_of_one() {
    let mut state = 7_u64;
    let mut next = move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let (mut many, mut one) = (ManySolver::default(), SimplexSolver::default());
    let mut n_solved = 0;
    for _ in 0..5_000 {
        let n = 1 + (next() * 20.0) as usize;
        let reach = 10.0_f64.powf(3.0 * next());
        let mut numbers = |scale: f64| -> Vec<f64> { (0..n).map(|_| scale * next()).collect() };
        let gammas: [Vec<f64>; MANY] = std::array::from_fn(|_| numbers(reach));
        let mut ds: [Vec<f64>; MANY] = std::array::from_fn(|_| numbers(1.0));
        for d in ds.iter_mut().flatten() {
            *d = if next() < 0.2 { 0.0 } else { d.powi(12) };
        }
        let pulls: [f64; MANY] = std::array::from_fn(|_| 10.0_f64.powf(3.0 - 12.0 * next()));
        let totals: [f64; MANY] = std::array::from_fn(|lane| ds[lane].iter().sum());
        if !(0..MANY).all(|lane| ManySolver::takes(totals[lane], pulls[lane])) {
            continue;
        }
        many.resize(n);
        for lane in 0..MANY {
            for at in 0..n {
                many.set(lane, at, ds[lane][at], gammas[lane][at]);
            }
        }
        let solutions = many.solve(pulls, [f64::NAN; MANY]);
        for lane in 0..MANY {
            let mut theta = vec![0.5; n];
            one.solve(&ds[lane], &gammas[lane], pulls[lane], f64::NAN, &mut theta);
            for (at, theta) in theta.iter().enumerate() {
                let found = many.theta(lane, at);
                assert!((found - theta).abs() <= 1e-12, "{found} {theta}");
            }
            assert!(solutions[lane].n_steps <= 11);
            n_solved += 1;
        }
    }
    assert!(n_solved > 10_000, "{n_solved}");
}

/// Numbers down to the smallest, and nothing.
fn any_size(next: &mut impl FnMut() -> f64) -> f64 {
    match next() {
        p if p < 0.2 => 0.0,
        p if p < 0.4 => f64::from_bits((next() * 1e6) as u64),
        _ => 10.0_f64.powf(-323.0 * next()),
    }
}

#[test]
fn units_that_are_hardly_ever_reached_are_solved() {
    let mut state = 11_u64;
    let mut next = move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let (mut many, mut one) = (ManySolver::default(), SimplexSolver::default());
    let mut start = f64::NAN;
    for _ in 0..20_000 {
        let n = 1 + (next() * 9.0) as usize;
        let d: Vec<f64> = (0..n).map(|_| any_size(&mut next)).collect();
        let pull = any_size(&mut next);
        let gamma: Vec<f64> = (0..n).map(|_| 800.0 * next()).collect();
        let mut theta = vec![1.0 / n as f64; n];
        start = one.solve(&d, &gamma, pull, start, &mut theta).start;
        let total: f64 = theta.iter().sum();
        let is_sound =
            (total - 1.0).abs() < 1e-12 && theta.iter().all(|t| (0.0..=1.0 + 1e-15).contains(t));
        assert!(is_sound, "{theta:?} of {d:?} with {pull:e}");
        if d.iter().all(|d| *d == 0.0) || pull == 0.0 {
            continue;
        }
        let mass: f64 = d.iter().sum();
        // What is far from one of the two limits is compared with a scaled problem.
        let up = 2.0_f64.powi(500);
        let scaled: Vec<f64> = d.iter().map(|d| d * up).collect();
        let mut twin = vec![1.0 / n as f64; n];
        one.solve(&scaled, &gamma, pull * up, f64::NAN, &mut twin);
        for (theta, twin) in theta.iter().zip(&twin) {
            assert!((theta - twin).abs() < 1e-9, "{theta} {twin}");
        }
        if ManySolver::takes(mass, pull) {
            many.resize(n);
            for lane in 0..MANY {
                (0..n).for_each(|at| many.set(lane, at, d[at], gamma[at]));
            }
            many.solve([pull; MANY], [start; MANY]);
            for (at, theta) in theta.iter().enumerate() {
                let found = many.theta(MANY - 1, at);
                assert!((found - theta).abs() < 1e-9, "{found} {theta}");
            }
        }
    }
}
