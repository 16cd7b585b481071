/* Motions of the peers in C: their sizes, and the right-hand sides that CasADi generates or another
 * source defines. */
#pragma once

#include "sizes.h" /* POSITIONS, COLUMNS (parameters) and OBJECTIVES, see integrators_in_c.py */

enum {
  STATES = 2 * POSITIONS,
  ALL = STATES * (1 + COLUMNS),        /* the state, behind it its derivatives by every parameter */
  RESULTS = OBJECTIVES * (1 + COLUMNS) /* the objectives likewise */
};

typedef int generated(const double** arg, double** res, long long* iw, double* w, int mem);
generated rates; /* the state with columns, parameters: its rates */
generated all;   /* the same, and the integrands with columns */

/* What CasADi generates of SX needs no room to work in. */
static void evaluate(const double* y, const double* p, double* rate, double* integrand) {
  const double* arg[] = {y, p};
  double* res[] = {rate, integrand};
  (integrand ? all : rates)(arg, res, 0, 0, 0);
}
