// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "critical_path/host_pieces.hpp"
#include "events/thread_sweep.hpp"
#include "flame/flame_stacks.hpp"

namespace ridge::trace {
namespace {

constexpr std::string_view unplaced = "(launch not recorded)";

// Work by the host event that it is shown below: its launch, else its operator.
class work_by_event {
 public:
  explicit work_by_event(const trace& t) {
    for (work_id w = 0; w < t.works.size(); ++w) {
      const auto at = t.works[w].launch != none ? t.works[w].launch : t.works[w].op;
      rows_.push_back({at, w});
    }
    std::ranges::sort(rows_);
  }
  struct row {
    event_id event = none;
    work_id work = none;
    friend auto operator<=>(const row&, const row&) = default;
  };
  [[nodiscard]] std::span<const row> below(event_id e) const {
    return std::ranges::equal_range(rows_, e, {}, &row::event);
  }

 private:
  std::vector<row> rows_{};
};

class device_flame {
 public:
  device_flame(const trace& t, const work_by_event& work, const flame_options& options,
               flame_builder& builder)
      : t_(t),
        work_(work),
        options_(options),
        builder_(builder),
        stack_(t, builder),
        placed_(t.works.size(), false) {}

  void opened(event_id e) {
    stack_.push(e);
    const auto kind = t_.events.kind[e];
    if (kind != category::api && kind != category::op) return;
    const auto works = work_.below(e);
    if (works.empty()) return;
    const auto node = stack_.node(kind == category::api ? 1 : 0);
    for (const auto& row : works) put(node, row.work);
  }
  void closed(event_id) { stack_.pop(); }
  void stretch(nanoseconds, nanoseconds, event_id) {}

  void rest() {
    if (options_.track || std::ranges::find(placed_, false) == placed_.end()) return;
    for (work_id w = 0; w < t_.works.size(); ++w) {
      if (!placed_[w] && length(w) > 0) put(builder_.child(0, unplaced), w);
    }
  }

 private:
  [[nodiscard]] nanoseconds length(work_id w) const {
    return length_in(options_.window, t_.works[w].start_ns, t_.works[w].end_ns);
  }
  void put(std::uint32_t node, work_id w) {
    placed_[w] = true;
    if (length(w) > 0) builder_.add(builder_.child(node, t_.names[t_.works[w].name]), length(w));
  }
  const trace& t_;
  const work_by_event& work_;
  const flame_options& options_;
  flame_builder& builder_;
  flame_stack stack_;
  std::vector<bool> placed_;
};

}  // namespace

flame_tree flame_of_device(const trace& t, const flame_options& options) {
  path_pieces in;
  find_threads(t, in);
  const work_by_event work(t);
  flame_builder made;
  device_flame to(t, work, options, made);
  for (const auto& thread : in.threads) {
    if (options.track && thread.tracks[0] != *options.track && thread.tracks[1] != *options.track) continue;
    thread_sweep sweep(t, thread.tracks, to);
    sweep.run();
  }
  to.rest();
  return std::move(made).finish();
}

}  // namespace ridge::trace
