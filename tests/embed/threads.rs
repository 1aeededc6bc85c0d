//! A circuit is shared among threads.

use super::RAIN;
use pelton::{Batch, Circuit, Error, FitOptions};
use std::ops::ControlFlow;
use std::sync::Arc;

#[test]
fn circuits_and_errors_are_sent_and_shared() {
    fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<Circuit>();
    is_shared::<Error>();
    is_shared::<pelton::Fitted>();
}

#[test]
fn many_threads_ask_while_a_clone_is_trained() {
    let text = RAIN.replace("0.3:", "?0.3:").replace("0.7:", "?0.7:");
    let circuit = Arc::new(Circuit::compile(&text).unwrap());
    let rows = [1.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let expected = circuit.log_likelihood(&Batch::new(&rows, 3, 2)).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let (circuit, expected) = (circuit.clone(), &expected);
            scope.spawn(move || {
                for _ in 0..200 {
                    let batch = Batch::new(&rows, 3, 2);
                    assert_eq!(&circuit.log_likelihood(&batch).unwrap(), expected);
                    let _ = circuit.map(&batch, "").unwrap();
                }
            });
        }
        let (mut own, expected) = (Circuit::clone(&circuit), &expected);
        scope.spawn(move || {
            let batch = Batch::new(&rows, 3, 2);
            let go_on = |_: &pelton::Progress<'_>| ControlFlow::Continue(());
            own.fit(&batch, &FitOptions::default(), go_on).unwrap();
            assert_ne!(own.log_likelihood(&batch).unwrap(), *expected);
        });
    });
}
