// The module of Ipopt: interior points, with curvature from gradients.
#include <IpIpoptApplication.hpp>
#include <IpTNLP.hpp>
#include <algorithm>
#include <cmath>
#include <map>

#include "src/study/optimization/optimizer.hpp"
#include "src/study/optimization/scaled_problem.hpp"

namespace gradus {
namespace {

using Ipopt::Index;
using Ipopt::Number;

// What Ipopt takes for no bound.
constexpr Number ipopt_infinity = 2e19;

Number bound_of(double bound) {
  return std::clamp(bound, -ipopt_infinity, ipopt_infinity);
}

class Problem : public Ipopt::TNLP {
 public:
  explicit Problem(SearchView& search) : search_(search), problem_(search.problem()) {}

  bool get_nlp_info(Index& n, Index& m, Index& nonzeros, Index& hessian_nonzeros,
                    IndexStyleEnum& style) override {
    n = static_cast<Index>(problem_.variables());
    m = static_cast<Index>(problem_.constraints());
    nonzeros = n * m;
    hessian_nonzeros = 0;
    style = C_STYLE;
    return true;
  }

  bool get_bounds_info(Index, Number* lower, Number* upper, Index, Number* constraint_lower,
                       Number* constraint_upper) override {
    const auto copy_bounds = [](const std::vector<double>& bounds, Number* to) {
      std::transform(bounds.begin(), bounds.end(), to, bound_of);
    };
    copy_bounds(problem_.lower, lower);
    copy_bounds(problem_.upper, upper);
    copy_bounds(problem_.constraint_lower, constraint_lower);
    copy_bounds(problem_.constraint_upper, constraint_upper);
    return true;
  }

  bool get_starting_point(Index, bool, Number* x, bool, Number*, Number*, Index, bool,
                          Number*) override {
    std::copy(search_.origin().begin(), search_.origin().end(), x);
    return true;
  }

  bool eval_f(Index, const Number* x, bool, Number& value) override {
    const ScaledEvaluation* const found = at(x);
    if (found != nullptr) value = found->objective;
    return found != nullptr;
  }

  bool eval_grad_f(Index, const Number* x, bool, Number* gradient) override {
    return copy(&ScaledEvaluation::gradient, x, gradient);
  }

  bool eval_g(Index, const Number* x, bool, Index, Number* values) override {
    return copy(&ScaledEvaluation::constraints, x, values);
  }

  bool eval_jac_g(Index n, const Number* x, bool, Index m, Index, Index* rows, Index* columns,
                  Number* values) override {
    if (values == nullptr) {  // asks where entries are: everywhere
      for (Index i = 0; i < n * m; ++i) {
        rows[i] = i / n;
        columns[i] = i % n;
      }
      return true;
    }
    return copy(&ScaledEvaluation::constraint_gradient, x, values);
  }

  bool intermediate_callback(Ipopt::AlgorithmMode, Index, Number, Number, Number, Number, Number,
                             Number, Number, Number, Index, const Ipopt::IpoptData*,
                             Ipopt::IpoptCalculatedQuantities*) override {
    return !stopped_;
  }

  void finalize_solution(Ipopt::SolverReturn, Index, const Number*, const Number*, const Number*,
                         Index, const Number*, const Number*, Number, const Ipopt::IpoptData*,
                         Ipopt::IpoptCalculatedQuantities*) override {}

 private:
  // Null for failed designs, from which Ipopt steps back, and when it is time to stop.
  const ScaledEvaluation* at(const Number* x) {
    const SearchView::Found* const found = search_.at(x);
    stopped_ = found == nullptr;
    return found == nullptr || found->failed ? nullptr : &found->evaluation;
  }

  bool copy(std::vector<double> ScaledEvaluation::*part, const Number* x, Number* to) {
    const ScaledEvaluation* const found = at(x);
    if (found != nullptr) std::copy((found->*part).begin(), (found->*part).end(), to);
    return found != nullptr;
  }

  SearchView& search_;
  const ScaledProblem& problem_;
  bool stopped_ = false;
};

void set_options(Ipopt::OptionsList& options, const ScaledProblem& problem) {
  options.SetStringValue("hessian_approximation", "limited-memory");
  options.SetStringValue("sb", "yes");
  options.SetIntegerValue("print_level", 0);
  options.SetIntegerValue("max_iter", 1'000'000);  // the search counts evaluations
  options.SetNumericValue("bound_relax_factor", 0.0);
  // The problem is scaled already, and the search knows when it is enough.
  options.SetStringValue("nlp_scaling_method", "none");
  options.SetStringValue("mu_strategy", "adaptive");
  // By the room before bounds, of which an interior point leaves some, times what pushes: this goes
  // with the square of the stationarity.
  const double tolerance = std::max(1e-13, 0.1 * std::pow(enough_for(problem.tolerance()), 2));
  options.SetNumericValue("tol", tolerance);
  options.SetNumericValue("mu_min", 0.01 * tolerance);
  options.SetNumericValue("compl_inf_tol", tolerance);
  options.SetNumericValue("dual_inf_tol", tolerance);
  options.SetIntegerValue("acceptable_iter", 0);
  double constraint_tolerance = tolerance;
  for (const double of_row : problem.constraint_tolerance)
    constraint_tolerance = std::min(constraint_tolerance, of_row);
  options.SetNumericValue("constr_viol_tol", constraint_tolerance);
}

std::string reason_of(Ipopt::ApplicationReturnStatus status) {
  static const std::map<Ipopt::ApplicationReturnStatus, const char*> reasons = {
      {Ipopt::Solve_Succeeded, "the optimiser is content"},
      {Ipopt::Infeasible_Problem_Detected, "the constraints contradict each other here"},
      {Ipopt::Diverging_Iterates, "the parameters grow without bound"},
      {Ipopt::User_Requested_Stop, "stopped"},
      {Ipopt::Not_Enough_Degrees_Of_Freedom, "there are more equations than parameters"},
      {Ipopt::Search_Direction_Becomes_Too_Small, "steps have become smaller than the tolerance"},
  };
  const auto known = reasons.find(status);
  return known == reasons.end() ? "the optimiser finds no way on" : known->second;
}

std::string minimize(const std::string&, SearchView& search) {
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> application(
      new Ipopt::IpoptApplication(false));  // nothing on the console
  set_options(*application->Options(), search.problem());
  const Ipopt::SmartPtr<Ipopt::TNLP> problem(new Problem(search));
  application->Initialize("");  // reads no file of options
  return reason_of(application->OptimizeTNLP(problem));
}

constexpr IpoptModule functions{{minimize}};

}  // namespace
}  // namespace gradus

extern "C" gradus::ModuleEntry gradus_module() {
  return {GRADUS_VERSION, gradus::IpoptModule::interface, &gradus::functions};
}
