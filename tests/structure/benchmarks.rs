//! Whole runs on two of the benchmarks that the field compares itself on.

use pelton_runtime::ModelOptions;
use pelton_runtime::data::{DataSource, ReadOptions, Schema, SchemaLimits, Table, schema};
use pelton_runtime::learn::{
    LearnOptions, LearningObserver, LearningResult, LearningRows, Score, Start, score,
};
use pelton_runtime::structure::{
    ChowLiu, FixedChoices, HiddenChowLiu, HiddenTreeSearch, SearchObserver, SearchOptions,
    StructureTask, TreeOptions, WeightedSample,
};
use pelton_tests::benchmark::Benchmark;
use std::time::Duration;

/// A data set with what its columns hold.
struct SurveyedBenchmark {
    schema: Schema,
    /// The rows to learn from, those that decide, and the others.
    tables: [Table; 3],
}

impl SurveyedBenchmark {
    fn unpack(name: &'static str) -> Option<Self> {
        let files = Benchmark::unpack(name)?;
        let sources = ["train", "valid"].map(|split| DataSource::open(&files.path(split)).unwrap());
        let options = ReadOptions::default();
        let found = schema(sources.into(), &options, &SchemaLimits::default()).unwrap();
        let circuit = found.schema.circuit();
        let tables = ["train", "valid", "test"].map(|split| files.table(&circuit, split));
        Some(SurveyedBenchmark {
            schema: found.schema,
            tables,
        })
    }

    fn with_study<T>(&self, run: impl FnOnce(&StructureTask) -> T) -> T {
        let [train, valid] = [0, 1].map(|at| WeightedSample {
            table: &self.tables[at],
            weights: None,
        });
        run(&StructureTask {
            schema: &self.schema,
            train,
            valid: Some(valid),
            model: &ModelOptions::default(),
        })
    }

    /// The rows that nothing else has looked at.
    fn test(&self, study: &StructureTask, source: &str, learned: &LearningResult) -> Score {
        let model = study.compile(source).unwrap();
        let rows = LearningRows::of(&self.tables[2]);
        let score = score(&model, &learned.values, &rows, 0).unwrap();
        println!("test log-likelihood {}", score.mean);
        assert_eq!(score.n_zero, 0);
        score
    }

    /// Four hidden trees of twelve states.
    fn hidden(&self, learning: &LearnOptions) -> Score {
        self.with_study(|study| {
            let structure = HiddenChowLiu::default().structure(study).unwrap();
            let model = study.compile(&structure.source).unwrap();
            let learned = study.learn(&model, learning, &mut ()).unwrap();
            self.test(study, &structure.source, &learned)
        })
    }

    /// A Chow-Liu tree.
    fn plain(&self) -> Score {
        self.with_study(|study| {
            let structure = ChowLiu::default().structure(study).unwrap();
            let model = study.compile(&structure.source).unwrap();
            let learned = study.learn(&model, &LearnOptions::default(), &mut ());
            self.test(study, &structure.source, &learned.unwrap())
        })
    }
}

fn learning(start: Start, n_epochs: usize) -> LearnOptions {
    LearnOptions {
        fullbatch_epochs: n_epochs,
        start,
        ..LearnOptions::default()
    }
}

struct Nobody;

impl LearningObserver for Nobody {}
impl SearchObserver for Nobody {}

/// A few trials, of which nothing is sure but that all together are no worse.
fn assert_search_helps(benchmark: &SurveyedBenchmark) {
    benchmark.with_study(|study| {
        let search = HiddenTreeSearch {
            options: SearchOptions::new(Duration::from_secs(4), 0),
            trees: TreeOptions::default(),
            fixed: FixedChoices::default(),
        };
        let found = search.run(study, &mut Nobody).unwrap();
        let whole = found.assembled.learned.report.valid.unwrap().mean;
        for trial in &found.report.trials {
            let own = trial.valid.mean;
            assert!(whole >= own - 1e-3, "{whole} and {own}");
        }
        benchmark.test(study, &found.assembled.source, &found.assembled.learned);
    });
}

/// A closed form has one value.
fn assert_is(score: Score, value: f64) {
    assert!((score.mean - value).abs() < 1e-4, "{}", score.mean);
}

fn assert_above(score: Score, bound: f64) {
    assert!(score.mean > bound, "{}", score.mean);
}

/// The paper has -5.99 for hidden trees; printed values of Chow-Liu trees are -6.76.
#[test]
fn nltcs_is_learned() {
    let Some(benchmark) = SurveyedBenchmark::unpack("nltcs") else {
        return;
    };
    assert_is(benchmark.plain(), -6.759_073);
    assert_above(benchmark.hidden(&learning(Start::KMeans, 30)), -6.03);
    assert_above(benchmark.hidden(&learning(Start::Random, 30)), -6.06);
    assert_search_helps(&benchmark);
}

/// The paper has -79.05 for hidden trees; printed values of Chow-Liu trees are -87.70.
/// Clusters are no good start here: what matters lies in a few neighbouring columns.
#[test]
fn dna_is_learned() {
    let Some(benchmark) = SurveyedBenchmark::unpack("dna") else {
        return;
    };
    assert_is(benchmark.plain(), -87.665_075);
    assert_above(benchmark.hidden(&learning(Start::KMeans, 30)), -80.7);
    assert_above(benchmark.hidden(&learning(Start::Random, 30)), -79.6);
    assert_search_helps(&benchmark);
}
