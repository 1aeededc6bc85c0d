/* Cells that are no values, weights that are damaged, numbers that stand for nothing. */

#include "weather.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(holds) \
    do { \
        if (!(holds)) { \
            printf("line %d: %s\n", __LINE__, #holds); \
            return 1; \
        } \
    } while (0)

int main(void)
{
    static char weights[1 << 20];
    FILE *file = fopen("weather.weights", "rb");
    EXPECT(file);
    size_t size = fread(weights, 1, sizeof weights, file);
    fclose(file);
    EXPECT(weather_check_weights(weights, size) == WEATHER_OK);
    EXPECT(weather_check_weights(weights, size - 8) == WEATHER_WEIGHTS);
    EXPECT(weather_check_weights(weights, 5) == WEATHER_WEIGHTS);
    for (size_t at = 0; at < size; at++) {
        weights[at] ^= 0x81;
        EXPECT(weather_check_weights(weights, size) == WEATHER_WEIGHTS);
        weights[at] ^= 0x81;
    }

    EXPECT(weather_variables() == WEATHER_VARIABLES);
    EXPECT(!strcmp(weather_variable_name(0), "sky"));
    EXPECT(!strcmp(weather_variable_name(1), "temp"));
    EXPECT(!weather_variable_name(WEATHER_VARIABLES));
    EXPECT(!strcmp(weather_category_name(0, 2), "storm"));
    EXPECT(!weather_category_name(0, 3) && !weather_category_name(1, 0));
    EXPECT(!weather_category_name((size_t)-1, 0));
    EXPECT(weather_domain_size(0) == 3 && weather_domain_size(1) == 0);

    double rows[100][WEATHER_VARIABLES], out[100];
    void *workspace = malloc(weather_workspace_bytes());
    for (size_t row = 0; row < 100; row++)
        for (size_t at = 0; at < WEATHER_VARIABLES; at++)
            rows[row][at] = NAN;
    size_t fault[2] = { 0, 0 };
    EXPECT(!weather_log_likelihood_with(weights, rows[0], 0, out, workspace, fault));
    EXPECT(!weather_log_likelihood_with(weights, NULL, 0, NULL, NULL, NULL));
    EXPECT(!weather_log_likelihood(weights, NULL, 0, NULL));
    EXPECT(!weather_log_likelihood_with(weights, rows[0], 100, out, workspace, fault));
    for (size_t row = 0; row < 100; row++)
        EXPECT(fabs(out[row]) < 1e-12);
    const double wrong[] = { 3, -1, 0.5, INFINITY, -INFINITY, 1e300 };
    for (size_t at = 0; at < sizeof wrong / sizeof *wrong; at++) {
        rows[70][0] = wrong[at];
        EXPECT(weather_log_likelihood(weights, rows[0], 100, out) == WEATHER_CELL);
        EXPECT(weather_log_likelihood_with(weights, rows[0], 100, out, workspace, NULL));
        int status = weather_log_likelihood_with(weights, rows[0], 100, out, workspace, fault);
        EXPECT(status == WEATHER_CELL && fault[0] == 70 && fault[1] == 0);
    }
    rows[70][0] = 2;
    rows[70][1] = INFINITY;
    EXPECT(weather_log_likelihood(weights, rows[0], 100, out) == WEATHER_CELL);
    rows[70][1] = -1e300;
    EXPECT(weather_log_likelihood(weights, rows[0], 100, out) == WEATHER_OK);
    EXPECT(out[70] < -1e300 && fabs(out[71]) < 1e-12);
    free(workspace);
    printf("ok\n");
    return 0;
}
