/* Likelihoods of days under examples/weather.pcirc, by a circuit that was compiled ahead
 * of time: nothing of Pelton is linked or loaded.
 *
 *     pelton build examples/weather.pcirc -o out
 *     cc -Iout examples/c/built.c out/libweather.a -lm -o built && ./built
 */

#include "weather.h"
#include <math.h>
#include <stdio.h>

int main(void)
{
    /* Sky, temperature, rain, whether the bus is late; NAN is what nobody noted. */
    const double days[][WEATHER_VARIABLES] = {
        { 0, 24, NAN, 0 },
        { 2, 3, 1, 1 },
        { NAN, 24, NAN, NAN },
        { 0, 24, NAN, NAN },
    };
    double logs[4];
    if (weather_log_likelihood(days[0], 4, logs) != WEATHER_OK) {
        fprintf(stderr, "a cell is no value of its variable\n");
        return 1;
    }
    printf("%s, 24 degrees, not late: %.6f\n", weather_category_name(0, 0), logs[0]);
    printf("%s, 3 degrees, rain, late: %.6f\n", weather_category_name(0, 2), logs[1]);
    printf("the sky is %s at 24 degrees: %.6f\n", weather_category_name(0, 0),
        exp(logs[3] - logs[2]));
    return 0;
}
