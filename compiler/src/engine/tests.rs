//! The table of engines.

use super::{ENGINES, Engine, EngineError, EngineOptions};

#[test]
fn names_are_found_again_and_differ() {
    assert_eq!(Engine::ALL.len(), ENGINES.len() + 1);
    for (at, &engine) in Engine::ALL.iter().enumerate() {
        assert_eq!(engine as usize, at);
        assert_eq!(Engine::named(engine.name()), Some(engine));
        assert!(!engine.about().is_empty() && !engine.about().ends_with('.'));
    }
    assert_eq!(Engine::named("steam"), None);
}

#[test]
fn something_runs_everywhere() {
    for baseline in [false, true] {
        let options = EngineOptions {
            baseline,
            ..EngineOptions::default()
        };
        let auto = Engine::Auto.select(&options).expect("always there");
        assert!(auto.available(&options).is_ok() && !auto.is_reference());
    }
}

#[test]
fn an_engine_that_does_not_run_says_what_it_needs_and_what_does() {
    let options = EngineOptions {
        baseline: true,
        ..EngineOptions::default()
    };
    let error = Engine::Wide.available(&options).expect_err("not allowed");
    assert!(matches!(error, EngineError::Unavailable { .. }));
    let text = error.to_string();
    for part in ["`wide`", "AVX2", "`auto`", "`reference`"] {
        assert!(text.contains(part), "{text}");
    }
}
