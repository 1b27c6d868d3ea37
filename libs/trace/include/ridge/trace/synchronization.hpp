// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>

// What the host waited for.
namespace ridge::trace {

enum class wait_kind : std::uint8_t { device, stream, event, copy, other };
// Returns the kind's name, as reports print it.
[[nodiscard]] std::string_view name(wait_kind k);

// Returns what a call of that name waits for ("cudaDeviceSynchronize", "hipMemcpy",
// "cuStreamSynchronize_ptsz" ...); nullopt for calls that do not wait. `other` is a call that frees memory,
// which waits while work runs; it counts where work ended during it. Asynchronous copies wait where memory is
// pageable: see host_waits_of().
[[nodiscard]] std::optional<wait_kind> wait_of_call(std::string_view api);

// One call that waited.
struct host_wait {
  event_id call = none;
  track_id thread = none;
  wait_kind kind = wait_kind::other;
  time_range range{};  // cut to the window
  // the work of the process that ended last before the call did, and ran during it
  work_id waited_for = none;
  nanoseconds busy_ns = 0;  // part of `range` in which some device of the process ran work
  // from the end of the call to the next work on the device waited for, where that device is idle then; cut
  // to the window
  nanoseconds idle_after_ns = 0;
  event_id op = none;  // the innermost operator around it
  // as .item(): under aten::item, _local_scalar_dense or is_nonzero, or a copy of at most 64 bytes to the
  // host, or right after one; the first wait of a read alone
  bool reads_scalar = false;
};

// All waits of one API name.
struct wait_group {
  name_id api = 0;
  wait_kind kind = wait_kind::other;
  std::uint64_t count = 0;
  nanoseconds ns = 0;  // sum
  nanoseconds longest_ns = 0;
  nanoseconds idle_after_ns = 0;
  std::uint64_t scalar_reads = 0;
};

// The waits of one thread.
struct thread_waits {
  track_id thread = none;
  std::uint64_t count = 0;
  nanoseconds blocked_ns = 0;  // union of its waits
};

// The waits of one step.
struct step_waits {
  time_range step{};
  std::uint64_t count = 0;  // waits that start in it
  std::uint64_t scalar_reads = 0;
  nanoseconds blocked_ns = 0;     // within the step, for the thread that is blocked longest in the window
  nanoseconds idle_after_ns = 0;  // sum over the waits that start in it
};

// All waits of the host in a window.
struct synchronization_report {
  time_range window{};
  std::vector<host_wait> waits{};       // ordered by start
  std::vector<wait_group> groups{};     // longest first
  std::vector<thread_waits> threads{};  // longest first
  std::vector<step_waits> steps{};
  nanoseconds blocked_ns = 0;  // for the thread that is blocked longest
  // union over waits of (device idle after them), so that no second counts twice
  nanoseconds idle_after_ns = 0;
  std::uint64_t scalar_reads = 0;
};

// Returns the waits of the host. The default window is the first start to the last end of all work and API
// calls. A copy call waits where its name is synchronous, or where a copy that it launched to or from
// pageable memory ends before the call does.
[[nodiscard]] synchronization_report host_waits_of(const trace& t, std::optional<time_range> window = {},
                                                   std::span<const time_range> steps = {});

}  // namespace ridge::trace
