// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/activity.hpp>

#include <algorithm>
#include <array>
#include <unordered_map>

#include <ridge/base/expects.hpp>

namespace ridge::trace {
namespace {

struct work_end {
  nanoseconds at_ns = 0;
  work_class kind = work_class::compute;
};

// How many works of each class run now.
class running_works {
 public:
  void start(work_class c) { ++counts_[static_cast<std::size_t>(c)]; }
  void end(work_class c) { --counts_[static_cast<std::size_t>(c)]; }
  [[nodiscard]] std::uint8_t bits() const {
    unsigned bits = 0;
    for (std::size_t c = 0; c < counts_.size(); ++c)
      bits |= (counts_[c] > 0 ? 1U << c : 0U) | (counts_[c] > 1 ? 16U << c : 0U);
    return static_cast<std::uint8_t>(bits);
  }

 private:
  std::array<std::int64_t, 4> counts_{};
};

void note(std::vector<activity_change>& changes, nanoseconds at_ns, std::uint8_t runs) {
  if (!changes.empty() && changes.back().start_ns == at_ns) changes.pop_back();
  const auto before = changes.empty() ? std::uint8_t{0} : changes.back().runs;
  if (runs != before) changes.push_back({at_ns, runs});
}

}  // namespace

std::vector<nanoseconds> believed_ends(const trace& t) {
  std::vector<nanoseconds> ends(t.works.size());
  std::unordered_map<std::uint64_t, nanoseconds> next_start;  // by (device, stream), from the back
  for (auto i = t.works.size(); i-- > 0;) {
    const auto& w = t.works[i];
    const auto key =
        std::uint64_t{static_cast<std::uint32_t>(w.device)} << 32 | static_cast<std::uint32_t>(w.stream);
    const auto next = next_start.find(key);
    const bool clip = (w.flags & flag_covers_successors) != 0 && next != next_start.end();
    ends[i] = clip ? std::min(w.end_ns, next->second) : w.end_ns;
    next_start[key] = w.start_ns;
  }
  return ends;
}

device_activity activity_of(const trace& t, std::span<const work_class> classes, std::int32_t device,
                            overlong handling) {
  expects(classes.size() == t.works.size(), "activity_of: one class for each of trace::works");
  const auto works = t.works_of(device);
  const auto first = static_cast<std::size_t>(works.data() - t.works.data());
  const auto believed = handling == overlong::clipped ? believed_ends(t) : std::vector<nanoseconds>{};
  std::vector<work_end> ends;
  ends.reserve(works.size());
  for (std::size_t i = 0; i < works.size(); ++i)
    ends.push_back({believed.empty() ? works[i].end_ns : believed[first + i], classes[first + i]});
  std::ranges::sort(ends, {}, &work_end::at_ns);

  device_activity out{.device = device, .span = {}, .changes = {}};
  if (!works.empty()) out.span = {works.front().start_ns, ends.back().at_ns};
  running_works now;
  std::size_t started = 0;
  for (const auto& e : ends) {
    for (; started < works.size() && works[started].start_ns <= e.at_ns; ++started) {
      now.start(classes[first + started]);
      note(out.changes, works[started].start_ns, now.bits());
    }
    now.end(e.kind);
    note(out.changes, e.at_ns, now.bits());
  }
  return out;
}

}  // namespace ridge::trace
