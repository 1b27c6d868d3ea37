// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/simulated.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/base/expects.hpp>
#include <ridge/base/units.hpp>
#include <ridge/device/block_sums.hpp>
#include <ridge/device/digest.hpp>
#include <ridge/device/fill.hpp>
#include <ridge/device/host_array.hpp>

namespace ridge::device {
namespace {

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
  simulated_queues(simulated_time& own, int gpus, int queues_per_gpu)
      : simulated_queues(own, made(gpus * queues_per_gpu - 1), queues_per_gpu) {}
  void fork() override {
    for (auto& other : others_) other->seconds = std::max(other->seconds, own_.seconds());
  }
  void join() override {
    for (auto& other : others_) own_.wait_until(other->seconds);
  }

 private:
  simulated_queues(simulated_time& own, side_queues others, int queues_per_gpu)
      : queue_set(handles_of(others), queues_per_gpu), own_(own), others_(std::move(others)) {}
  static side_queues made(int count) {
    side_queues all;
    for (int i = 0; i < count; ++i) all.push_back(std::make_unique<side_queue>());
    return all;
  }

  simulated_time& own_;
  side_queues others_;
};

std::string bytes_text(std::size_t bytes) { return format_quantity(static_cast<double>(bytes), "B"); }

void copy_bytes(std::span<std::byte> target, std::span<const std::byte> source) {
  expects(target.size() == source.size(), "copy: both sides have the same size");
  std::ranges::copy(source, target.begin());
}

}  // namespace

simulated::simulated(simulated_behaviour behaviour) : behaviour_(std::move(behaviour)), time_(behaviour_) {
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

void simulated::advance_on(stream queue, double seconds) {
  auto* other = side_queue::at(queue);
  if (other == nullptr) return advance(seconds);
  time_.advance(seconds, other->seconds);
}

std::unique_ptr<queue_set> simulated::make_queues(int gpus, int queues_per_gpu) {
  if (!behaviour_.apart) return immediate_device::make_queues(gpus, queues_per_gpu);
  if (static_cast<std::size_t>(gpus) > gpus_.size()) {
    throw unavailable(fmt::format("GPU {}: there are {}", gpus - 1, gpus_.size()), "use fewer GPUs");
  }
  for (int i = 0; i < gpus; ++i) gpus_[static_cast<std::size_t>(i)].opened = true;
  return std::make_unique<simulated_queues>(time_, gpus, queues_per_gpu);
}

std::size_t simulated::memory_bytes() const {
  return behaviour_.memory_bytes - std::min(behaviour_.memory_bytes, *in_use_);
}

std::unique_ptr<array> simulated::allocate(const array_request& request) {
  calls_.count(operation::allocate);
  if (request.bytes > memory_bytes()) {
    throw failure({fmt::format("cannot allocate {}: {} of {} are in use", bytes_text(request.bytes),
                               bytes_text(*in_use_), bytes_text(behaviour_.memory_bytes)),
                   "use a smaller problem"});
  }
  return std::make_unique<counted_array>(allocate_on_host(request), in_use_);
}

void simulated::fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
                     std::uint64_t first, std::uint64_t whole_count) {
  calls_.count(operation::fill);
  ridge::device::fill(target, type, d, key, first, whole_count);
}

void simulated::poison(std::span<std::byte> target) {
  calls_.count(operation::poison);
  std::ranges::fill(target, std::byte{0xFF});
}

std::uint64_t simulated::digest(std::span<const std::byte> source) {
  calls_.count(operation::digest);
  return ridge::device::digest(source);
}

std::vector<block_sum> simulated::block_sums(std::span<const std::byte> source, dtype type,
                                             std::size_t blocks) {
  calls_.count(operation::block_sums);
  return ridge::device::block_sums(source, type, blocks);
}

void simulated::copy_to_host(std::span<std::byte> target, std::span<const std::byte> source) {
  calls_.count(operation::copy_to_host);
  copy_bytes(target, source);
}

void simulated::copy_from_host(std::span<std::byte> target, std::span<const std::byte> source) {
  calls_.count(operation::copy_from_host);
  copy_bytes(target, source);
}

timestamp simulated::mark() {
  calls_.count(operation::mark);
  return time_.mark();
}

void simulated::synchronize() {
  calls_.count(operation::synchronize);
  if (lost_) throw failure({"the device was lost", ""});
  if (time_.stopped()) throw failure({"a wait cannot be recorded", "enqueue without waiting"});
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
  if (behaviour_.apart) readings_.push_back(time_.read_clocks());
}

result<std::unique_ptr<recorded>> simulated::record(const std::function<void()>& work) {
  if (!behaviour_.apart) return immediate_device::record(work);
  time_.stop(true);
  try {
    work();
  } catch (const failure& refused) {
    time_.stop(false);
    return refused.why();
  }
  time_.stop(false);
  return std::unique_ptr<recorded>(std::make_unique<kept_work>(work));
}

}  // namespace ridge::device
