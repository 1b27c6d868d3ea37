// SPDX-License-Identifier: Apache-2.0
#include "critical_path/host_labels.hpp"

#include <algorithm>

#include "events/thread_sweep.hpp"

namespace ridge::trace {
namespace {

struct labelled {
  std::size_t segment = 0;  // index of the walked segment
  time_range range{};
  event_id event = none;
};

// The innermost events of one thread within the segments walked on it, which ascend in time.
class label_reader {
 public:
  label_reader(const std::vector<walked_segment>& walked, const std::vector<std::size_t>& mine,
               std::vector<labelled>& labels)
      : walked_(walked), mine_(mine), labels_(labels) {}
  void opened(event_id) {}
  void closed(event_id) {}
  void stretch(nanoseconds start_ns, nanoseconds end_ns, event_id innermost) {
    while (position_ < mine_.size() && range().end_ns <= start_ns) ++position_;
    for (auto i = position_; i < mine_.size(); ++i) {
      const auto r = walked_[mine_[i]].segment.range;
      if (r.start_ns >= end_ns) break;
      labels_.push_back({mine_[i], {std::max(start_ns, r.start_ns), std::min(end_ns, r.end_ns)}, innermost});
    }
  }

 private:
  [[nodiscard]] time_range range() const { return walked_[mine_[position_]].segment.range; }
  const std::vector<walked_segment>& walked_;
  const std::vector<std::size_t>& mine_;
  std::vector<labelled>& labels_;
  std::size_t position_ = 0;
};

std::vector<std::vector<std::size_t>> by_thread(const path_pieces& pieces,
                                                const std::vector<walked_segment>& walked) {
  std::vector<std::vector<std::size_t>> threads(pieces.threads.size());
  for (std::size_t i = 0; i < walked.size(); ++i) {
    if (walked[i].thread != none && walked[i].segment.event == none) threads[walked[i].thread].push_back(i);
  }
  return threads;
}

}  // namespace

std::vector<path_segment> with_host_labels(const trace& t, const path_pieces& pieces,
                                           std::vector<walked_segment> walked) {
  const auto threads = by_thread(pieces, walked);
  std::vector<std::vector<labelled>> labels(threads.size());
  for (std::size_t i = 0; i < threads.size(); ++i) {
    if (threads[i].empty()) continue;
    label_reader to(walked, threads[i], labels[i]);
    thread_sweep sweep(t, pieces.threads[i].tracks, to);
    sweep.run(pieces.window.end_ns);
  }
  std::vector<path_segment> segments;
  auto count = walked.size();
  for (const auto& mine : labels) count += mine.size();
  segments.reserve(count);
  std::vector<std::size_t> next(threads.size(), 0);
  for (std::size_t i = 0; i < walked.size(); ++i) {
    auto segment = walked[i].segment;
    if (walked[i].thread == none || segment.event != none) {
      segments.push_back(segment);
      continue;
    }
    const auto& mine = labels[walked[i].thread];
    for (auto& at = next[walked[i].thread]; at < mine.size() && mine[at].segment == i; ++at) {
      segment.range = mine[at].range;
      segment.event = mine[at].event;
      segments.push_back(segment);
      segment.because = path_edge::program_order;
    }
  }
  return segments;
}

}  // namespace ridge::trace
