// Embeds Pelton in a C program: compile, train, ask, save, load.
//
//   cargo build --release -p pelton-c
//   cc examples/c/days.c -I runtime/bindings/c/include -L target/release -lpelton -o days
//   LD_LIBRARY_PATH=target/release ./days model.pelton

#include "pelton.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *TEXT =
    "var rain, sprinkler, wet : bool;\n"
    "node day[k in 0..2] = rain ~ bernoulli(?) * sprinkler ~ bernoulli(?) * wet ~ bernoulli(?);\n"
    "root sum k in 0..2 { ?: day[k] };\n";

// Days: rain, sprinkler, wet. NaN is missing.
static const float DAYS[6][3] = {{1, 0, 1}, {1, 0, 1}, {0, 1, 1},
                                 {0, 1, 0}, {0, 0, 0}, {NAN, 1, 1}};

// Ends the program with the reason if a call fails.
static void must(pelton_status status) {
    if (status != PELTON_STATUS_OK) {
        fprintf(stderr, "%s\n", pelton_last_error());
        exit(status);
    }
}

// Is told after each epoch, and stops after twenty.
static int watch(const pelton_progress *progress, void *user) {
    if (progress->has_ended)
        *(double *)user = progress->train_ll;
    return progress->has_ended && progress->epoch == 20;
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "days.pelton";
    pelton_options options = {.threads = 1, .double_precision = 1};
    pelton_circuit *circuit;
    must(pelton_compile(TEXT, &options, &circuit));

    pelton_batch days = {.cells = DAYS, .cell_type = PELTON_F32, .n_rows = 6, .n_columns = 3};
    pelton_report report;
    double last = 0;
    must(pelton_fit(circuit, &days, NULL, NULL, NULL, watch, &last, &report));
    printf("%zu epochs, %.4f a day\n", report.n_epochs, report.train_ll);

    double log;
    must(pelton_query(circuit, "P(rain | wet)", &log, NULL));
    printf("P(rain | wet) = %.4f\n", exp(log));

    // What the last day was, where it was not seen.
    pelton_batch evidence = {.cells = DAYS[5], .cell_type = PELTON_F32, .n_rows = 1, .n_columns = 3};
    double best[3];
    must(pelton_map(circuit, &evidence, NULL, best, 3, NULL, NULL));
    printf("the last day: rain %.0f, sprinkler %.0f, wet %.0f\n", best[0], best[1], best[2]);

    must(pelton_save(circuit, path));
    pelton_circuit *again;
    must(pelton_load(path, &options, &again));
    double before[6], after[6];
    must(pelton_log_likelihood(circuit, &days, before, 6));
    must(pelton_log_likelihood(again, &days, after, 6));
    for (int row = 0; row < 6; row++)
        if (before[row] != after[row])
            return 1;

    must(pelton_free(again));
    must(pelton_free(circuit));
    return 0;
}
