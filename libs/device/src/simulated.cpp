// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/simulated.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/expects.hpp>
#include <ridge/base/units.hpp>
#include <ridge/device/block_sums.hpp>
#include <ridge/device/digest.hpp>
#include <ridge/device/fill.hpp>
#include <ridge/device/generate.hpp>
#include <ridge/device/host_array.hpp>

namespace ridge::device {
namespace {

constexpr std::string_view operation_names[] = {"allocate",   "fill",         "poison",         "digest",
                                                "block_sums", "copy_to_host", "copy_from_host", "evict",
                                                "mark",       "synchronize"};

// Counts its bytes as used while it exists; it may outlive the device.
class counted_array final : public array {
 public:
  counted_array(std::unique_ptr<array> memory, std::shared_ptr<std::size_t> in_use)
      : memory_(std::move(memory)), in_use_(std::move(in_use)) {
    *in_use_ += memory_->bytes().size();
  }
  ~counted_array() override { *in_use_ -= memory_->bytes().size(); }
  [[nodiscard]] std::span<std::byte> bytes() const override { return memory_->bytes(); }
  [[nodiscard]] std::string damage() const override { return memory_->damage(); }

 private:
  std::unique_ptr<array> memory_;
  std::shared_ptr<std::size_t> in_use_;
};

class kept_work final : public recorded {
 public:
  explicit kept_work(std::function<void()> work) : work_(std::move(work)) {}
  void enqueue() override { work_(); }

 private:
  std::function<void()> work_;
};

// A queue beside the device's own: when its work so far is done.
struct side_queue {
  double seconds = 0;
  [[nodiscard]] stream handle() { return stream(reinterpret_cast<CUstream_st*>(this)); }
  // Null for the device's own queue.
  static side_queue* at(stream queue) {
    return reinterpret_cast<side_queue*>(static_cast<CUstream_st*>(queue));
  }
};

using side_queues = std::vector<std::unique_ptr<side_queue>>;

std::vector<stream> handles_of(const side_queues& others) {
  std::vector<stream> all{stream{}};
  for (const auto& other : others) all.push_back(other->handle());
  return all;
}

class simulated_queues final : public queue_set {
 public:
  simulated_queues(double& own_seconds, int gpus, int queues_per_gpu)
      : simulated_queues(own_seconds, made(gpus * queues_per_gpu - 1), queues_per_gpu) {}
  void fork() override {
    for (auto& other : others_) other->seconds = std::max(other->seconds, own_seconds_);
  }
  void join() override {
    for (auto& other : others_) own_seconds_ = std::max(own_seconds_, other->seconds);
  }

 private:
  simulated_queues(double& own_seconds, side_queues others, int queues_per_gpu)
      : queue_set(handles_of(others), queues_per_gpu),
        own_seconds_(own_seconds),
        others_(std::move(others)) {}
  static side_queues made(int count) {
    side_queues all;
    for (int i = 0; i < count; ++i) all.push_back(std::make_unique<side_queue>());
    return all;
  }

  double& own_seconds_;
  side_queues others_;
};

std::string bytes_text(std::size_t bytes) { return format_quantity(static_cast<double>(bytes), "B"); }

void copy_bytes(std::span<std::byte> target, std::span<const std::byte> source) {
  expects(target.size() == source.size(), "copy: both sides have the same size");
  std::ranges::copy(source, target.begin());
}

}  // namespace

simulated::simulated(simulated_behaviour behaviour) : behaviour_(std::move(behaviour)) {
  expects(behaviour_.tick_seconds > 0 && behaviour_.drift > -1 && behaviour_.jitter >= 0,
          "simulated: a clock that runs forward");
  const gpu_use each{.free_bytes = behaviour_.memory_bytes,
                     .compute_capability = behaviour_.compute_capability,
                     .peer = behaviour_.peers};
  gpus_.assign(behaviour_.gpus, each);
  if (!gpus_.empty()) gpus_.front().opened = gpus_.front().peer = true;
}

void simulated::use_gpu(std::size_t which, std::size_t bytes) {
  expects(which < gpus_.size() && bytes <= gpus_[which].free_bytes, "simulated: no such GPU, or it is full");
  gpus_[which].opened = true;
  gpus_[which].free_bytes -= bytes;
}

// The duration of work that takes `seconds` at full speed and begins at `start`.
double simulated::duration_of(double seconds, double start) {
  expects(seconds >= 0, "simulated: time passes forward");
  if (recording_) return 0;
  const double share = behaviour_.jitter * word_at(behaviour_.seed, draws_++) * 0x1p-32;
  const double speed = behaviour_.speed ? behaviour_.speed(start) : 1.0;
  expects(speed > 0, "simulated: work goes on at some speed");
  return seconds * (1 + share) / speed;
}

void simulated::advance(double seconds) { seconds_ += duration_of(seconds, seconds_); }

void simulated::advance_on(stream queue, double seconds) {
  auto* other = side_queue::at(queue);
  if (other == nullptr) return advance(seconds);
  other->seconds += duration_of(seconds, other->seconds);
}

std::unique_ptr<queue_set> simulated::make_queues(int gpus, int queues_per_gpu) {
  if (!behaviour_.apart) return device::make_queues(gpus, queues_per_gpu);
  if (static_cast<std::size_t>(gpus) > gpus_.size()) {
    throw unavailable(fmt::format("GPU {}: there are {}", gpus - 1, gpus_.size()), "use fewer GPUs");
  }
  for (int i = 0; i < gpus; ++i) gpus_[static_cast<std::size_t>(i)].opened = true;
  return std::make_unique<simulated_queues>(seconds_, gpus, queues_per_gpu);
}

void simulated::fail(operation kind, std::uint64_t call) {
  expects(call > 0, "simulated: the next call is number 1");
  counters_[static_cast<std::size_t>(kind)].fails_at = calls(kind) + call;
}

void simulated::count(operation kind) {
  counter& c = counters_[static_cast<std::size_t>(kind)];
  if (++c.calls != c.fails_at) return;
  const auto name = operation_names[static_cast<std::size_t>(kind)];
  throw failure(
      {fmt::format("simulated failure of {}, call {}", name, c.calls), "this failure was asked for"});
}

std::unique_ptr<array> simulated::allocate(const array_request& request) {
  count(operation::allocate);
  if (request.bytes > behaviour_.memory_bytes - std::min(behaviour_.memory_bytes, *in_use_)) {
    throw failure({fmt::format("cannot allocate {}: {} of {} are in use", bytes_text(request.bytes),
                               bytes_text(*in_use_), bytes_text(behaviour_.memory_bytes)),
                   "use a smaller problem"});
  }
  return std::make_unique<counted_array>(allocate_on_host(request), in_use_);
}

void simulated::fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
                     std::uint64_t first, std::uint64_t whole_count) {
  count(operation::fill);
  ridge::device::fill(target, type, d, key, first, whole_count);
}

void simulated::poison(std::span<std::byte> target) {
  count(operation::poison);
  std::ranges::fill(target, std::byte{0xFF});
}

std::uint64_t simulated::digest(std::span<const std::byte> source) {
  count(operation::digest);
  return ridge::device::digest(source);
}

std::vector<block_sum> simulated::block_sums(std::span<const std::byte> source, dtype type,
                                             std::size_t blocks) {
  count(operation::block_sums);
  return ridge::device::block_sums(source, type, blocks);
}

void simulated::copy_to_host(std::span<std::byte> target, std::span<const std::byte> source) {
  count(operation::copy_to_host);
  copy_bytes(target, source);
}

void simulated::copy_from_host(std::span<std::byte> target, std::span<const std::byte> source) {
  count(operation::copy_from_host);
  copy_bytes(target, source);
}

timestamp simulated::mark() {
  count(operation::mark);
  const auto ticks =
      static_cast<std::uint64_t>(std::floor(seconds_ * (1 + behaviour_.drift) / behaviour_.tick_seconds));
  seconds_ += behaviour_.mark_seconds;
  return {ticks};
}

void simulated::synchronize() {
  count(operation::synchronize);
  if (recording_) throw failure({"a wait cannot be recorded", "enqueue without waiting"});
  if (held_) let_go_ = true;
}

void simulated::hold() {
  held_ = true, let_go_ = false;
  ++holds_;
}

bool simulated::release() {
  held_ = false;
  return !let_go_;
}

void simulated::enqueue_clock_reading() {
  if (!behaviour_.apart) return;
  const auto now_ns = [&] { return static_cast<std::uint64_t>(std::llround(seconds_ * 1e9)); };
  const auto begin = now_ns();
  const double speed = behaviour_.speed ? behaviour_.speed(seconds_) : 1.0;
  seconds_ += 8e-6;
  readings_.push_back({behaviour_.hz * speed, begin, now_ns()});
}

result<std::unique_ptr<recorded>> simulated::record(const std::function<void()>& work) {
  if (!behaviour_.apart) return device::record(work);
  recording_ = true;
  try {
    work();
  } catch (const failure& refused) {
    recording_ = false;
    return refused.why();
  }
  recording_ = false;
  return std::unique_ptr<recorded>(std::make_unique<kept_work>(work));
}

double simulated::seconds_between(timestamp start, timestamp end) {
  return static_cast<double>(static_cast<std::int64_t>(end.ticks - start.ticks)) * behaviour_.tick_seconds;
}

}  // namespace ridge::device
