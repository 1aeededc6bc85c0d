//! Random partitions of one variable's domain.

use crate::dice::Dice;
use pelton_compiler::circuit::{Cut, Domain, ValueSet};

/// The places at which real axes are cut: few, so that cuts meet.
const PLACES: [f64; 4] = [-1.0, 0.0, 2.5, 10.0];

/// Splits a domain into two to four disjoint sets that cover it.
pub(super) fn partition(dice: &mut Dice, domain: &Domain) -> Vec<ValueSet> {
    match domain {
        Domain::Real => between(&real_cuts(dice), false),
        Domain::Nat => {
            let first = 1.0 + dice.below(3) as f64;
            let mut cuts = vec![0.0, first];
            if dice.chance(40) {
                cuts.push(first + 2.0);
            }
            cuts.push(f64::INFINITY);
            let cuts: Vec<Cut> = cuts.into_iter().map(Cut::before).collect();
            between(&cuts, true)
        }
        _ => deal(dice, domain),
    }
}

fn real_cuts(dice: &mut Dice) -> Vec<Cut> {
    let mut cuts = vec![Cut::after(f64::NEG_INFINITY)];
    for place in PLACES {
        if dice.chance(35) {
            cuts.push(if dice.chance(70) {
                Cut::before(place)
            } else {
                Cut::after(place)
            });
        }
    }
    if cuts.len() == 1 {
        cuts.push(Cut::before(0.0));
    }
    cuts.push(Cut::before(f64::INFINITY));
    cuts
}

fn between(cuts: &[Cut], discrete: bool) -> Vec<ValueSet> {
    cuts.windows(2)
        .map(|ends| ValueSet::between(ends[0], ends[1], discrete))
        .collect()
}

/// Deals the values of a finite domain out to two or three sets.
fn deal(dice: &mut Dice, domain: &Domain) -> Vec<ValueSet> {
    let size = domain.size().expect("finite domains are dealt") as i64;
    let mut sets = vec![ValueSet::empty(); 2 + dice.below(2)];
    let n_sets = sets.len();
    for at in 0..size {
        let value = domain.first() as i64 + at;
        // The first two values keep two sets from being empty.
        let set = match at {
            0 | 1 => at as usize,
            _ => dice.below(n_sets),
        };
        sets[set] = sets[set].union(&ValueSet::integers(value, value + 1));
    }
    sets.retain(|set| !set.is_empty());
    sets
}

/// Makes the second set reach into the first: by one value, or on the real
/// axis by the single point at which they touch.
pub(super) fn overlap(sets: &mut [ValueSet], domain: &Domain) {
    let discrete = domain.is_discrete();
    let run = sets[0].runs()[0];
    let shared = match discrete {
        true => ValueSet::point(run.0.value(), true),
        // The number just inside the upper end, or the end itself.
        false if run.1.is_after() => ValueSet::point(run.1.value(), false),
        false => ValueSet::point(run.1.value().next_down(), false),
    };
    sets[1] = sets[1].union(&shared);
}
