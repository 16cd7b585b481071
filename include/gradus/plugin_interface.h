/* What passes between gradus and a plug-in: numbers and texts of C, so that the two may be built by different compilers, and
 * no symbol of gradus is needed. Plug-ins in C++ are written with gradus/plugin.hpp, which fills all of this in.
 *
 * A plug-in is a shared library that exports gradus_plugin_entry. It describes kinds of forces and, of each, states its formula
 * as a list of operations, which gradus runs, differentiates and takes to other devices. Everything it hands over stays where it
 * is as long as the process lives, but for what it replies with, which is copied. Functions may be called by any thread, several
 * at once, and let no exception out. */
#ifndef GRADUS_PLUGIN_INTERFACE_H
#define GRADUS_PLUGIN_INTERFACE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever anything here changes: gradus loads plug-ins of its own interface only. */
#define GRADUS_PLUGIN_INTERFACE 2

enum gradus_plugin_acts_on {
  GRADUS_PLUGIN_LINE = 0,   /* between two places: result 0 is the tension [N] */
  GRADUS_PLUGIN_JOINT = 1,  /* on a coordinate: result 0 is the force [N] or torque [N m] in its direction */
  GRADUS_PLUGIN_POINT = 2,  /* at a place: results 0 to 2 are the force in global axes [N] */
  GRADUS_PLUGIN_BODY = 3,   /* on a body: results 0 to 2 are the torque in global axes [N m] */
  GRADUS_PLUGIN_BODIES = 4  /* between the bodies of two places, in the axes of the first: results 0 to 5 are the force [N] and
                             * the torque [N m] that pull and turn the second back */
};

enum gradus_plugin_content {
  GRADUS_PLUGIN_NUMBER = 0, /* of parameters */
  GRADUS_PLUGIN_LAW = 1,    /* of time and motion, too */
  GRADUS_PLUGIN_CHOICE = 2  /* the first of `choices` if it is not said */
};

typedef struct gradus_plugin_key {
  const char* name;
  const char* unit;
  int content;     /* gradus_plugin_content */
  int size;        /* 1, or 3 of vectors */
  int is_required;
  int is_positive; /* of single numbers: above 0; designs in which it is not fail */
  const char* const* choices;
  int choice_count;
} gradus_plugin_key;

/* A first-order state; its rate is a result behind those of the force. */
typedef struct gradus_plugin_state {
  const char* name;
  const char* unit;
  const char* initial; /* the key of its value at time 0; null: it starts at 0 */
} gradus_plugin_state;

enum gradus_plugin_operation {
  GRADUS_PLUGIN_CONSTANT = 0, /* value */
  GRADUS_PLUGIN_INPUT = 1,    /* a: gradus_plugin_input, b: which */
  GRADUS_PLUGIN_ADD = 2,
  GRADUS_PLUGIN_SUBTRACT = 3,
  GRADUS_PLUGIN_MULTIPLY = 4,
  GRADUS_PLUGIN_DIVIDE = 5,
  GRADUS_PLUGIN_POWER = 6,
  GRADUS_PLUGIN_NEGATE = 7,
  GRADUS_PLUGIN_SQRT = 8,
  GRADUS_PLUGIN_NORM = 9, /* the root of a sum of squares, which has no derivative at 0 */
  GRADUS_PLUGIN_SIN = 10,
  GRADUS_PLUGIN_COS = 11,
  GRADUS_PLUGIN_TAN = 12,
  GRADUS_PLUGIN_ASIN = 13,
  GRADUS_PLUGIN_ACOS = 14,
  GRADUS_PLUGIN_ATAN = 15,
  GRADUS_PLUGIN_ATAN2 = 16,
  GRADUS_PLUGIN_SINH = 17,
  GRADUS_PLUGIN_COSH = 18,
  GRADUS_PLUGIN_TANH = 19,
  GRADUS_PLUGIN_EXP = 20,
  GRADUS_PLUGIN_LOG = 21,
  GRADUS_PLUGIN_ABS = 22,
  GRADUS_PLUGIN_MIN = 23,
  GRADUS_PLUGIN_MAX = 24,
  GRADUS_PLUGIN_AT_LEAST = 25 /* 1 where a >= b, else 0: a choice that counts as a constant */
};

enum gradus_plugin_input {
  GRADUS_PLUGIN_KEY = 0,    /* b: 3 * key + component; 0 of a key that is not said */
  GRADUS_PLUGIN_EXTENT = 1, /* the length of a line, the coordinate of a joint */
  GRADUS_PLUGIN_RATE = 2,   /* its time derivative */
  GRADUS_PLUGIN_TIME = 3,
  GRADUS_PLUGIN_STATE = 4,           /* b: which of the states */
  GRADUS_PLUGIN_POSITION = 5,         /* of a point, b: component in global axes; between bodies of the second place, seen
                                       * from the first and in its axes, as all of them */
  GRADUS_PLUGIN_VELOCITY = 6,         /* of a point; the rate of the position between bodies */
  GRADUS_PLUGIN_ANGULAR_VELOCITY = 7, /* of a body; relative between bodies */
  GRADUS_PLUGIN_ROTATION = 8          /* between bodies: the rotation vector phi, 0 to 180 degrees; b = 3: (1 - h cot h)/|phi|^2
                                       * with h = |phi|/2 */
};

/* `a` and `b` are places of earlier instructions, but of inputs. */
typedef struct gradus_plugin_instruction {
  int operation; /* gradus_plugin_operation */
  int a;
  int b;
  double value;
} gradus_plugin_instruction;

/* What the model says of a force. */
typedef struct gradus_plugin_question {
  const int* said;   /* [key] 1 or 0 */
  const int* choice; /* [key] the number of the choice, 0 if there is none */
} gradus_plugin_question;

/* Exactly one of the two is called, once. */
typedef struct gradus_plugin_reply {
  void* context;
  void (*formula)(void* context, const gradus_plugin_instruction* instructions, int instruction_count, const int* results,
                  int result_count);
  void (*problem)(void* context, const char* message);
} gradus_plugin_reply;

typedef struct gradus_plugin_force {
  const char* type; /* of model files */
  int acts_on;      /* gradus_plugin_acts_on */
  const gradus_plugin_key* keys;
  int key_count;
  const gradus_plugin_state* states;
  int state_count;
  void (*formula)(const gradus_plugin_question* question, const gradus_plugin_reply* reply);
} gradus_plugin_force;

typedef struct gradus_plugin {
  int interface;       /* GRADUS_PLUGIN_INTERFACE: first, whatever it is */
  const char* problem; /* why there are no forces; null if there are */
  const gradus_plugin_force* forces;
  int force_count;
} gradus_plugin;

/* What the library exports under the name "gradus_plugin_entry". */
typedef const gradus_plugin* (*gradus_plugin_get)(void);

#ifdef __cplusplus
}
#endif

#endif
