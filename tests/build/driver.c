/* Evaluates rows of many circuits. `cases.h` names them: CASE(name) for each.
 *
 * Standard input has for each circuit the number of rows (64 bits) and the rows; standard
 * output gets for each the status (64 bits) and a double for each row. */

#include "cases.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef int evaluate(const double *, size_t, double *, void *, size_t *);

static int run(size_t variables, size_t bytes, evaluate *with)
{
    uint64_t rows, status;
    if (fread(&rows, sizeof rows, 1, stdin) != 1)
        return 1;
    size_t cells = rows * variables;
    double *data = malloc(cells * sizeof *data + 1);
    double *out = malloc(rows * sizeof *out + 1);
    /* Anywhere, and full of what is no number. */
    char *workspace = malloc(bytes + 1);
    for (size_t at = 0; at < bytes + 1; at++)
        workspace[at] = (char)0xff;
    size_t fault[2] = { 0, 0 };
    if (!data || !out || !workspace || fread(data, sizeof *data, cells, stdin) != cells)
        return 1;
    status = (uint64_t)with(data, rows, out, workspace + 1, fault);
    fwrite(&status, sizeof status, 1, stdout);
    fwrite(out, sizeof *out, rows, stdout);
    free(workspace);
    free(out);
    free(data);
    return 0;
}

int main(void)
{
    int failed = 0;
#define CASE(name) \
    failed |= run(name##_variables(), name##_workspace_bytes(), name##_log_likelihood_with);
    CASES
    return failed;
}
