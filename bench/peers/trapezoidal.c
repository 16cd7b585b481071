/* Gradients by the trapezoidal rule with Newton's method and steps of one length, around right-hand
   sides that CasADi generates. integrators_in_c.py writes sizes.h. */
#include <math.h>
#include <string.h>

#include "right_hand_side.h"

generated motion;      /* state, parameters: its rates */
generated finish_step; /* see trapezoidal() */

/* One gradient by `steps` steps of the trapezoidal rule: q receives the objectives, their
   derivatives by the first parameter, and so on. The accelerations at the end of a step are found
   by Newton's method with the matrix of the step before, until no position changes by more than the
   tolerance; then `finish_step` solves the equations of the columns with the matrix there. Returns
   the steps, or -1 where that does not converge; adds to the iterations. */
static int trapezoidal(const double* start, const double* p, double duration, int steps,
                       double tolerance, double* q, int* iterations) {
  double y[2][ALL], rate[2][ALL], g[2][RESULTS], inverse[POSITIONS * POSITIONS] = {0};
  double x[STATES], f[STATES], a[POSITIONS], before[POSITIONS];
  const double h = duration / steps;
  memcpy(y[0], start, sizeof y[0]);
  evaluate(y[0], p, rate[0], g[0]);
  memcpy(before, rate[0] + POSITIONS, sizeof before);
  for (int i = 0; i < POSITIONS; ++i) inverse[i * (POSITIONS + 1)] = 1;
  for (int i = 0; i < RESULTS; ++i) q[i] = h / 2 * g[0][i];
  for (int step = 0; step < steps; ++step) {
    const int old = step % 2, new = 1 - old;
    const double *x0 = y[old], *v0 = x0 + POSITIONS, *a0 = rate[old] + POSITIONS;
    double change = 2 * tolerance;
    for (int i = 0; i < POSITIONS; ++i) a[i] = 2 * a0[i] - before[i];
    for (int count = 0;; ++count) {
      for (int i = 0; i < POSITIONS; ++i) {
        x[i] = x0[i] + h * v0[i] + h * h / 4 * (a0[i] + a[i]);
        x[POSITIONS + i] = v0[i] + h / 2 * (a0[i] + a[i]);
      }
      if (change <= tolerance) break;
      if (count == 20) return -1;
      const double* arg[] = {x, p};
      double* res[] = {f};
      motion(arg, res, 0, 0, 0);
      change = 0;
      for (int i = 0; i < POSITIONS; ++i) {
        double difference = 0;
        for (int j = 0; j < POSITIONS; ++j)
          difference += inverse[j * POSITIONS + i] * (f[POSITIONS + j] - a[j]);
        change += difference * difference;
        f[i] = difference; /* the rates of positions are not needed */
      }
      for (int i = 0; i < POSITIONS; ++i) a[i] += f[i];
      change = h * h / 4 * sqrt(change);
      ++*iterations;
    }
    memcpy(before, a0, sizeof before);
    const double* arg[] = {x, y[old], rate[old], p, &h};
    double* res[] = {y[new], rate[new], g[new], inverse};
    finish_step(arg, res, 0, 0, 0);
    const double weight = step + 1 < steps ? h : h / 2;
    for (int i = 0; i < RESULTS; ++i) q[i] += weight * g[new][i];
  }
  return isfinite(q[0]) ? steps : -1;
}

/* Designs one after another; returns the iterations. */
int trapezoidal_designs(int count, const double* start, const double* p, double duration,
                        double step, double tolerance, double* q, int* steps) {
  int iterations = 0;
  for (int i = 0; i < count; ++i)
    steps[i] = trapezoidal(start, p + i * COLUMNS, duration, (int)lround(duration / step),
                           tolerance, q + i * RESULTS, &iterations);
  return iterations;
}
