// Where spans overlap the shortest length counts.
#include "src/motion/limit_spans.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace gradus {
namespace {

// What changes at a time.
struct SpanEvents {
  std::vector<double> begins, ends;  // lengths of the spans that begin and end
  bool stops = false;
  double stop = 0.0;
};

std::map<double, SpanEvents> events_of(const std::vector<LimitSpan>& spans) {
  std::map<double, SpanEvents> events;
  for (const LimitSpan& span : spans) {
    SpanEvents& at = events[span.begin];
    if (span.begin == span.end) {
      at.stop = std::min(at.stop, span.length);  // of both kinds, the fixed instant
      at.stops = true;
      continue;
    }
    at.begins.push_back(span.length);
    events[span.end].ends.push_back(span.length);
  }
  return events;
}

}  // namespace

std::vector<double> disjoint_spans(const std::vector<LimitSpan>& spans) {
  std::vector<double> limits;
  std::multiset<double> lengths;
  double begin = 0.0;
  for (const auto& event : events_of(spans)) {
    const double time = event.first;
    const auto& at = event.second;
    const double before = lengths.empty() ? 0.0 : *lengths.begin();
    const auto end_span = [&] {
      if (before > 0.0 && time > begin) limits.insert(limits.end(), {begin, time, before});
      begin = time;
    };
    for (const double length : at.ends) lengths.erase(lengths.find(length));
    lengths.insert(at.begins.begin(), at.begins.end());
    const double behind = lengths.empty() ? 0.0 : *lengths.begin();
    if (at.stops || before != behind) end_span();
    if (at.stops) limits.insert(limits.end(), {time, time, at.stop});
  }
  return limits;
}

}  // namespace gradus
