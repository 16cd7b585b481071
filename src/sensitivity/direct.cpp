// Direct differentiation: the columns travel with the motion.
#include "src/sensitivity/gradient.hpp"

namespace gradus {

MotionOutcome direct_gradient(const Session& session) {
  MotionRequest request = session.request();
  request.with_columns = true;
  return session.run(std::move(request));
}

}  // namespace gradus
