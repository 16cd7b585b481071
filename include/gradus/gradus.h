/* gradus for C, and for every language that calls C: mechanisms compiled once and evaluated many times.
 *
 * Functions return a gradus_code; for all but GRADUS_OK gradus_last_error() says what went wrong, why, and what would help.
 * Arrays belong to the caller and are stored by rows (the last index fastest). Nothing is printed, and no exception passes.
 * Those that make a handle write null to its place where they fail, and never free what was there.
 * A mechanism never changes: threads may share it. A session belongs to one thread at a time: calls while another is under way
 * are refused (GRADUS_INPUT_ERROR). */
#ifndef GRADUS_H
#define GRADUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GRADUS_API __attribute__((visibility("default")))
#else
#define GRADUS_API
#endif

typedef enum gradus_code {
  GRADUS_OK = 0,
  GRADUS_INPUT_ERROR = 1,     /* the model, an option, a size, a value or a call is wrong */
  GRADUS_NUMERICAL_ERROR = 2, /* the numbers failed before any design could run */
  GRADUS_BACKEND_ERROR = 3,   /* the backend or a part of gradus cannot be had here */
  GRADUS_FILE_ERROR = 4,      /* a file could not be read */
  GRADUS_FAULT = 5            /* memory ran out, or an unexpected fault */
} gradus_code;

typedef struct gradus_options gradus_options;
typedef struct gradus_mechanism gradus_mechanism;
typedef struct gradus_session gradus_session;

/* "major.minor.patch" */
GRADUS_API const char* gradus_version(void);
/* Of the calling thread's last call that failed; empty if none has. Valid until its next call. */
GRADUS_API const char* gradus_last_error(void);

/* Loads the forces of a plug-in (docs/api.md), for all models that are compiled from then on. */
GRADUS_API gradus_code gradus_load_plugin(const char* path);

/* Options, by the names of the command line without leading dashes: "backend" "cpu:1", "method" "adjoint", "formulation",
 * "integrator", "reference", "step", "duration", "tolerance", "rtol", "atol", "max-steps", "penalty", "projections", "stabilisation",
 * "iteration", "singular", "lanes" ("auto", "1", ...), "kernels" ("general", "specialised", "auto"), "memory" (bytes, "64k", "512M"),
 * "columns-in-error" ("true", "false"); or "set:NAME"
 * for the value of a parameter. The duration has a whole number of steps, the nearest, but one at least.
 * What sessions exchange besides parameters and objectives (gradus/mechanism.hpp says what it means): "start-states" ("true"),
 * "sensor-times" ("0.1,0.2"), "sensors" (their names, as "tip,angle"; all if not set), "final-state" ("true"). */
GRADUS_API gradus_code gradus_options_create(gradus_options** options);
GRADUS_API gradus_code gradus_options_set(gradus_options* options, const char* name, const char* value);
GRADUS_API void gradus_options_free(gradus_options* options);

/* Compiles a model file (docs/model.md); options may be null. What they say is copied. */
GRADUS_API gradus_code gradus_mechanism_read(const char* path, const gradus_options* options, gradus_mechanism** mechanism);
/* The same of a text of `size` bytes. */
GRADUS_API gradus_code gradus_mechanism_parse(const char* text, size_t size, const gradus_options* options,
                                              gradus_mechanism** mechanism);
/* Sessions made of it may live on. */
GRADUS_API void gradus_mechanism_free(gradus_mechanism* mechanism);

/* Counts, names and units; names and units are valid as long as the mechanism, and null beyond the count. */
GRADUS_API size_t gradus_parameter_count(const gradus_mechanism* mechanism);
GRADUS_API size_t gradus_objective_count(const gradus_mechanism* mechanism);
GRADUS_API size_t gradus_sensor_component_count(const gradus_mechanism* mechanism);
GRADUS_API size_t gradus_coordinate_count(const gradus_mechanism* mechanism);
GRADUS_API size_t gradus_time_count(const gradus_mechanism* mechanism); /* of "sensor-times" */
/* Components of the sensors that are exchanged at each of them. */
GRADUS_API size_t gradus_exchanged_component_count(const gradus_mechanism* mechanism);
GRADUS_API const char* gradus_parameter_name(const gradus_mechanism* mechanism, size_t index);
GRADUS_API const char* gradus_parameter_unit(const gradus_mechanism* mechanism, size_t index);
GRADUS_API const char* gradus_objective_name(const gradus_mechanism* mechanism, size_t index);
GRADUS_API const char* gradus_objective_unit(const gradus_mechanism* mechanism, size_t index);
GRADUS_API const char* gradus_sensor_component_name(const gradus_mechanism* mechanism, size_t index);
GRADUS_API const char* gradus_sensor_component_unit(const gradus_mechanism* mechanism, size_t index);
GRADUS_API const char* gradus_coordinate_name(const gradus_mechanism* mechanism, size_t index);
GRADUS_API const char* gradus_coordinate_unit(const gradus_mechanism* mechanism, size_t index);
/* [n_parameter] values of the model, with what the options set. */
GRADUS_API gradus_code gradus_nominal_parameters(const gradus_mechanism* mechanism, double* parameters);

/* [2 n_coordinate] coordinates and rates at which a design [n_parameter] starts (null: the nominal one), by the model, or where
 * assembly moves a state that is given (null: by the model). */
GRADUS_API gradus_code gradus_start_state(const gradus_mechanism* mechanism, const double* parameters, const double* given,
                                          double* state);

GRADUS_API gradus_code gradus_session_create(const gradus_mechanism* mechanism, gradus_session** session);
GRADUS_API void gradus_session_free(gradus_session* session);

/* The motion of designs [n_design, n_parameter]. Arrays that are null are left out: objectives [n_design, n_objective],
 * final_sensors [n_design, n_sensor_component], violation [n_design, 3] (largest of the constraints and their two time
 * derivatives). `failed` receives how many designs failed; these are NaN. */
GRADUS_API gradus_code gradus_simulate(gradus_session* session, size_t n_design, const double* parameters, double* objectives,
                                       double* final_sensors, double* violation, size_t* failed);
/* The same with the exact gradient [n_design, n_objective, n_parameter]. */
GRADUS_API gradus_code gradus_gradient(gradus_session* session, size_t n_design, const double* parameters, double* objectives,
                                       double* gradient, size_t* failed);
/* Jacobian of the objectives times directions [n_design, n_parameter]: products [n_design, n_objective]. */
GRADUS_API gradus_code gradus_jacobian_vector(gradus_session* session, size_t n_design, const double* parameters,
                                              const double* directions, double* products, size_t* failed);
/* Its transpose times weights [n_design, n_objective]: products [n_design, n_parameter]. */
GRADUS_API gradus_code gradus_vector_jacobian(gradus_session* session, size_t n_design, const double* parameters,
                                              const double* weights, double* products, size_t* failed);
/* Arrays of what is exchanged, by rows. What is null is zero where it is read (but of designs nothing may be), and left out
 * where it is written to; so are structs. */
typedef struct gradus_inputs {
  double* parameters;   /* [n_design, n_parameter] */
  double* start_states; /* [n_design, 2 n_coordinate] with "start-states" */
} gradus_inputs;
typedef struct gradus_outputs {
  double* objectives;   /* [n_design, n_objective] */
  double* sensors;      /* [n_design, n_time, n_exchanged_component] with "sensor-times" */
  double* final_states; /* [n_design, 2 n_coordinate] with "final-state" */
} gradus_outputs;

/* The outputs of designs. */
GRADUS_API gradus_code gradus_evaluate(gradus_session* session, size_t n_design, const gradus_inputs* at,
                                       const gradus_outputs* values, size_t* failed);
/* The Jacobian of outputs by inputs times directions, by one column; and the outputs, as `values`. */
GRADUS_API gradus_code gradus_multiply_jacobian(gradus_session* session, size_t n_design, const gradus_inputs* at,
                                                const gradus_inputs* directions, const gradus_outputs* products,
                                                const gradus_outputs* values, size_t* failed);
/* Its transpose times weights, by the adjoint. */
GRADUS_API gradus_code gradus_multiply_transposed_jacobian(gradus_session* session, size_t n_design, const gradus_inputs* at,
                                                           const gradus_outputs* weights, const gradus_inputs* products,
                                                           const gradus_outputs* values, size_t* failed);
/* How a design of the last call ended: `ok` 1 or 0, the time it reached [s], why it failed (valid until the session's next
 * call). Pointers may be null. */
GRADUS_API gradus_code gradus_design_status(gradus_session* session, size_t design, int* ok, double* time,
                                            const char** message);

#ifdef __cplusplus
}
#endif

#endif
