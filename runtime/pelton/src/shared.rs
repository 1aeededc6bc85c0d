//! Circuits that some use while others change them.

use crate::Circuit;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, TryLockError};

/// A circuit that many threads use while one changes its parameters.
///
/// Whoever asks takes the circuit as it is [`now`](Shared::now) and is not reached by later
/// changes. Whoever changes it works on a copy, so that others see the old parameters or the
/// new ones, never a mixture.
///
/// ```
/// use pelton::{Circuit, Shared};
///
/// let shared = Shared::new(Circuit::compile("var a : bool; root a ~ bernoulli(?0.25);")?);
/// let before = shared.now();
/// let mut change = shared.change().expect("nobody else changes it");
/// assert!(shared.change().is_none());
/// change.circuit.set_parameter("root.a.p", &[0.5])?;
/// change.done();
/// assert_eq!(before.query("P(a)")?.value(), 0.25);
/// assert_eq!(shared.now().query("P(a)")?.value(), 0.5);
/// # Ok::<(), pelton::Error>(())
/// ```
#[derive(Debug)]
pub struct Shared {
    circuit: RwLock<Circuit>,
    /// Held by the one call that is about to change parameters.
    changing: Mutex<()>,
}

impl Shared {
    /// Shares a circuit.
    pub fn new(circuit: Circuit) -> Self {
        Shared {
            circuit: RwLock::new(circuit),
            changing: Mutex::new(()),
        }
    }

    /// The circuit as it is now; later changes do not reach it.
    pub fn now(&self) -> Circuit {
        let circuit = self.circuit.read();
        circuit.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The right to change parameters; none if somebody else has it. Waiting for it could
    /// be for ever, if it is a callback of that one that asks.
    pub fn change(&self) -> Option<Change<'_>> {
        let changing = match self.changing.try_lock() {
            Ok(changing) => changing,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(Change {
            circuit: self.now(),
            shared: self,
            _changing: changing,
        })
    }
}

/// A circuit that is being changed, aside from the one that others use.
#[derive(Debug)]
#[must_use = "a change is lost unless it is done"]
pub struct Change<'a> {
    /// The circuit to change.
    pub circuit: Circuit,
    shared: &'a Shared,
    _changing: MutexGuard<'a, ()>,
}

impl Change<'_> {
    /// Makes the changed circuit the one that everybody uses.
    pub fn done(self) {
        let circuit = self.shared.circuit.write();
        *circuit.unwrap_or_else(PoisonError::into_inner) = self.circuit.clone();
    }
}
