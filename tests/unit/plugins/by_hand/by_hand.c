/* A plug-in written by hand, as it should be, and as it should be refused. */
#include <gradus/plugin_interface.h>
#include <stddef.h>

#if defined(TWIN)
#define UNIT "N/mm"
#else
#define UNIT "N/m"
#endif
#if defined(TAKEN_TYPE)
#define TYPE "torque"
#elif defined(TWICE)
#define TYPE "twice"
#else
#define TYPE "by-hand"
#endif
#if defined(OTHER_INTERFACE)
#define INTERFACE GRADUS_PLUGIN_INTERFACE + 1
#else
#define INTERFACE GRADUS_PLUGIN_INTERFACE
#endif
#if defined(PROBLEM)
#define PROBLEM_TEXT "out of\norder"
#else
#define PROBLEM_TEXT NULL
#endif
#if defined(EMPTY)
#define FORCES 0
#elif defined(TWICE)
#define FORCES 2
#else
#define FORCES 1
#endif

static const char* const choices[] = {"a", "b"};

static const gradus_plugin_key keys[] = {
    {"k", UNIT, GRADUS_PLUGIN_NUMBER, 1, 1, 0, NULL, 0},
    {"c", NULL, GRADUS_PLUGIN_CHOICE, 1, 0, 0, choices, 2},
};

static const gradus_plugin_state states[] = {{"s", NULL, "k"}};

/* k l, and the state grows at the rate 1. */
static void formula(const gradus_plugin_question* question, const gradus_plugin_reply* reply) {
  static const gradus_plugin_instruction instructions[] = {
      {GRADUS_PLUGIN_INPUT, GRADUS_PLUGIN_KEY, 0, 0.0},
      {GRADUS_PLUGIN_INPUT, GRADUS_PLUGIN_EXTENT, 0, 0.0},
      {GRADUS_PLUGIN_MULTIPLY, 0, 1, 0.0},
      {GRADUS_PLUGIN_CONSTANT, 0, 0, 1.0},
  };
  static const int results[] = {2, 3};
  (void)question;
  reply->formula(reply->context, instructions, 4, results, 2);
}

static const gradus_plugin_force forces[] = {
    {TYPE, GRADUS_PLUGIN_LINE, keys, 2, states, 1, formula},
    {TYPE, GRADUS_PLUGIN_JOINT, keys, 2, states, 1, formula}};
static const gradus_plugin plugin = {INTERFACE, PROBLEM_TEXT, forces, FORCES};

#if defined(NO_ENTRY)
#define ENTRY something_else
#else
#define ENTRY gradus_plugin_entry
#endif

const gradus_plugin* ENTRY(void);
const gradus_plugin* ENTRY(void) {
#if defined(NOTHING)
  return plugin.force_count == 0 ? &plugin : NULL;
#else
  return &plugin;
#endif
}
