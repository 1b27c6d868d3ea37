// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/launch_replay.hpp>

#include <algorithm>

namespace ridge::trace {
namespace {

constexpr int repetitions = 5, measured_from = 2;
// A stream goes from one queued work to the next in about a microsecond, and a thread that waits wakes in a
// few.
constexpr nanoseconds handover_ns = 1'000, wake_ns = 4'000;
// Recording never takes all of the host's time.
constexpr double most_cost = 0.85;

class replayer {
 public:
  replayer(const host_line& line, const replay_change& change)
      : line_(line), change_(change), ends_(line.works.size()), stream_end_(line.streams) {}

  replayed_line run() {
    nanoseconds from = 0;
    for (int r = 0; r < repetitions; ++r) {
      if (r == measured_from) from = device_end_, busy_ = 0;
      for (std::size_t i = 0; i < line_.points.size(); ++i) visit(line_.points[i], is_dropped(i));
    }
    constexpr nanoseconds measured = repetitions - measured_from;
    return {.period_ns = (device_end_ - from) / measured, .busy_ns = busy_ / measured};
  }

 private:
  [[nodiscard]] bool is_dropped(std::size_t point) const {
    return !change_.dropped_points.empty() && change_.dropped_points[point] != 0;
  }

  [[nodiscard]] bool waits(std::uint32_t work) const {
    const bool changed = !change_.work_factors.empty() && change_.work_factors[work] < 1;
    return !change_.without_waits && !(change_.unwaited && changed);
  }

  [[nodiscard]] nanoseconds duration_of(std::uint32_t work) const {
    const auto recorded = line_.works[work].duration_ns;
    if (change_.work_factors.empty()) return recorded;
    return static_cast<nanoseconds>(change_.work_factors[work] * static_cast<double>(recorded));
  }

  [[nodiscard]] nanoseconds host_time(const line_point& p, bool dropped_point) const {
    auto free = p.free_ns;
    if (dropped_point && !p.is_elsewhere()) return 0;
    if (change_.without_profiler)
      free -= std::min(p.cost_ns, static_cast<nanoseconds>(most_cost * static_cast<double>(free)));
    if (!p.is_elsewhere()) return change_.without_preparation ? 0 : free;
    const bool loads = p.elsewhere == idle_cause::data_loading;
    const bool dropped = loads ? change_.without_loading : change_.without_elsewhere;
    return dropped ? std::min(free, line_.spacing_ns) : free;
  }

  void visit(const line_point& p, bool dropped) {
    host_ += host_time(p, dropped);
    const auto ready = host_ + line_.latency_ns;
    for (auto i = p.first_work; i < p.first_work + p.works; ++i) {
      const auto& w = line_.works[i];
      auto& stream = stream_end_[w.stream];
      const auto handover = dropped ? 0 : i == p.first_work ? handover_ns : w.after_previous_ns;
      const auto start = std::max(ready, stream + handover);
      ends_[i] = stream = start + duration_of(i);
      busy_ += std::max<nanoseconds>(0, stream - std::max(start, device_end_));
      device_end_ = std::max(device_end_, stream);
    }
    if (p.waits_for != none && waits(p.waits_for) && ends_[p.waits_for] > host_)
      host_ = ends_[p.waits_for] + wake_ns;
  }

  const host_line& line_;
  const replay_change& change_;
  std::vector<nanoseconds> ends_, stream_end_;
  nanoseconds host_ = 0, device_end_ = 0, busy_ = 0;
};

}  // namespace

replayed_line replay(const host_line& line, const replay_change& change) {
  return replayer(line, change).run();
}

nanoseconds saved_ns(const host_line& line, const host_outlook& outlook, replay_change change) {
  if (!outlook.known || outlook.steady_ns <= 0) return 0;
  change.without_profiler = true;
  const auto saved = std::max<nanoseconds>(0, outlook.steady_ns - replay(line, change).period_ns);
  const auto scale = static_cast<double>(outlook.window_ns) / static_cast<double>(outlook.steady_ns);
  return static_cast<nanoseconds>(std::min(1.0, scale) * static_cast<double>(saved));
}

host_outlook outlook_of(const host_line& line, nanoseconds window_ns) {
  if (line.works.empty()) return {.window_ns = window_ns};
  const auto length = [&](const replay_change& change) { return replay(line, change).period_ns; };
  const auto recorded = length({}), real = length({.without_profiler = true});
  host_outlook made{.known = true};
  made.steady_ns = real;
  made.profiler_ns = std::clamp<nanoseconds>(recorded - real, 0, window_ns);
  made.window_ns = window_ns - made.profiler_ns;
  const auto saved = [&](const replay_change& change) { return saved_ns(line, made, change); };
  made.loading_ns = saved({.without_loading = true});
  made.elsewhere_ns = saved({.without_elsewhere = true});
  made.waits_ns = saved({.without_waits = true});
  made.preparation_ns = saved({.without_preparation = true});
  return made;
}

}  // namespace ridge::trace
