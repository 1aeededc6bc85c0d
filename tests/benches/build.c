/* Reads rows, then evaluates all of them for each letter that it is sent: prints the time
 * in nanoseconds and the sum of the logarithms. */

#define _POSIX_C_SOURCE 199309L
#include "circuit.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
    size_t cells = (size_t)ROWS * CIRCUIT_VARIABLES;
    double *rows = malloc(cells * sizeof *rows), *out = malloc(ROWS * sizeof *out);
    void *workspace = malloc(circuit_workspace_bytes());
    if (!rows || !out || !workspace || fread(rows, sizeof *rows, cells, stdin) != cells)
        return 1;
    while (getchar() != EOF) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        if (circuit_log_likelihood_with(rows, ROWS, out, workspace, NULL) != CIRCUIT_OK)
            return 1;
        clock_gettime(CLOCK_MONOTONIC, &end);
        double sum = 0;
        for (size_t row = 0; row < ROWS; row++)
            sum += out[row];
        long long seconds = (long long)(end.tv_sec - start.tv_sec);
        printf("%lld %.17g\n", seconds * 1000000000 + (end.tv_nsec - start.tv_nsec), sum);
        fflush(stdout);
    }
    return 0;
}
