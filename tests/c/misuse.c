// Everything that a C program can get wrong is an error code, and no crash.

#include "pelton.h"
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n_faults = 0;

static void expect_at(int line, const char *what, pelton_status found, pelton_status wanted) {
    if (found == wanted && (found == PELTON_STATUS_OK) == (*pelton_last_error() == 0))
        return;
    printf("line %d: %s gave %d instead of %d: %s\n", line, what, found, wanted, pelton_last_error());
    n_faults++;
}
#define EXPECT(wanted, call) expect_at(__LINE__, #call, call, PELTON_STATUS_##wanted)
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: not %s\n", __LINE__, #condition);                                     \
            n_faults++;                                                                            \
        }                                                                                          \
    } while (0)

static const char *TEXT = "var rain, wet : bool;\n"
                          "root ?0.3: rain * wet ~ bernoulli(0.9) + ?0.7: !rain * wet ~ bernoulli(0.2);\n";

static void handles(pelton_circuit *circuit) {
    double x;
    size_t n;
    pelton_circuit *other;
    EXPECT(OK, pelton_free(NULL));
    EXPECT(HANDLE, pelton_entropy(NULL, &x));
    EXPECT(HANDLE, pelton_entropy((pelton_circuit *)(uintptr_t)0xdeadbeef0, &x));
    EXPECT(HANDLE, pelton_entropy((pelton_circuit *)&x, &x));
    EXPECT(OK, pelton_clone(circuit, &other));
    EXPECT(OK, pelton_entropy(other, &x));
    EXPECT(OK, pelton_free(other));
    EXPECT(HANDLE, pelton_entropy(other, &x));
    EXPECT(HANDLE, pelton_n_variables(other, &n));
    EXPECT(HANDLE, pelton_free(other));
    EXPECT(HANDLE, pelton_fit(other, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
}

static void texts(pelton_circuit *circuit) {
    pelton_circuit *other = circuit;
    pelton_options options = {.engine = 9};
    EXPECT(USAGE, pelton_compile(NULL, NULL, &other));
    CHECK(other == NULL);
    EXPECT(USAGE, pelton_compile(TEXT, NULL, NULL));
    EXPECT(USAGE, pelton_compile("\xff\xfe", NULL, &other));
    EXPECT(USAGE, pelton_compile(TEXT, &options, &other));
    EXPECT(USAGE, pelton_load("/nowhere/at/all", NULL, &other));
    EXPECT(USAGE, pelton_load_bytes(NULL, 5, NULL, &other));
    EXPECT(CIRCUIT, pelton_load_bytes(NULL, 0, NULL, &other));

    EXPECT(CIRCUIT, pelton_compile("var a, b : bool;\nroot 0.5: a + 0.5: b;\n", NULL, &other));
    CHECK(pelton_last_diagnostics() > 0);
    pelton_diagnostic told;
    CHECK(pelton_last_diagnostic(0, &told) == PELTON_STATUS_OK);
    CHECK(strcmp(told.code, "PC0101") == 0 && told.line == 2 && told.column >= 1);
    CHECK(strcmp(told.severity, "error") == 0 && strlen(told.rendered) > 20);
    CHECK(pelton_last_diagnostic(99, &told) == PELTON_STATUS_USAGE);
    CHECK(pelton_last_diagnostic(0, NULL) == PELTON_STATUS_USAGE);

    char name[5];
    size_t length = 0;
    EXPECT(OK, pelton_variable_name(circuit, 0, name, sizeof name, &length));
    CHECK(length == 4 && strcmp(name, "rain") == 0);
    EXPECT(OK, pelton_variable_name(circuit, 0, NULL, 0, &length));
    EXPECT(USAGE, pelton_variable_name(circuit, 0, name, 4, &length));
    EXPECT(USAGE, pelton_variable_name(circuit, 0, NULL, 4, &length));
    EXPECT(USAGE, pelton_variable_name(circuit, 2, name, sizeof name, NULL));
    EXPECT(OK, pelton_source(circuit, NULL, 0, &length));
    char *source = malloc(length + 1);
    EXPECT(OK, pelton_source(circuit, source, length + 1, NULL));
    EXPECT(OK, pelton_compile(source, NULL, &other));
    EXPECT(OK, pelton_free(other));
    free(source);
    EXPECT(USAGE, pelton_save(circuit, NULL));
    EXPECT(USAGE, pelton_save(circuit, "/nowhere/at/all.pelton"));
    EXPECT(USAGE, pelton_save(circuit, "circuit.psdd"));
    int holds = -1;
    EXPECT(OK, pelton_property(circuit, "deterministic", &holds));
    CHECK(holds == 1);
    EXPECT(USAGE, pelton_property(circuit, "pretty", &holds));
}

// Texts from memory reach what they are handed, and nothing else.
static void uses(void) {
    const char *main = "use \"lib/coin.pcirc\" as coin; var x : bool; root coin.fair(x);";
    pelton_circuit *other;
    EXPECT(CIRCUIT, pelton_compile("use \"/etc/passwd\" as s; var x : bool; root s.f(x);", NULL, &other));
    pelton_diagnostic told;
    CHECK(pelton_last_diagnostic(0, &told) == PELTON_STATUS_OK && strcmp(told.code, "PC0006") == 0);
    CHECK(strstr(told.rendered, "root:") == NULL && strstr(told.rendered, "files") != NULL);
    EXPECT(CIRCUIT, pelton_load_bytes((const uint8_t *)main, strlen(main), NULL, &other));
    pelton_file file = {.name = "lib/coin.pcirc", .text = "def fair(v) = v ~ bernoulli(0.5);"};
    pelton_options options = {.files = &file, .n_files = 1};
    EXPECT(OK, pelton_compile(main, &options, &other));
    EXPECT(OK, pelton_free(other));
    EXPECT(OK, pelton_load_bytes((const uint8_t *)main, strlen(main), &options, &other));
    EXPECT(OK, pelton_free(other));
    EXPECT(USAGE, pelton_load("nothing.pcirc", &options, &other));
    file.text = NULL;
    EXPECT(USAGE, pelton_compile(main, &options, &other));
    options.files = NULL;
    EXPECT(USAGE, pelton_compile(main, &options, &other));
    const char *folder = "lib", *none = NULL;
    pelton_options allowing = {.allow_use = &folder, .n_allow_use = 1};
    EXPECT(USAGE, pelton_compile(main, &allowing, &other));
    EXPECT(USAGE, pelton_load("/nowhere/at/all", &allowing, &other));
    allowing.allow_use = &none;
    EXPECT(USAGE, pelton_load("/nowhere/at/all", &allowing, &other));
}

// Options that would help are called as they are in C.
static void remedies(void) {
    pelton_circuit *fixed;
    EXPECT(OK, pelton_compile("var x : bool; root x ~ bernoulli(0.5);", NULL, &fixed));
    double cells[2] = {1, 0};
    pelton_batch rows = {.cells = cells, .n_rows = 2, .n_columns = 1};
    EXPECT(CIRCUIT, pelton_fit(fixed, &rows, NULL, NULL, NULL, NULL, NULL, NULL));
    CHECK(strstr(pelton_last_error(), "set `learn_all` of `pelton_options` to 1") != NULL);
    CHECK(strstr(pelton_last_error(), "--") == NULL);
    EXPECT(OK, pelton_free(fixed));
}

// Each stride that is 0 has its usual meaning, whatever the other is.
static void strides(pelton_circuit *circuit) {
    // The rows (1, 1) and (0, 1), of probability 0.27 and 0.14, laid out in several ways.
    double packed[4] = {1, 1, 0, 1}, gaps[6] = {1, 1, 9, 0, 1, 9}, sparse[8] = {1, 9, 1, 9, 0, 9, 1, 9};
    double by_column[4] = {1, 0, 1, 1}, sliding[3] = {1, 1, 0};
    struct { double *cells; size_t row, column; } all[] = {
        {packed, 0, 0}, {packed, 2, 0}, {packed, 0, 1}, {packed, 2, 1},  {gaps, 3, 0},
        {gaps, 3, 1},   {sparse, 0, 2}, {sparse, 4, 2}, {by_column, 1, 2},
    };
    double logs[2];
    for (size_t at = 0; at < sizeof all / sizeof *all; at++) {
        pelton_batch own = {.cells = all[at].cells, .n_rows = 2, .n_columns = 2};
        own.row_stride = all[at].row, own.column_stride = all[at].column;
        EXPECT(OK, pelton_log_likelihood(circuit, &own, logs, 2));
        CHECK(fabs(exp(logs[0]) - 0.27) < 1e-6 && fabs(exp(logs[1]) - 0.14) < 1e-6);
    }
    // Rows that overlap are windows: (1, 1) and (1, 0).
    pelton_batch own = {.cells = sliding, .n_rows = 2, .n_columns = 2, .row_stride = 1};
    EXPECT(OK, pelton_log_likelihood(circuit, &own, logs, 2));
    CHECK(fabs(exp(logs[0]) - 0.27) < 1e-6 && fabs(exp(logs[1]) - 0.03) < 1e-6);
    // Strides beyond all memory, alone and by what they mean for the other.
    size_t large[] = {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 8};
    for (size_t at = 0; at < 3; at++) {
        own.row_stride = large[at], own.column_stride = 0;
        EXPECT(USAGE, pelton_log_likelihood(circuit, &own, logs, 2));
        own.row_stride = 0, own.column_stride = large[at];
        EXPECT(USAGE, pelton_log_likelihood(circuit, &own, logs, 2));
    }
}

static void batches(pelton_circuit *circuit) {
    double cells[4] = {1, 1, 0, 7}, logs[2];
    uint8_t mask[4] = {0, 0, 0, 1};
    const char *names[2] = {"rain", "wet"}, *wrong[2] = {"rain", "snow"}, *null[2] = {"rain", NULL};
    pelton_batch good = {.cells = cells, .n_rows = 2, .n_columns = 2, .mask = mask};
    pelton_batch bad = good;
    EXPECT(OK, pelton_log_likelihood(circuit, &good, logs, 2));
    CHECK(fabs(exp(logs[0]) - 0.27) < 1e-6 && fabs(exp(logs[1]) - 0.7) < 1e-6);
    EXPECT(USAGE, pelton_log_likelihood(circuit, NULL, logs, 2));
    EXPECT(USAGE, pelton_log_likelihood(circuit, &good, NULL, 2));
    EXPECT(USAGE, pelton_log_likelihood(circuit, &good, logs, 1));
    EXPECT(USAGE, pelton_log_likelihood(circuit, &good, (double *)((char *)logs + 1), 2));
    bad.mask = NULL;
    EXPECT(DATA, pelton_log_likelihood(circuit, &bad, logs, 2));
    size_t row = 9, column = 9;
    CHECK(pelton_last_cell(&row, &column) == PELTON_STATUS_OK && row == 1 && column == 1);
    CHECK(pelton_last_cell(NULL, &column) == PELTON_STATUS_USAGE);
    bad = good, bad.cell_type = 7;
    EXPECT(USAGE, pelton_log_likelihood(circuit, &bad, logs, 2));
    bad = good, bad.cells = NULL;
    EXPECT(USAGE, pelton_log_likelihood(circuit, &bad, logs, 2));
    bad = good, bad.cells = (char *)cells + 1;
    EXPECT(USAGE, pelton_log_likelihood(circuit, &bad, logs, 2));
    bad = good, bad.n_rows = SIZE_MAX;
    EXPECT(USAGE, pelton_log_likelihood(circuit, &bad, logs, 2));
    bad = good, bad.n_rows = SIZE_MAX / 8, bad.n_columns = 1;
    EXPECT(USAGE, pelton_log_likelihood(circuit, &bad, logs, bad.n_rows));
    bad = good, bad.row_stride = SIZE_MAX, bad.column_stride = SIZE_MAX;
    EXPECT(USAGE, pelton_log_likelihood(circuit, &bad, logs, 2));
    bad = good, bad.n_columns = 1;
    EXPECT(USAGE, pelton_log_likelihood(circuit, &bad, logs, 2));
    bad = good, bad.names = names;
    EXPECT(OK, pelton_log_likelihood(circuit, &bad, logs, 2));
    bad.names = wrong;
    EXPECT(USAGE, pelton_log_likelihood(circuit, &bad, logs, 2));
    bad.names = null;
    EXPECT(USAGE, pelton_log_likelihood(circuit, &bad, logs, 2));
    bad = good, bad.n_rows = 0, bad.cells = NULL, bad.mask = NULL;
    EXPECT(OK, pelton_log_likelihood(circuit, &bad, NULL, 0));
    EXPECT(USAGE, pelton_log_conditional(circuit, &good, &bad, logs, 2));
}

static void questions(pelton_circuit *circuit) {
    double cells[2] = {NAN, 1}, log, numbers[4], values[4];
    pelton_batch evidence = {.cells = cells, .n_rows = 1, .n_columns = 2};
    EXPECT(USAGE, pelton_query(circuit, NULL, &log, NULL));
    EXPECT(USAGE, pelton_query(circuit, "P(rain", &log, NULL));
    CHECK(pelton_last_diagnostics() > 0);
    EXPECT(USAGE, pelton_query(circuit, "P(rain)", NULL, NULL));
    EXPECT(DATA, pelton_query(circuit, "P(rain | wet && !wet)", &log, NULL));
    EXPECT(OK, pelton_posteriors(circuit, &evidence, NULL, numbers, 4, NULL));
    CHECK(fabs(numbers[1] - 0.27 / 0.41) < 1e-6);
    EXPECT(USAGE, pelton_posteriors(circuit, &evidence, NULL, numbers, 3, NULL));
    EXPECT(USAGE, pelton_map(circuit, &evidence, "wet +", values, 2, NULL, NULL));
    EXPECT(USAGE, pelton_map(circuit, &evidence, NULL, values, 1, NULL, NULL));
    EXPECT(USAGE, pelton_sample(circuit, SIZE_MAX, 0, NULL, values, 4));
    EXPECT(OK, pelton_sample(circuit, 2, 0, "wet", values, 4));
    EXPECT(USAGE, pelton_sample_rows(circuit, &evidence, 3, 0, NULL, values, 4));
    EXPECT(USAGE, pelton_moments(circuit, NULL, values, NULL, 2));
    EXPECT(USAGE, pelton_entropy(circuit, NULL));
    char answer[256];
    size_t length;
    EXPECT(HANDLE, pelton_ask(NULL, NULL, "entropy", NULL, answer, 256, NULL));
    EXPECT(USAGE, pelton_ask(circuit, NULL, NULL, NULL, answer, 256, NULL));
    EXPECT(USAGE, pelton_ask(circuit, NULL, "entrop", NULL, answer, 256, NULL));
    EXPECT(USAGE, pelton_ask(circuit, NULL, "entropy", "{", answer, 256, NULL));
    EXPECT(USAGE, pelton_ask(circuit, NULL, "entropy", NULL, answer, 3, NULL));
    EXPECT(USAGE, pelton_ask(circuit, NULL, "kl", NULL, answer, 256, NULL));
    EXPECT(OK, pelton_ask(circuit, circuit, "kl", "{\"base\": 2}", answer, 256, &length));
    CHECK(length == strlen(answer) && strstr(answer, "\"kl\":0.0") != NULL);
    double weights[2] = {0.5, 0.6};
    EXPECT(USAGE, pelton_set_parameter(circuit, "root.weights", weights, 2));
    EXPECT(USAGE, pelton_set_parameter(circuit, "root.weights", NULL, 2));
    EXPECT(USAGE, pelton_set_parameter(circuit, "nothing", weights, 2));
    EXPECT(USAGE, pelton_get_parameter(circuit, "root.weights", weights, 1));
    EXPECT(OK, pelton_get_parameter(circuit, "root.weights", weights, 2));
    CHECK(weights[0] == 0.3 && weights[1] == 0.7);
}

// Evaluates within training, which may be, and changes parameters, which may not.
static int meddle(const pelton_progress *progress, void *user) {
    pelton_circuit *circuit = user;
    double cells[2] = {1, 1}, log, weights[2] = {0.5, 0.5};
    pelton_batch rows = {.cells = cells, .n_rows = 1, .n_columns = 2};
    EXPECT(OK, pelton_log_likelihood(circuit, &rows, &log, 1));
    EXPECT(BUSY, pelton_set_parameter(circuit, "root.weights", weights, 2));
    EXPECT(BUSY, pelton_fit(circuit, &rows, NULL, NULL, NULL, NULL, NULL, NULL));
    return progress->has_ended;
}

static void training(pelton_circuit *circuit) {
    double cells[6] = {1, 1, 0, 0, 0, 1}, weights[3] = {1, -1, 1}, own[2];
    pelton_batch rows = {.cells = cells, .n_rows = 3, .n_columns = 2};
    pelton_fit_options options;
    EXPECT(USAGE, pelton_fit_defaults(NULL));
    EXPECT(OK, pelton_fit_defaults(&options));
    EXPECT(USAGE, pelton_fit(circuit, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    EXPECT(USAGE, pelton_fit(circuit, &rows, weights, NULL, NULL, NULL, NULL, NULL));
    options.method = 77;
    EXPECT(USAGE, pelton_fit(circuit, &rows, NULL, NULL, &options, NULL, NULL, NULL));
    options.method = PELTON_METHOD_EM, options.softness = NAN;
    EXPECT(USAGE, pelton_fit(circuit, &rows, NULL, NULL, &options, NULL, NULL, NULL));
    options.softness = 0;
    cells[3] = 5;
    EXPECT(DATA, pelton_fit(circuit, &rows, NULL, NULL, &options, NULL, NULL, NULL));
    cells[3] = 0;
    EXPECT(OK, pelton_get_parameter(circuit, "root.weights", own, 2));
    CHECK(own[0] == 0.3);
    pelton_report report;
    EXPECT(OK, pelton_fit(circuit, &rows, NULL, &rows, &options, meddle, circuit, &report));
    CHECK(report.was_stopped == 1 && report.n_epochs == 1);
    EXPECT(OK, pelton_get_parameter(circuit, "root.weights", own, 2));
    CHECK(own[0] != 0.3);
}

static void *evaluate(void *circuit) {
    double cells[4] = {1, 1, 0, NAN}, logs[2];
    pelton_batch rows = {.cells = cells, .n_rows = 2, .n_columns = 2};
    for (int i = 0; i < 300; i++) {
        pelton_status status = pelton_log_likelihood(circuit, &rows, logs, 2);
        if (status != PELTON_STATUS_OK && status != PELTON_STATUS_HANDLE)
            return "an evaluation failed";
        if (status == PELTON_STATUS_OK && !(logs[0] < 0 && logs[1] < 0))
            return "an evaluation was wrong";
    }
    return NULL;
}

static void *train(void *circuit) {
    double cells[6] = {1, 1, 0, 0, 0, 1};
    pelton_batch rows = {.cells = cells, .n_rows = 3, .n_columns = 2};
    for (int i = 0; i < 20; i++) {
        pelton_status status = pelton_fit(circuit, &rows, NULL, NULL, NULL, NULL, NULL, NULL);
        if (status != PELTON_STATUS_OK && status != PELTON_STATUS_BUSY && status != PELTON_STATUS_HANDLE)
            return "training failed";
    }
    return NULL;
}

// Threads evaluate and train one circuit, which is freed under their hands.
static void threads(pelton_circuit *circuit) {
    pelton_circuit *shared;
    EXPECT(OK, pelton_clone(circuit, &shared));
    pthread_t all[5];
    for (int i = 0; i < 5; i++)
        CHECK(pthread_create(&all[i], NULL, i < 3 ? evaluate : train, shared) == 0);
    void *fault;
    CHECK(pthread_join(all[0], &fault) == 0 && fault == NULL);
    EXPECT(OK, pelton_free(shared));
    for (int i = 1; i < 5; i++)
        CHECK(pthread_join(all[i], &fault) == 0 && fault == NULL);
}

int main(void) {
    pelton_options options = {.threads = 1};
    pelton_circuit *circuit;
    CHECK(strlen(pelton_version()) >= 5);
    EXPECT(OK, pelton_compile(TEXT, &options, &circuit));
    handles(circuit);
    texts(circuit);
    uses();
    remedies();
    batches(circuit);
    strides(circuit);
    questions(circuit);
    training(circuit);
    threads(circuit);
    EXPECT(OK, pelton_free(circuit));
    printf("%d faults\n", n_faults);
    return n_faults != 0;
}
