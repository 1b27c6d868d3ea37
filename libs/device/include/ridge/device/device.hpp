// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ridge/base/dtype.hpp>
#include <ridge/base/result.hpp>
#include <ridge/device/compute_capability.hpp>
#include <ridge/device/distribution.hpp>
#include <ridge/device/queue_set.hpp>
#include <ridge/device/stream.hpp>

namespace ridge::device {

// Where an array lives. Arms share arrays unless a variant's question is placement itself. `ordinary` is what
// a tuned program would do: huge pages from 2 MiB on where the system gives them, starts staggered over a
// page.
enum class placement : std::uint8_t { ordinary, small_pages, huge_pages, pinned };

// How out-of-bounds accesses are caught. `pages`: unmapped pages on both sides, payload right-aligned to the
// end (verification; 7..9 % slower). `red_zones`: patterned bytes on both sides, payload aligned (timing).
enum class guard : std::uint8_t { red_zones, pages };

struct array_request {
  std::size_t bytes = 0;
  std::size_t alignment = 64;  // red_zones: of the start; pages: the element's natural alignment
  device::guard guard{device::guard::red_zones};
  device::placement placement{device::placement::ordinary};
  int gpu = 0;  // index into device::gpus() of the GPU that holds it; on a host there is one place
};

// Bytes on a device with their guards; released by the destructor.
class array {
 public:
  virtual ~array() = default;
  [[nodiscard]] virtual std::span<std::byte> bytes() const = 0;
  // What was written outside the payload, in words ("12 bytes after the end, first at +3"); empty when
  // nothing was. Guard pages fault at the write instead and report nothing here.
  [[nodiscard]] virtual std::string damage() const = 0;
};

// A point in a queue's time. Only differences mean anything, through seconds_between.
struct timestamp {
  std::uint64_t ticks = 0;
};

// Order-fixed summary of one block of an array, enough to compare two outputs within a tolerance.
struct block_sum {
  double sum = 0;
  double sum_abs = 0;
  std::uint64_t count = 0;
  std::uint64_t not_finite = 0;  // NaN and infinities: counted, left out of the sums
};

// Elements [first, first + count) of an array.
struct part {
  std::uint64_t first = 0, count = 0;
};

// What one look at the device's own clocks gave.
struct clock_reading {
  double hz = 0;                           // at which it computed meanwhile
  std::uint64_t begin_ns = 0, end_ns = 0;  // on its real-time clock, whose zero is its own
};

// Work recorded once and enqueued as one.
class recorded {
 public:
  virtual ~recorded() = default;
  virtual void enqueue() = 0;
};

// A GPU that this process sees, and what it has done with it.
struct gpu_use {
  bool opened = false;         // it has a context there; costs some 500 MB of that GPU
  std::size_t free_bytes = 0;  // of its memory; known where it was opened
  ridge::device::compute_capability compute_capability{};
  bool peer = false;  // this device and it read and write each other's memory; true of the device itself
};

// Where variants run. One thread at a time. Failures of the machine throw ridge::failure naming call and
// remedy.
class device {
 public:
  virtual ~device() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;

  [[nodiscard]] virtual std::unique_ptr<array> allocate(const array_request& request) = 0;

  // Elements [first, first + count) of the stream `key` of `d`, into target (count = target bytes / size of
  // type).
  virtual void fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
                    std::uint64_t first = 0, std::uint64_t of = 0) = 0;
  // The same for parts of the whole array `target`, whose other elements stay.
  virtual void fill_parts(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
                          std::span<const part> parts) {
    const auto element = size_of(type);
    for (const auto& p : parts)
      fill(target.subspan(p.first * element, p.count * element), type, d, key, p.first,
           target.size() / element);
  }
  // Every byte 0xFF: NaN in every floating type.
  virtual void poison(std::span<std::byte> target) = 0;
  // 64-bit hash of the bytes in order; equal bits <=> equal digest up to collisions.
  [[nodiscard]] virtual std::uint64_t digest(std::span<const std::byte> source) = 0;
  // `blocks` equal parts (the last may be shorter), summed in double in a fixed order.
  [[nodiscard]] virtual std::vector<block_sum> block_sums(std::span<const std::byte> source, dtype type,
                                                          std::size_t blocks) = 0;
  // The same two, enqueued: what the source holds when the queue comes that far. Results are taken later, in
  // order, all since the last time; taking waits for the queue.
  virtual void enqueue_digest(std::span<const std::byte> source) { digests_.push_back(digest(source)); }
  virtual void enqueue_block_sums(std::span<const std::byte> source, dtype type, std::size_t blocks) {
    sums_.push_back(block_sums(source, type, blocks));
  }
  [[nodiscard]] virtual std::vector<std::uint64_t> take_digests() { return std::exchange(digests_, {}); }
  [[nodiscard]] virtual std::vector<std::vector<block_sum>> take_block_sums() {
    return std::exchange(sums_, {});
  }
  virtual void copy_to_host(std::span<std::byte> to, std::span<const std::byte> from) = 0;
  virtual void copy_from_host(std::span<std::byte> to, std::span<const std::byte> from) = 0;
  // Between two arrays of this device; both sides of the same size.
  virtual void copy(std::span<std::byte> to, std::span<const std::byte> from) = 0;
  // Brings the caches to a clean state that holds none of the arrays.
  virtual void evict() = 0;
  [[nodiscard]] virtual std::size_t last_level_cache_bytes() const = 0;
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;  // that arrays may take
  // Whether the host's code may read and write the arrays as they lie, and a mark is a time of the host's.
  [[nodiscard]] virtual bool on_host() const { return true; }
  // The GPUs that this process sees, this device first; none on a host. Asking opens none of them.
  [[nodiscard]] virtual std::vector<gpu_use> gpus() const { return {}; }

  [[nodiscard]] virtual stream queue() = 0;
  // `queues_per_gpu` queues on each of the first `gpus` of gpus(), made now and destroyed with the set, which
  // must not outlive the device. Opens those GPUs, and peer access between them and this device where the
  // machine has it. Throws unavailable where there are fewer.
  [[nodiscard]] virtual std::unique_ptr<queue_set> make_queues(int gpus, int queues_per_gpu) {
    const auto count = static_cast<std::size_t>(gpus) * static_cast<std::size_t>(queues_per_gpu);
    return std::make_unique<queue_set>(std::vector<stream>(count, queue()), queues_per_gpu);
  }
  [[nodiscard]] virtual timestamp mark() = 0;  // on the queue
  [[nodiscard]] virtual double seconds_between(timestamp from, timestamp to) = 0;
  virtual void synchronize() = 0;

  // What is enqueued after `hold` begins when `release` is called, so that a body's own enqueueing is not in
  // its time; the device lets go by itself after a time-out. Nothing where bodies run as they are called.
  virtual void hold() {}
  // False when the device had let go before: the body waited for the device, or was too long in coming.
  [[nodiscard]] virtual bool release() { return true; }

  // What was changed of the device that samples depend on, in words; empty while nothing is.
  [[nodiscard]] virtual std::string tampering() const { return {}; }

  // Enqueues a look at the device's clocks, of some microseconds. Taken as digests are; none where the host's
  // clock is the device's.
  virtual void enqueue_clock_reading() {}
  [[nodiscard]] virtual std::vector<clock_reading> take_clock_readings() { return {}; }

  // The least there is to enqueue: a kernel of one thread that does nothing.
  virtual void enqueue_empty_kernel() {}

  // What `work` enqueues, recorded instead of run. The error says what cannot be recorded: a wait, an
  // allocation.
  [[nodiscard]] virtual result<std::unique_ptr<recorded>> record(const std::function<void()>& work) {
    static_cast<void>(work);
    return error{"this device runs what it is given at once", {}};
  }

 private:
  std::vector<std::uint64_t> digests_;
  std::vector<std::vector<block_sum>> sums_;
};

}  // namespace ridge::device
