// Compiles the functions of the oracle.
#include "tests/oracle/oracle.hpp"

namespace oracle {

ORACLE_INSTANCES(template, double)
ORACLE_INSTANCES(template, Complex)

}  // namespace oracle
