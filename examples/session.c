/* examples/session.c: the same from C.
 *   example_session_c MODEL.json */
#include <stdio.h>
#include <stdlib.h>

#include <gradus/gradus.h>

static void require(gradus_code code) {
  if (code == GRADUS_OK) return;
  fprintf(stderr, "error %d: %s\n", (int)code, gradus_last_error());
  exit(1);
}

int main(int count, char** values) {
  if (count != 2) {
    fprintf(stderr, "usage: %s MODEL.json\n", values[0]);
    return 2;
  }
  gradus_options* options = NULL;
  gradus_mechanism* mechanism = NULL;
  gradus_session* session = NULL;
  require(gradus_options_create(&options));
  require(gradus_options_set(options, "backend", "cpu:1"));
  require(gradus_options_set(options, "duration", "0.1"));
  require(gradus_mechanism_read(values[1], options, &mechanism));
  require(gradus_session_create(mechanism, &session));
  gradus_options_free(options);

  const size_t parameters = gradus_parameter_count(mechanism);
  const size_t objectives = gradus_objective_count(mechanism);
  const double factors[] = {1.0, 1.01, 100.0}; /* of the last parameter */
  double* designs = malloc(3 * parameters * sizeof(double));
  double* objective_values = malloc(3 * objectives * sizeof(double));
  double* gradient = malloc(3 * objectives * parameters * sizeof(double));
  if (!designs || !objective_values || !gradient) return 1;
  for (size_t d = 0; d < 3; ++d) {
    require(gradus_nominal_parameters(mechanism, designs + d * parameters));
    designs[(d + 1) * parameters - 1] *= factors[d];
  }

  size_t failed = 0;
  require(gradus_gradient(session, 3, designs, objective_values, gradient, &failed));
  for (size_t d = 0; d < 3; ++d) {
    int ok = 0;
    double time = 0.0;
    const char* message = NULL;
    require(gradus_design_status(session, d, &ok, &time, &message));
    if (!ok) {
      printf("design %zu failed at %g s: %s\n", d, time, message);
      continue;
    }
    for (size_t o = 0; o < objectives; ++o) {
      const size_t row = d * objectives + o;
      printf("design %zu: %s = %.6g %s, by %s: %.6g\n", d, gradus_objective_name(mechanism, o), objective_values[row],
             gradus_objective_unit(mechanism, o), gradus_parameter_name(mechanism, 0), gradient[row * parameters]);
    }
  }

  free(designs);
  free(objective_values);
  free(gradient);
  gradus_session_free(session);
  gradus_mechanism_free(mechanism);
  return failed == 1 ? 0 : 1; /* the last design cannot be assembled */
}
