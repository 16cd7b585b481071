/* Uses gradus from C as a program of its own would: use MODEL. Ends with 0 if all is as it should be. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gradus/gradus.h"

static int failures = 0;

static void expect(int condition, const char* what) {
  if (condition) return;
  ++failures;
  printf("not so: %s (last error: %s)\n", what, gradus_last_error());
}

static void check_products(gradus_session* session, size_t n, size_t m, const double* parameters, const double* gradient) {
  double* directions = calloc(2 * n, sizeof(double));
  double* forwards = calloc(2 * m, sizeof(double));
  double* weights = calloc(2 * m, sizeof(double));
  double* backwards = calloc(2 * n, sizeof(double));
  size_t failed = 99;
  directions[0] = 1.0;
  directions[n] = 1.0;
  weights[m - 1] = 1.0;
  weights[2 * m - 1] = 1.0;
  expect(gradus_jacobian_vector(session, 2, parameters, directions, forwards, &failed) == GRADUS_OK, "jacobian_vector runs");
  expect(gradus_vector_jacobian(session, 2, parameters, weights, backwards, &failed) == GRADUS_OK, "vector_jacobian runs");
  for (size_t d = 0; d < 2; ++d) {
    for (size_t o = 0; o < m; ++o) {
      const double entry = gradient[(d * m + o) * n];
      expect(entry != 0.0 && fabs(forwards[d * m + o] - entry) <= 1e-9 * fabs(entry), "a column is the product with it");
    }
    for (size_t p = 0; p < n; ++p) {
      const double entry = gradient[(d * m + m - 1) * n + p];
      expect(entry != 0.0 && fabs(backwards[d * n + p] - entry) <= 1e-9 * fabs(entry), "a row is the product with it");
    }
  }
  free(directions);
  free(forwards);
  free(weights);
  free(backwards);
}

static double dot(size_t count, const double* a, const double* b) {
  double sum = 0.0;
  for (size_t k = 0; k < count; ++k) sum += a[k] * b[k];
  return sum;
}

/* Start states in, sensors at two times and final states out, of two designs. */
static void check_exchange(const char* path) {
  gradus_options* options = NULL;
  gradus_mechanism* mechanism = NULL;
  gradus_session* session = NULL;
  size_t failed = 99;
  gradus_options_create(&options);
  expect(gradus_options_set(options, "backend", "cpu:1") == GRADUS_OK, "a backend is set");
  expect(gradus_options_set(options, "duration", "0.02") == GRADUS_OK, "a duration is set");
  expect(gradus_options_set(options, "start-states", "true") == GRADUS_OK, "start states are asked for");
  expect(gradus_options_set(options, "sensor-times", "0.01,x") == GRADUS_INPUT_ERROR, "times are numbers");
  expect(gradus_options_set(options, "sensor-times", "0.01,0.02") == GRADUS_OK, "times are set");
  expect(gradus_options_set(options, "sensors", "r2,energy") == GRADUS_OK, "sensors are chosen");
  expect(gradus_options_set(options, "final-state", "true") == GRADUS_OK, "final states are asked for");
  expect(gradus_mechanism_read(path, options, &mechanism) == GRADUS_OK, "the model is compiled");
  expect(gradus_session_create(mechanism, &session) == GRADUS_OK, "a session is made");
  gradus_options_free(options);
  if (session == NULL) return;

  const size_t n = gradus_parameter_count(mechanism);
  const size_t m = gradus_objective_count(mechanism);
  const size_t states = 2 * gradus_coordinate_count(mechanism);
  const size_t sensors = gradus_time_count(mechanism) * gradus_exchanged_component_count(mechanism);
  expect(states == 8 && sensors == 8, "four coordinates; four components, two times");
  expect(strcmp(gradus_coordinate_name(mechanism, 0), "A") == 0 && strcmp(gradus_coordinate_unit(mechanism, 0), "rad") == 0 &&
             gradus_coordinate_name(mechanism, states) == NULL,
         "coordinates have names and units");

  const size_t in = 2 * (n + states);
  const size_t out = 2 * (m + sensors + states);
  double* numbers = calloc(3 * in + 4 * out, sizeof(double));
  double* v = numbers + in;
  double* rows = v + in;
  double* w = rows + in;
  double* columns = w + out;
  double* values = columns + out;
  double* again = values + out;
  const gradus_inputs at = {numbers, numbers + 2 * n};
  const gradus_inputs directions = {v, v + 2 * n};
  const gradus_inputs by_rows = {rows, rows + 2 * n};
  const gradus_outputs weights = {w, w + 2 * m, w + 2 * (m + sensors)};
  const gradus_outputs by_columns = {columns, columns + 2 * m, columns + 2 * (m + sensors)};
  const gradus_outputs motion = {values, values + 2 * m, values + 2 * (m + sensors)};
  const gradus_outputs same = {again, again + 2 * m, again + 2 * (m + sensors)};
  for (size_t d = 0; d < 2; ++d) {
    expect(gradus_nominal_parameters(mechanism, at.parameters + d * n) == GRADUS_OK, "nominal values are told");
    expect(gradus_start_state(mechanism, NULL, NULL, at.start_states + d * states) == GRADUS_OK, "so is the start");
  }
  at.start_states[states] += 0.01;
  for (size_t k = 0; k < in; ++k) v[k] = sin(1.0 + (double)k);
  for (size_t k = 0; k < out; ++k) w[k] = cos(2.0 + (double)k);
  expect(gradus_evaluate(session, 2, &at, &motion, &failed) == GRADUS_OK && failed == 0, "designs are evaluated");
  expect(gradus_multiply_jacobian(session, 2, &at, &directions, &by_columns, &same, &failed) == GRADUS_OK, "columns run");
  expect(gradus_multiply_transposed_jacobian(session, 2, &at, &weights, &by_rows, NULL, &failed) == GRADUS_OK, "rows run");
  for (size_t k = 0; k < out; ++k) expect(fabs(again[k] - values[k]) <= 1e-9 * (1.0 + fabs(values[k])), "values come with columns");
  const double forwards = dot(out, w, columns);
  expect(forwards != 0.0 && fabs(forwards - dot(in, rows, v)) <= 1e-9 * fabs(forwards), "columns and rows are transposes");
  expect(motion.final_states[0] != motion.final_states[states], "start states count");

  const gradus_inputs no_start = {numbers, NULL};
  expect(gradus_evaluate(session, 2, &no_start, &motion, &failed) == GRADUS_INPUT_ERROR, "missing start states are refused");
  expect(gradus_evaluate(session, 2, NULL, &motion, &failed) == GRADUS_INPUT_ERROR, "missing designs are refused");
  expect(gradus_start_state(mechanism, NULL, NULL, NULL) == GRADUS_INPUT_ERROR, "null arrays are refused");
  expect(gradus_multiply_jacobian(session, 1, &at, NULL, NULL, NULL, NULL) == GRADUS_OK, "what is null is left out");
  gradus_session_free(session);
  gradus_mechanism_free(mechanism);
  free(numbers);
}

/* Creators that fail leave no handle. */
static void check_handles(const char* path, gradus_mechanism* some) {
  gradus_mechanism* mechanism = some;
  gradus_session* session = (gradus_session*)some;
  gradus_options* options = NULL;
  expect(gradus_mechanism_read("no such file.json", NULL, &mechanism) != GRADUS_OK && mechanism == NULL, "read leaves none");
  mechanism = some;
  expect(gradus_mechanism_read(NULL, NULL, &mechanism) != GRADUS_OK && mechanism == NULL, "read of nothing leaves none");
  mechanism = some;
  expect(gradus_mechanism_parse("{", 1, NULL, &mechanism) != GRADUS_OK && mechanism == NULL, "parse leaves none");
  expect(gradus_session_create(NULL, &session) != GRADUS_OK && session == NULL, "a session of nothing is none");
  mechanism = some;
  gradus_options_create(&options);
  gradus_options_set(options, "method", "none");
  expect(gradus_mechanism_read(path, options, &mechanism) == GRADUS_INPUT_ERROR && mechanism == NULL, "unknown methods are refused");
  gradus_options_free(options);
}

static void check_mistakes(const char* path, gradus_session* session) {
  gradus_mechanism* none = NULL;
  gradus_options* options = NULL;
  expect(gradus_mechanism_read("no such file.json", NULL, &none) != GRADUS_OK && strlen(gradus_last_error()) > 0,
         "a missing file is refused");
  expect(gradus_mechanism_parse("{", 1, NULL, &none) == GRADUS_INPUT_ERROR, "a broken model is refused");
  expect(gradus_mechanism_read(path, NULL, NULL) == GRADUS_INPUT_ERROR, "a null handle is refused");
  expect(gradus_options_create(&options) == GRADUS_OK, "options are made");
  expect(gradus_options_set(options, "formulation", "matrixr") == GRADUS_OK, "texts are kept");
  expect(gradus_mechanism_read(path, options, &none) == GRADUS_INPUT_ERROR, "an unknown formulation is refused");
  expect(gradus_options_set(options, "stepp", "1") == GRADUS_INPUT_ERROR && strstr(gradus_last_error(), "\"step\""),
         "an unknown option is refused, and the nearest named");
  expect(gradus_options_set(options, "step", "1mm") == GRADUS_INPUT_ERROR, "what is no number is refused");
  expect(gradus_options_set(options, "lanes", "auto") == GRADUS_OK && gradus_options_set(options, "lanes", "1") == GRADUS_OK,
         "lanes are as on the command line");
  expect(gradus_options_set(options, "lanes", "1.5") == GRADUS_INPUT_ERROR, "and must be");
  expect(gradus_options_set(options, "memory", "64k") == GRADUS_OK && gradus_options_set(options, "memory", "4096") == GRADUS_OK,
         "so is memory");
  expect(gradus_options_set(options, "memory", "64kB") == GRADUS_INPUT_ERROR &&
             gradus_options_set(options, "memory", "99999999999G") == GRADUS_INPUT_ERROR,
         "and must be");
  expect(gradus_simulate(session, 0, NULL, NULL, NULL, NULL, NULL) == GRADUS_INPUT_ERROR, "no design is refused");
  expect(gradus_simulate(session, (size_t)-1 / 8, NULL, NULL, NULL, NULL, NULL) == GRADUS_INPUT_ERROR, "too many designs are");
  expect(gradus_simulate(session, 1, NULL, NULL, NULL, NULL, NULL) == GRADUS_INPUT_ERROR, "null parameters are refused");
  expect(gradus_simulate(NULL, 1, NULL, NULL, NULL, NULL, NULL) == GRADUS_INPUT_ERROR, "a null session is refused");
  double numbers[16] = {0};
  const gradus_inputs at = {numbers, numbers + 5};
  expect(gradus_evaluate(session, 1, &at, NULL, NULL) == GRADUS_INPUT_ERROR && strstr(gradus_last_error(), "\"start-states\""),
         "start states that nobody asked for are refused");
  expect(none == NULL, "no handle is made where nothing was");
  gradus_options_free(options);
}

/* A disc that a force of the plug-in turns. */
static void check_plugin(const char* plugin) {
  const char* const text =
      "{\"schema\": \"gradus-model/1\", \"name\": \"disc\", \"parameters\": {\"size\": {\"value\": 2}},"
      "\"bodies\": {\"disc\": {\"mass\": 1, \"com\": [0, 0, 0], \"inertia\": {\"xx\": 1, \"yy\": 1, \"zz\": 1}}},"
      "\"joints\": {\"axle\": {\"type\": \"revolute\", \"parent\": \"ground\", \"child\": \"disc\","
      "\"initial\": {\"position\": 0, \"velocity\": 0}}},"
      "\"forces\": {\"turn\": {\"type\": \"blow\", \"joint\": \"axle\", \"size\": 0, \"at\": 0, \"signal\": \"size\"}},"
      "\"sensors\": {\"w\": {\"rate\": \"axle\"}}, \"objectives\": {\"end\": {\"terminal\": \"w\"}}, \"analysis\": {\"duration\": 1}}";
  gradus_mechanism* mechanism = NULL;
  gradus_session* session = NULL;
  const double parameter = 3.0;
  double objective = 0.0, gradient = 0.0;
  size_t failed = 99;
  expect(gradus_load_plugin(NULL) == GRADUS_INPUT_ERROR, "no plug-in is refused");
  expect(gradus_load_plugin("libnone.so") == GRADUS_FILE_ERROR, "a plug-in that is not there is refused");
  expect(strstr(gradus_last_error(), "libnone.so") != NULL, "by its name");
  expect(gradus_mechanism_parse(text, strlen(text), NULL, &mechanism) == GRADUS_INPUT_ERROR, "nobody knows the force yet");
  expect(gradus_load_plugin(plugin) == GRADUS_OK, "a plug-in is loaded");
  expect(gradus_mechanism_parse(text, strlen(text), NULL, &mechanism) == GRADUS_OK, "the force is known");
  expect(gradus_session_create(mechanism, &session) == GRADUS_OK, "a session is made");
  expect(gradus_gradient(session, 1, &parameter, &objective, &gradient, &failed) == GRADUS_OK && failed == 0, "it runs");
  expect(fabs(objective - 3.0) < 1e-9 && fabs(gradient - 1.0) < 1e-9, "and turns the disc");
  gradus_session_free(session);
  gradus_mechanism_free(mechanism);
}

int main(int count, char** arguments) {
  gradus_options* options = NULL;
  gradus_mechanism* mechanism = NULL;
  gradus_session* session = NULL;
  size_t failed = 99;
  if (count != 3) return 2;
  expect(strlen(gradus_version()) >= 5, "there is a version");
  expect(gradus_options_create(&options) == GRADUS_OK, "options are made");
  expect(gradus_options_set(options, "backend", "cpu:1") == GRADUS_OK, "a backend is set");
  expect(gradus_options_set(options, "duration", "0.02") == GRADUS_OK, "a duration is set");
  expect(gradus_mechanism_read(arguments[1], options, &mechanism) == GRADUS_OK, "the model is compiled");
  expect(gradus_session_create(mechanism, &session) == GRADUS_OK, "a session is made");
  gradus_options_free(options);
  if (session == NULL) return 1;

  const size_t n = gradus_parameter_count(mechanism);
  const size_t m = gradus_objective_count(mechanism);
  expect(n == 5 && m == 3, "five parameters, three objectives");
  expect(strcmp(gradus_parameter_name(mechanism, 0), "L_s1") == 0, "names are told");
  expect(strcmp(gradus_parameter_unit(mechanism, 0), "m") == 0, "and units");
  expect(gradus_objective_name(mechanism, m) == NULL, "none beyond the count");

  double* parameters = calloc(2 * n, sizeof(double));
  double* objectives = calloc(2 * m, sizeof(double));
  double* motion = calloc(2 * m, sizeof(double));
  double* gradient = calloc(2 * m * n, sizeof(double));
  expect(gradus_nominal_parameters(mechanism, parameters) == GRADUS_OK, "nominal values are told");
  memcpy(parameters + n, parameters, n * sizeof(double));
  parameters[n] *= 1.001;
  expect(gradus_gradient(session, 2, parameters, objectives, gradient, &failed) == GRADUS_OK && failed == 0, "gradients run");
  expect(gradus_simulate(session, 2, parameters, motion, NULL, NULL, &failed) == GRADUS_OK && failed == 0, "motions run");
  expect(memcmp(motion, objectives, 2 * m * sizeof(double)) == 0, "both see the same motion");
  expect(objectives[0] != objectives[m], "designs differ");
  check_products(session, n, m, parameters, gradient);
  check_exchange(arguments[1]);
  check_mistakes(arguments[1], session);
  check_handles(arguments[1], mechanism);
  check_plugin(arguments[2]);

  int ok = -1;
  const char* message = NULL;
  parameters[2 * n - 1] = 100.0; /* a loop that cannot close */
  expect(gradus_simulate(session, 2, parameters, motion, NULL, NULL, &failed) == GRADUS_OK && failed == 1, "a design fails");
  expect(gradus_design_status(session, 1, &ok, NULL, &message) == GRADUS_OK && ok == 0 && strlen(message) > 0, "and says why");
  expect(isnan(motion[m]) && !isnan(motion[0]), "and is NaN alone");
  gradus_mechanism_free(mechanism); /* sessions live on */
  expect(gradus_simulate(session, 1, parameters, motion, NULL, NULL, &failed) == GRADUS_OK, "sessions outlive mechanisms");
  gradus_session_free(session);
  gradus_session_free(NULL);
  free(parameters);
  free(objectives);
  free(motion);
  free(gradient);
  return failures == 0 ? 0 : 1;
}
