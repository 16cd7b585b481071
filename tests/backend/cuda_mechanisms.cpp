// The GPU agrees with the CPU on joints, closures, forces and laws of every kind.
#include <functional>

#include "tests/backend/gpu.hpp"
#include "tests/derivative/build.hpp"
#include "tests/derivative/mechanisms.hpp"

namespace gradus::test {
namespace {

struct NamedModel {
  const char* name;
  std::function<Model()> make;
};

void PrintTo(const NamedModel& model, std::ostream* out) {
  *out << model.name;
}

Options some_designs(const char* backend) {
  Options options;
  options.backend = backend;
  options.method = "direct";
  options.designs.count = 5;
  options.designs.spread = 1e-3;
  return options;
}

class CudaMechanism : public NeedsGpu, public testing::WithParamInterface<NamedModel> {
 protected:
  // Every number is a parameter, unless the loops close for few values only.
  static Model model() {
    Model model = GetParam().make();
    return model.parameters.empty() ? derivative::parametrise_all(model) : model;
  }
};

TEST_P(CudaMechanism, DifferentiatesAsTheHostDoes) {
  const Result gpu = gradient(model(), some_designs("cuda"));
  EXPECT_EQ(gpu.backend, "cuda:0");
  expect_agreement(gpu, gradient(model(), some_designs("cpu")));
}

TEST_P(CudaMechanism, SolvesForColumnsApartAsTheHostDoes) {
  const Result host = gradient(model(), some_designs("cpu"));
  if (GetParam().name == std::string("driven_loop")) {  // whose motion is prescribed
    Options none = some_designs("cuda");
    none.solver = "native";
    EXPECT_THROW(gradient(model(), none), Error);
    return;
  }
  for (const char* solver : {"native", "cublas-getrs", "cublas-trsm", "cusolver", "mixed"}) {
    Options device = some_designs("cuda");
    (solver == std::string("mixed") ? device.precision : device.solver) = solver;
    SCOPED_TRACE(solver);
    try {
      expect_agreement(gradient(model(), device), host);
    } catch (const BackendError& error) {  // a library that is not installed
      RecordProperty(solver, error.what());
      EXPECT_NE(std::string(error.what()).find("lib"), std::string::npos) << error.what();
    }
  }
}

TEST_P(CudaMechanism, DifferentiatesPenaltyProjectionsAsTheHostDoes) {
  Options device = some_designs("cuda");
  Options host = some_designs("cpu");
  device.projections = host.projections = "penalty";
  // Penalties leave a share of the constraint forces over the penalty.
  expect_agreement(gradient(model(), device), gradient(model(), host), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Every, CudaMechanism,
    testing::Values(
        NamedModel{"every_joint", derivative::every_joint},
        NamedModel{"every_force",
                   [] { return derivative::parametrise_all(derivative::every_force()); }},
        NamedModel{"branched_tree", derivative::branched_tree},
        NamedModel{"driven_loop",
                   [] { return derivative::parametrise_all(derivative::driven_loop()); }},
        NamedModel{"guided_loop",
                   [] { return derivative::parametrise_all(derivative::guided_loop()); }},
        NamedModel{"bennett_linkage", derivative::bennett_linkage},
        NamedModel{"cut_revolute", [] { return derivative::closed_by(JointType::revolute); }},
        NamedModel{"cut_prismatic", [] { return derivative::closed_by(JointType::prismatic); }},
        NamedModel{"cut_cardan", [] { return derivative::closed_by(JointType::cardan); }},
        NamedModel{"cut_cylindrical", [] { return derivative::closed_by(JointType::cylindrical); }},
        NamedModel{"cut_spherical", [] { return derivative::closed_by(JointType::spherical); }},
        NamedModel{"cut_planar", [] { return derivative::closed_by(JointType::planar); }},
        NamedModel{"cut_fixed", [] { return derivative::closed_by(JointType::fixed); }}),
    [](const auto& named) { return std::string(named.param.name); });

}  // namespace
}  // namespace gradus::test
