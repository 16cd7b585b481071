// Spans of time in which steps are limited, as law_limit() reads them.
#pragma once

#include <vector>

namespace gradus {

// Where the span begins and ends, and how long steps may be there. Where a step ends is a span
// without extent, of length 0 or kernels::kFixedInstant.
struct LimitSpan {
  double begin, end, length;
};

// The same limits in spans that do not overlap, [span, kernels::kStepLimitNumbers]: begins ascend,
// and so do ends.
std::vector<double> disjoint_spans(const std::vector<LimitSpan>& spans);

}  // namespace gradus
