// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "critical_path/host_pieces.hpp"
#include "events/thread_sweep.hpp"
#include "flame/flame_stacks.hpp"

namespace ridge::trace {
namespace {

std::string name_of_thread(const trace& t, const host_thread& thread) {
  const auto& track = t.tracks[thread.tracks[0] != none ? thread.tracks[0] : thread.tracks[1]];
  auto name = track.name.empty() ? "thread " + std::to_string(track.thread) : track.name;
  if (t.processes.size() < 2) return name;
  return "process " + std::to_string(t.processes[track.process].id) + " " + name;
}

class host_flame {
 public:
  host_flame(const trace& t, const std::optional<time_range>& window, flame_builder& builder)
      : window_(window), builder_(builder), stack_(t, builder) {}
  void thread(const std::string& name) { stack_.base(builder_.child(0, name)); }
  void opened(event_id e) { stack_.push(e); }
  void closed(event_id) { stack_.pop(); }
  void stretch(nanoseconds start_ns, nanoseconds end_ns, event_id innermost) {
    const auto length = length_in(window_, start_ns, end_ns);
    if (innermost != none && length > 0) builder_.add(stack_.node(), length);
  }

 private:
  std::optional<time_range> window_;
  flame_builder& builder_;
  flame_stack stack_;
};

}  // namespace

flame_tree flame_of_host(const trace& t, const flame_options& options) {
  path_pieces in;
  find_threads(t, in);
  flame_builder made;
  for (const auto& thread : in.threads) {
    if (options.track && thread.tracks[0] != *options.track && thread.tracks[1] != *options.track) continue;
    host_flame to(t, options.window, made);
    to.thread(name_of_thread(t, thread));
    thread_sweep sweep(t, thread.tracks, to);
    sweep.run();
  }
  return std::move(made).finish();
}

}  // namespace ridge::trace
