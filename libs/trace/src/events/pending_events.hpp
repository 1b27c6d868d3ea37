// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include <ridge/trace/trace_builder.hpp>

#include "events/page_allocator.hpp"

namespace ridge::trace {

// An event_row without its track. Members have no initialisers, so that blocks of them need no writing.
struct pending_event {
  nanoseconds start_ns;
  nanoseconds duration_ns;
  std::uint64_t offset;
  name_id name;
  std::uint32_t correlation;
  std::uint32_t external;
  std::uint32_t detail;
  category kind;
  std::uint8_t flags;
};

// Whether `a` comes before `b` on a track: the earlier start first, then the longer event.
inline bool stands_before(const pending_event& a, const pending_event& b) {
  return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.duration_ns > b.duration_ns;
}

// The events of a track in the order of their arrival, in blocks. It grows without holding events twice and
// frees them block by block.
class pending_track {
 public:
  void push(const pending_event& e) {
    if (next_ == end_) add_block();
    in_order_ =
        in_order_ && !stands_before(e, {.start_ns = last_start_ns_, .duration_ns = last_duration_ns_});
    last_start_ns_ = e.start_ns;
    last_duration_ns_ = e.duration_ns;
    *next_++ = e;
    ++size_;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool in_order() const { return in_order_; }
  [[nodiscard]] std::size_t blocks() const { return blocks_.size(); }
  [[nodiscard]] std::span<const pending_event> block(std::size_t i) const {
    const auto& b = blocks_[i];
    return {b.data(), i + 1 < blocks_.size() ? b.size() : static_cast<std::size_t>(next_ - b.data())};
  }
  void free_block(std::size_t i) { column<pending_event>().swap(blocks_[i]); }

 private:
  static constexpr std::size_t least = 64, most = large_page / sizeof(pending_event);
  void add_block() {
    blocks_.emplace_back(std::clamp(size_, least, most));
    next_ = blocks_.back().data();
    end_ = next_ + blocks_.back().size();
  }
  std::vector<column<pending_event>> blocks_{};
  pending_event *next_ = nullptr, *end_ = nullptr;
  nanoseconds last_start_ns_ = std::numeric_limits<nanoseconds>::min();
  nanoseconds last_duration_ns_ = std::numeric_limits<nanoseconds>::max();
  std::size_t size_ = 0;
  bool in_order_ = true;
};

// The pending events of all tracks.
class pending_events {
 public:
  void push(const event_row& row, std::uint32_t detail) {
    if (row.track >= tracks_.size()) tracks_.resize(row.track + std::size_t{1});
    tracks_[row.track].push({row.start_ns, row.duration_ns, row.offset, row.name, row.correlation,
                             row.external, detail, row.kind, row.flags});
    ++size_;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t tracks() const { return tracks_.size(); }
  [[nodiscard]] pending_track& track(std::size_t i) { return tracks_[i]; }

 private:
  std::vector<pending_track> tracks_{};
  std::size_t size_ = 0;
};

}  // namespace ridge::trace
