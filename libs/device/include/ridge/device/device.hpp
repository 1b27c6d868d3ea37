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
// end (for verification; 7..9 % slower). `red_zones`: patterned bytes on both sides, payload aligned (for
// timing).
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
  // The payload, in memory of the device: the host may read it only where device::on_host() holds.
  [[nodiscard]] virtual std::span<std::byte> bytes() const = 0;
  // Describes what was written outside the payload ("12 bytes after the end, first at +3"); empty when
  // nothing was. Guard pages fault at the write instead and report nothing here.
  [[nodiscard]] virtual std::string damage() const = 0;
};

// A point in a queue's time. Only differences have a meaning; seconds_between gives them.
struct timestamp {
  std::uint64_t ticks = 0;
};

// Summary of one block of an array, added up in a fixed order: enough to compare two outputs within a
// tolerance.
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

// One reading of the device's own clocks, which takes some microseconds.
struct clock_reading {
  double hz = 0;  // frequency of its processors during the reading
  std::uint64_t begin_ns = 0,
                end_ns = 0;  // span of the reading on its real-time clock, whose zero is arbitrary
};

// Work recorded once and enqueued as one.
class recorded {
 public:
  virtual ~recorded() = default;
  // Enqueues all of the recorded work on the device's queue; returns before it is done.
  virtual void enqueue() = 0;
};

// A GPU that this process sees, and what it has done with it.
struct gpu_use {
  bool opened = false;         // this process has a context there, which costs some 500 MB of that GPU
  std::size_t free_bytes = 0;  // free memory; known only where the GPU was opened
  ridge::device::compute_capability compute_capability{};
  bool peer = false;  // it and this device read and write each other's memory; true for the device itself
};

// Where variants run. It is used by one thread at a time. Failures of the machine throw ridge::failure, which
// names the call and a remedy.
class device {
 public:
  virtual ~device() = default;
  // Name for messages and results: "host", "cuda:0 NVIDIA H100".
  [[nodiscard]] virtual std::string_view name() const = 0;

  // An array of undefined content with its guards. Throws failure when the memory is refused.
  [[nodiscard]] virtual std::unique_ptr<array> allocate(const array_request& request) = 0;

  // Writes elements [first, first + count) of the stream `key` of `d` to `target`, where count = bytes of
  // `target` / size of `type`. `whole_count` is the number of elements of the whole array, which a
  // permutation needs where only a part is filled; 0: the target is the whole.
  virtual void fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
                    std::uint64_t first = 0, std::uint64_t whole_count = 0) = 0;
  // The same for parts of the whole array `target`, whose other elements stay.
  virtual void fill_parts(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
                          std::span<const part> parts) {
    const auto element = size_of(type);
    for (const auto& p : parts)
      fill(target.subspan(p.first * element, p.count * element), type, d, key, p.first,
           target.size() / element);
  }
  // Sets every byte to 0xFF, which is NaN in every floating type.
  virtual void poison(std::span<std::byte> target) = 0;
  // 64-bit hash of the bytes in order, as digest.hpp defines it. Waits for the queue.
  [[nodiscard]] virtual std::uint64_t digest(std::span<const std::byte> source) = 0;
  // Sums of `blocks` equal parts (the last may be shorter), in double and in a fixed order. Waits for the
  // queue.
  [[nodiscard]] virtual std::vector<block_sum> block_sums(std::span<const std::byte> source, dtype type,
                                                          std::size_t blocks) = 0;
  // Enqueue the same two: they see what the source holds when the queue comes that far.
  virtual void enqueue_digest(std::span<const std::byte> source) { digests_.push_back(digest(source)); }
  virtual void enqueue_block_sums(std::span<const std::byte> source, dtype type, std::size_t blocks) {
    sums_.push_back(block_sums(source, type, blocks));
  }
  // The results enqueued since they were last taken, in the order of enqueueing. Waits for the queue.
  [[nodiscard]] virtual std::vector<std::uint64_t> take_digests() { return std::exchange(digests_, {}); }
  [[nodiscard]] virtual std::vector<std::vector<block_sum>> take_block_sums() {
    return std::exchange(sums_, {});
  }
  // Copies bytes between the device and host memory; both sides have the same size. `source` and `target` may
  // be reused when the call returns.
  virtual void copy_to_host(std::span<std::byte> target, std::span<const std::byte> source) = 0;
  virtual void copy_from_host(std::span<std::byte> target, std::span<const std::byte> source) = 0;
  // Copies between two arrays of this device, in the order of the queue; both sides have the same size.
  virtual void copy(std::span<std::byte> target, std::span<const std::byte> source) = 0;
  // Fills the caches with clean lines of other memory, in the order of the queue, so that they hold none of
  // the arrays.
  virtual void evict() = 0;
  [[nodiscard]] virtual std::size_t last_level_cache_bytes() const = 0;
  // Bytes that arrays may still take.
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
  // Whether host code may read and write the arrays directly, and marks are readings of the host's clock.
  [[nodiscard]] virtual bool on_host() const { return true; }
  // The GPUs that this process sees, this device first; none on a host. The call opens none of them.
  [[nodiscard]] virtual std::vector<gpu_use> gpus() const { return {}; }

  // The device's own queue, on which all its functions enqueue and marks are taken; null on a host.
  [[nodiscard]] virtual stream queue() = 0;
  // Makes `queues_per_gpu` queues on each of the first `gpus` of gpus(); they are destroyed with the set,
  // which must not outlive the device. Opens those GPUs, and peer access between them and this device where
  // the machine has it. Throws unavailable where there are fewer.
  [[nodiscard]] virtual std::unique_ptr<queue_set> make_queues(int gpus, int queues_per_gpu) {
    const auto count = static_cast<std::size_t>(gpus) * static_cast<std::size_t>(queues_per_gpu);
    return std::make_unique<queue_set>(std::vector<stream>(count, queue()), queues_per_gpu);
  }
  // Enqueues a mark on the device's own queue; the host does not wait.
  [[nodiscard]] virtual timestamp mark() = 0;
  // Seconds from `start` to `end`, negative where `end` came first. Waits for both marks.
  [[nodiscard]] virtual double seconds_between(timestamp start, timestamp end) = 0;
  // Waits until everything enqueued so far is done.
  virtual void synchronize() = 0;

  // Work enqueued after hold() begins only when release() is called, so that the time of enqueueing is not in
  // the time of the work; the device releases it by itself after a time-out. Does nothing where bodies run as
  // they are called.
  virtual void hold() {}
  // False when the device had released the work before: a body waited for the device, or the time-out was
  // over.
  [[nodiscard]] virtual bool release() { return true; }

  // Describes a setting of the device that samples depend on and that somebody changed; empty when none was.
  [[nodiscard]] virtual std::string tampering() const { return {}; }

  // Enqueues a reading of the device's clocks; does nothing where the host's clock is the device's.
  virtual void enqueue_clock_reading() {}
  // The readings enqueued since they were last taken, in order. Waits for the queue.
  [[nodiscard]] virtual std::vector<clock_reading> take_clock_readings() { return {}; }

  // Enqueues the smallest work there is: a kernel of one thread that does nothing.
  virtual void enqueue_empty_kernel() {}

  // Calls `work` and records what it enqueues instead of running it. The error says what cannot be recorded,
  // such as a wait or an allocation.
  [[nodiscard]] virtual result<std::unique_ptr<recorded>> record(const std::function<void()>& work) {
    static_cast<void>(work);
    return error{"this device runs what it is given at once", {}};
  }

 private:
  std::vector<std::uint64_t> digests_;
  std::vector<std::vector<block_sum>> sums_;
};

}  // namespace ridge::device
