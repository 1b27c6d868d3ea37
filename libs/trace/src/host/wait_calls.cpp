// SPDX-License-Identifier: Apache-2.0
#include "host/wait_calls.hpp"

#include <algorithm>
#include <map>

#include "events/name_match.hpp"
#include "memory/copy_names.hpp"

namespace ridge::trace {
namespace {

constexpr std::int64_t scalar_bytes = 64;

bool reads_scalar_by_name(std::string_view op) {
  return op == "aten::item" || op == "aten::_local_scalar_dense" || op == "aten::is_nonzero";
}

// The copy that a call launched.
struct launched_copy {
  event_id call = none;
  work_id work = none;
  copy_ends ends{};
};

class copy_index {
 public:
  explicit copy_index(const trace& t) : trace_(t) {
    std::map<name_id, copy_ends> known;
    for (work_id w = 0; w < t.works.size(); ++w) {
      const auto& work = t.works[w];
      if (work.kind != category::copy || work.launch == none) continue;
      const auto at = known.try_emplace(work.name, copy_ends_of_name(t.names[work.name])).first;
      copies_.push_back({work.launch, w, copy_ends_of(work, at->second)});
    }
    std::ranges::sort(copies_, {}, &launched_copy::call);
  }
  [[nodiscard]] const launched_copy* of(event_id call) const {
    const auto at = std::ranges::lower_bound(copies_, call, {}, &launched_copy::call);
    return at != copies_.end() && at->call == call ? &*at : nullptr;
  }
  // For host memory that is not pinned the call stages the copy and returns when the host's part is done.
  [[nodiscard]] bool waited(event_id call) const {
    const auto* c = of(call);
    if (c == nullptr) return false;
    const auto pageable =
        c->ends.source == memory_kind::pageable || c->ends.destination == memory_kind::pageable;
    return pageable && trace_.works[c->work].end_ns <= trace_.events.end_ns(call);
  }
  [[nodiscard]] bool reads_scalar(event_id call) const {
    const auto* c = call == none ? nullptr : of(call);
    return c != nullptr && c->ends.kind == copy_kind::device_to_host &&
           trace_.works[c->work].bytes <= scalar_bytes;
  }

 private:
  const trace& trace_;
  std::vector<launched_copy> copies_{};
};

// Walks over one track, knowing the operators that are open and the API call before.
class track_walk {
 public:
  track_walk(const trace& t, const copy_index& copies, const std::vector<std::optional<wait_kind>>& kinds)
      : trace_(t), copies_(copies), kinds_(kinds) {}

  void walk(const track& thread, std::vector<waiting_call>& calls) {
    open_.clear();
    last_call_ = none;
    for (auto e = thread.first; e < thread.first + thread.count; ++e) {
      const auto kind = trace_.events.kind[e];
      if (kind == category::op) {
        close_until(trace_.events.start_ns[e]);
        open_.push_back(e);
      } else if (kind == category::api) {
        visit(e, calls);
        last_call_ = e;
      }
    }
  }

 private:
  void close_until(nanoseconds now) {
    while (!open_.empty() && trace_.events.end_ns(open_.back()) <= now) open_.pop_back();
  }

  void visit(event_id e, std::vector<waiting_call>& calls) {
    auto kind = kinds_[trace_.events.name[e]];
    const auto staged = !kind && copies_.waited(e);
    if (staged) kind = wait_kind::copy;
    if (!kind) return;
    close_until(trace_.events.start_ns[e]);
    const auto by_op =
        std::ranges::any_of(open_, [&](event_id o) { return reads_scalar_by_name(trace_.name_of(o)); });
    calls.push_back({.call = e,
                     .kind = *kind,
                     .surely = *kind != wait_kind::other,
                     .op = open_.empty() ? none : open_.back(),
                     .reads_scalar = !is_counted(last_call_, calls) &&
                                     (by_op || copies_.reads_scalar(e) || copies_.reads_scalar(last_call_))});
  }

  // A read counts once, although its copy and the synchronization right after it both wait.
  [[nodiscard]] static bool is_counted(event_id call, const std::vector<waiting_call>& waits) {
    return call != none && !waits.empty() && waits.back().call == call && waits.back().reads_scalar;
  }

  const trace& trace_;
  const copy_index& copies_;
  const std::vector<std::optional<wait_kind>>& kinds_;
  std::vector<event_id> open_{};
  event_id last_call_ = none;
};

}  // namespace

std::optional<wait_kind> wait_of_call(std::string_view api) {
  if (!api.starts_with("cu") && !api.starts_with("hip")) return {};
  if (contains(api, "Graph")) return {};
  if (contains(api, "DeviceSynchronize") || contains(api, "CtxSynchronize") ||
      contains(api, "ThreadSynchronize"))
    return wait_kind::device;
  if (contains(api, "StreamSynchronize")) return wait_kind::stream;
  if (contains(api, "EventSynchronize")) return wait_kind::event;
  if (contains(api, "Memcpy") && !contains(api, "Async")) return wait_kind::copy;
  const auto frees = api == "cudaFree" || api == "hipFree" || api == "cuMemFree" || api == "cuMemFree_v2";
  return frees ? std::optional(wait_kind::other) : std::nullopt;
}

std::vector<waiting_call> waiting_calls(const trace& t) {
  std::vector<std::optional<wait_kind>> kinds(t.names.size());
  for (name_id n = 0; n < t.names.size(); ++n) kinds[n] = wait_of_call(t.names[n]);
  const copy_index copies(t);
  track_walk walk(t, copies, kinds);
  std::vector<waiting_call> all;
  for (const auto& thread : t.tracks) {
    if (thread.kind == track_kind::thread) walk.walk(thread, all);
  }
  std::ranges::sort(all, {}, &waiting_call::call);
  return all;
}

}  // namespace ridge::trace
