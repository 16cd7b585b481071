/* Gradients by Dormand and Prince's method of order 8 (dop853), with steps chosen by the error of
   the state, its sensitivities and all integrals, measured as gradus measures it (but for what
   closing loops corrects). All parameters are positive. integrators_in_c.py writes sizes.h and
   stages.h. */
#include <math.h>
#include <string.h>

#include "right_hand_side.h"

static double larger(double a, double b) {
  return a > b ? a : b;
}

/* Squared error of the worst of: the state, a column (as a whole, so that units do not matter), the
   integral of an objective, an entry of its gradient. Rates e and f are wrong over the step from
   (y, q) to (z, r). */
static double worst(double h, const double* p, const double* y, const double* z, const double* q,
                    const double* r, const double* e, const double* f, double rtol, double atol) {
  double result = 0;
  for (int c = -1; c < COLUMNS; ++c) {
    const int at = STATES * (1 + c);
    double sum = 0, size[2] = {0, 0}; /* of positions and of velocities */
    for (int i = 0; i < STATES; ++i) {
      const int half = i / POSITIONS;
      size[half] = larger(size[half], larger(fabs(y[at + i]), fabs(z[at + i])));
    }
    for (int i = 0; i < STATES; ++i) {
      const double of_state = atol + rtol * larger(fabs(y[i]), fabs(z[i]));
      const double ratio =
          h * e[at + i] / (c < 0 ? of_state : atol / p[c] + rtol * size[i / POSITIONS]);
      sum += ratio * ratio;
    }
    result = larger(sum / STATES, result);
  }
  for (int o = 0; o < OBJECTIVES; ++o) {
    double size = larger(fabs(q[o]), fabs(r[o]));
    double ratio = h * f[o] / (atol + rtol * size);
    result = larger(ratio * ratio, result);
    for (int at = OBJECTIVES + o, c = 0; c < COLUMNS; ++c, at += OBJECTIVES)
      size = larger(size, p[c] * larger(fabs(q[at]), fabs(r[at])));
    for (int at = OBJECTIVES + o, c = 0; c < COLUMNS; ++c, at += OBJECTIVES) {
      ratio = h * p[c] * f[at] / (atol + rtol * size);
      result = larger(ratio * ratio, result);
    }
  }
  return result;
}

/* One gradient: q receives the objectives, their derivatives by the first parameter, and so on.
   Returns the steps, or -1 if there would be too many; adds to the rejected ones. */
static int adaptive(const double* start, const double* p, double duration, double rtol, double atol,
                    double* q, int* rejected) {
  double y[ALL], z[ALL], stage[ALL], k[12][ALL], g[12][RESULTS], r[RESULTS], e[2][ALL],
      f[2][RESULTS];
  double t = 0, h, before = 1;
  int steps = 0, again = 0;
  memcpy(y, start, sizeof y);
  memset(q, 0, RESULTS * sizeof *q);
  evaluate(y, p, k[0], g[0]);
  /* The size of the rates at the start is a scale of time, coarse but enough for a first step. */
  h = 0;
  for (int i = 0; i < STATES; ++i) h = larger(h, fabs(k[0][i]));
  h = 0.01 / sqrt(1 + h) * pow(rtol / 1e-6, 0.125);
  while (t < duration) {
    const int last = t + h >= duration * (1 - 1e-14);
    if (last) h = duration - t;
    if (h < 1e-12 || steps + again > 100000) return -1;
#include "stages.h" /* from y and q to z and r, by rates k and g; both errors */
    const double fifth = worst(h, p, y, z, q, r, e[0], f[0], rtol, atol);
    const double third = worst(h, p, y, z, q, r, e[1], f[1], rtol, atol);
    const double error = fifth > 0 ? fifth / sqrt(fifth + 0.01 * third) : 0;
    /* By the errors of this step and the one before (K. Gustafsson): fewer steps are rejected. */
    double change = error <= 1e-8 ? 6
                    : error <= 1  ? 0.9 * pow(error, -0.7 / 8) * pow(before, 0.4 / 8)
                                  : 0.9 * pow(error, -0.125);
    change = change < 0.333 ? 0.333 : change > 6 ? 6 : change;
    if (!(error <= 1)) {
      ++again;
      ++*rejected;
      h *= isfinite(error) ? change : 0.2;
      continue;
    }
    ++steps;
    before = larger(error, 1e-4);
    t = last ? duration : t + h;
    h *= change;
    memcpy(y, z, sizeof y);
    memcpy(q, r, sizeof r);
    if (!last) evaluate(y, p, k[0], g[0]);
  }
  return steps;
}

/* Designs one after another; returns the steps that were rejected. */
int adaptive_designs(int count, const double* start, const double* p, double duration, double rtol,
                     double atol, double* q, int* steps) {
  int rejected = 0;
  for (int i = 0; i < count; ++i)
    steps[i] = adaptive(start, p + i * COLUMNS, duration, rtol, atol, q + i * RESULTS, &rejected);
  return rejected;
}
