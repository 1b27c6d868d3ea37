// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace ridge::server {

// What happened, for those who watch.
struct event {
  std::string type{};  // "run.state", "result", "log", ...: letters, digits, `.`, `_` and `-`
  std::string key{};   // events of one type and key replace each other; empty: every one is sent
  std::string data{};  // JSON on one line
};

// What a stream sends next.
struct event_batch {
  std::string text{};         // as text/event-stream; empty: nothing new
  std::uint64_t last_id = 0;  // where the next batch begins
  bool more = false;          // it was cut at the size asked for
};

// Keeps the last events and numbers them. Ids rise, in one process and from one process to the next (they
// begin at the time of its start), so that a client which comes back with an id of an earlier process is told
// to start anew. All functions may be called by any thread.
class event_hub final {
 public:
  // Keeps `events` events of `bytes` bytes in all. `first_id` is for tests; 0: microseconds since 1970.
  explicit event_hub(std::size_t events = 10'000, std::size_t bytes = 16U << 20U, std::uint64_t first_id = 0);

  // Adds an event and returns its id. Throws precondition_violated for a type with other letters, or data
  // with a line end.
  std::uint64_t publish(const event& happened);

  // Returns the id of the last event, or the one before the first.
  [[nodiscard]] std::uint64_t last_id() const;

  // Returns whether a client that has seen `id` can be told all that followed: false where events after it
  // are no longer kept, or it was never given.
  [[nodiscard]] bool can_continue(std::uint64_t id) const;

  // Returns the events after `id`, in order; of those with the same type and key only the last. At most about
  // `most_bytes` bytes. `id` must satisfy can_continue.
  [[nodiscard]] event_batch after(std::uint64_t id, std::size_t most_bytes) const;

  // Returns how many bytes the kept events after `id` have.
  [[nodiscard]] std::size_t bytes_after(std::uint64_t id) const;

  // Sets what is called after an event was added, on the thread that adds it.
  void on_publish(std::function<void()> listener);

 private:
  struct kept {
    std::string type{}, key{}, frame{};
    std::uint64_t end = 0;  // bytes of all events up to this one
  };
  [[nodiscard]] bool can_continue_locked(std::uint64_t id) const;

  mutable std::mutex mutex_{};
  std::size_t most_events_;
  std::size_t most_bytes_;
  std::uint64_t last_id_;
  std::uint64_t end_ = 0;
  std::deque<kept> events_{};
  std::function<void()> listener_{};
};

}  // namespace ridge::server
