// A planar chain integrated by CVODES of SUNDIALS.
#include "bench/peers/cvodes_run.hpp"

#include <memory>
#include <stdexcept>

#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

namespace gradus::bench {
namespace {

constexpr long kMostSteps = 1000000;

void must(int flag, const char* call) {
  if (flag < 0)
    throw std::runtime_error(std::string("CVODES: ") + call + " returned " + std::to_string(flag));
}

struct Free {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
  void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
  void operator()(SUNNonlinearSolver solver) const { SUNNonlinSolFree(solver); }
  void operator()(void* memory) const { CVodeFree(&memory); }
};
template <typename Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Free>;

// Vectors of one size, one per parameter.
class Columns {
 public:
  Columns(int count, N_Vector like) : count_(count), vectors_(N_VCloneVectorArray(count, like)) {
    for (int p = 0; p < count; ++p) N_VConst(0.0, vectors_[p]);
  }
  ~Columns() { N_VDestroyVectorArray(vectors_, count_); }
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;
  N_Vector* get() { return vectors_; }

 private:
  int count_;
  N_Vector* vectors_;
};

double* data(N_Vector vector) {
  return N_VGetArrayPointer(vector);
}

PlanarChain& chain_of(void* user) {
  return *static_cast<PlanarChain*>(user);
}

template <typename Pointer>
std::vector<Pointer> all_data(int count, N_Vector* vectors) {
  std::vector<Pointer> pointers;
  pointers.reserve(static_cast<std::size_t>(count));
  for (int p = 0; p < count; ++p) pointers.push_back(data(vectors[p]));
  return pointers;
}

int state_rates(double, N_Vector y, N_Vector rates, void* user) {
  chain_of(user).rates(data(y), data(rates));
  return 0;
}

int state_jacobian(double, N_Vector y, N_Vector, SUNMatrix jacobian, void* user, N_Vector, N_Vector,
                   N_Vector) {
  chain_of(user).jacobian(data(y), SUNDenseMatrix_Data(jacobian));
  return 0;
}

int column_rates(int count, double, N_Vector y, N_Vector, N_Vector* columns, N_Vector* rates,
                 void* user, N_Vector, N_Vector) {
  chain_of(user).column_rates(data(y), all_data<const double*>(count, columns),
                              all_data<double*>(count, rates));
  return 0;
}

// One integration, from the allocation of its memory to its results. The objective is one of the
// states: sensitivities of quadratures read memory that nothing was written to when Adams' method
// raises its order (cvAdjustAdams of SUNDIALS 6.4.1).
class Integration {
 public:
  Integration(PlanarChain& chain, const CvodesSettings& settings, bool with_gradient)
      : chain_(chain), settings_(settings), count_(with_gradient ? chain.parameters() : 0) {
    state_.reset(N_VNew_Serial(chain.states(), context_));
    N_VEnableFusedOps_Serial(state_.get(), SUNTRUE);  // as good as vectors of this kind can be
    std::copy(chain.start().begin(), chain.start().end(), data(state_.get()));
    memory_.reset(
        CVodeCreate(settings.method == CvodesMethod::bdf_newton ? CV_BDF : CV_ADAMS, context_));
    start_motion();
    if (count_ > 0) start_columns();
  }

  CvodesRun run() {
    CvodesRun result;
    double reached = 0.0;
    void* memory = memory_.get();
    must(CVode(memory, chain_.duration(), state_.get(), &reached, CV_NORMAL), "CVode");
    const int objective = chain_.states() - 1;
    result.objective = data(state_.get())[objective];
    if (count_ > 0) must(CVodeGetSens(memory, &reached, columns_->get()), "CVodeGetSens");
    for (int p = 0; p < count_; ++p) result.gradient.push_back(data(columns_->get()[p])[objective]);
    must(CVodeGetNumSteps(memory, &result.steps), "CVodeGetNumSteps");
    return result;
  }

 private:
  void start_motion() {
    void* memory = memory_.get();
    must(CVodeInit(memory, state_rates, 0.0, state_.get()), "CVodeInit");
    must(CVodeSStolerances(memory, settings_.rtol, settings_.atol), "CVodeSStolerances");
    must(CVodeSetUserData(memory, &chain_), "CVodeSetUserData");
    must(CVodeSetMaxNumSteps(memory, kMostSteps), "CVodeSetMaxNumSteps");
    must(CVodeSetStopTime(memory, chain_.duration()), "CVodeSetStopTime");
    if (settings_.method == CvodesMethod::adams_fixed_point) {
      corrector_.reset(SUNNonlinSol_FixedPoint(state_.get(), 0, context_));
      must(CVodeSetNonlinearSolver(memory, corrector_.get()), "CVodeSetNonlinearSolver");
    } else {
      matrix_.reset(SUNDenseMatrix(chain_.states(), chain_.states(), context_));
      solver_.reset(SUNLinSol_Dense(state_.get(), matrix_.get(), context_));
      must(CVodeSetLinearSolver(memory, solver_.get(), matrix_.get()), "CVodeSetLinearSolver");
      must(CVodeSetJacFn(memory, state_jacobian), "CVodeSetJacFn");
    }
  }

  void start_columns() {
    void* memory = memory_.get();
    columns_ = std::make_unique<Columns>(count_, state_.get());
    must(CVodeSensInit(memory, count_, CV_STAGGERED, column_rates, columns_->get()),
         "CVodeSensInit");
    scales_ = chain_.parameter_values();
    must(CVodeSetSensParams(memory, nullptr, scales_.data(), nullptr), "CVodeSetSensParams");
    must(CVodeSensEEtolerances(memory), "CVodeSensEEtolerances");
    const booleantype in_error = settings_.columns_in_error ? SUNTRUE : SUNFALSE;
    must(CVodeSetSensErrCon(memory, in_error), "CVodeSetSensErrCon");
    if (settings_.method == CvodesMethod::adams_fixed_point) {
      column_corrector_.reset(SUNNonlinSol_FixedPointSens(count_, state_.get(), 0, context_));
      must(CVodeSetNonlinearSolverSensStg(memory, column_corrector_.get()),
           "CVodeSetNonlinearSolverSensStg");
    }
  }

  PlanarChain& chain_;
  CvodesSettings settings_;
  int count_;
  sundials::Context context_;
  Owned<N_Vector> state_;
  Owned<SUNMatrix> matrix_;
  Owned<SUNLinearSolver> solver_;
  Owned<SUNNonlinearSolver> corrector_, column_corrector_;
  std::vector<double> scales_;
  std::unique_ptr<Columns> columns_;
  std::unique_ptr<void, Free> memory_;  // let go of first
};

}  // namespace

std::string CvodesSettings::name() const {
  const char* names[] = {"Adams, fixed point", "Adams, Newton", "BDF, Newton"};
  return std::string(names[static_cast<int>(method)]) +
         (columns_in_error ? ", columns in error" : "");
}

CvodesRun cvodes_run(PlanarChain& chain, const CvodesSettings& settings, bool with_gradient) {
  return Integration(chain, settings, with_gradient).run();
}

std::string sundials_version() {
  char version[32] = "";
  SUNDIALSGetVersion(version, sizeof version);
  return version;
}

}  // namespace gradus::bench
