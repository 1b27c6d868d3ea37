// SPDX-License-Identifier: Apache-2.0
#include "runner/shared_arrays.hpp"

#include <cstring>

#include <ridge/base/expects.hpp>
#include <ridge/device/block_sums.hpp>
#include <ridge/device/digest.hpp>
#include <ridge/device/fill.hpp>
#include <ridge/device/host_array.hpp>
#include <ridge/harness/session.hpp>

#include "exchange/layout.hpp"

namespace ridge::judge {
namespace {

// An array in memory that somebody else owns: the shared one, which the judge guards, or a workspace.
class view_of_shared final : public ridge::device::array {
 public:
  explicit view_of_shared(std::span<std::byte> bytes) : bytes_(bytes) {}
  [[nodiscard]] std::span<std::byte> bytes() const override { return bytes_; }
  [[nodiscard]] std::string damage() const override { return {}; }

 private:
  std::span<std::byte> bytes_;
};

void copy_whole(std::span<std::byte> target, std::span<const std::byte> source) {
  expects(target.size() == source.size(), "copy: both sides have the same size");
  if (!target.empty()) std::memcpy(target.data(), source.data(), target.size());
}

}  // namespace

std::unique_ptr<ridge::device::array> shared_arrays::allocate(const ridge::device::array_request& request) {
  if (next_ >= given_.array_count) return std::make_unique<view_of_shared>(workspace(request));
  const auto bytes = payload(given_, member_, next_, inputs_, outputs_);
  expects(bytes.size() == request.bytes, "a workload has the arrays that the judge laid out");
  ++next_;
  return std::make_unique<view_of_shared>(bytes);
}

std::span<std::byte> shared_arrays::workspace(const ridge::device::array_request& request) {
  const auto place = next_workspace_++;
  if (place == workspaces_.size()) workspaces_.push_back(nullptr);
  auto& owned = workspaces_[place];
  if (!owned || owned->bytes().size() != request.bytes) {
    if (owned) retired_.push_back(std::move(owned));  // a body may still use it
    owned = ridge::device::allocate_on_host(request);
  }
  return owned->bytes();
}

void shared_arrays::fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
                         std::uint64_t first, std::uint64_t whole_count) {
  ridge::device::fill(target, type, d, key, first, whole_count);
}
void shared_arrays::poison(std::span<std::byte> target) {
  if (!target.empty()) std::memset(target.data(), 0xFF, target.size());
}
std::uint64_t shared_arrays::digest(std::span<const std::byte> source) {
  return ridge::device::digest(source);
}
std::vector<ridge::device::block_sum> shared_arrays::block_sums(std::span<const std::byte> source, dtype type,
                                                                std::size_t blocks) {
  return ridge::device::block_sums(source, type, blocks);
}
void shared_arrays::copy_to_host(std::span<std::byte> target, std::span<const std::byte> source) {
  copy_whole(target, source);
}
void shared_arrays::copy_from_host(std::span<std::byte> target, std::span<const std::byte> source) {
  copy_whole(target, source);
}
void shared_arrays::copy(std::span<std::byte> target, std::span<const std::byte> source) {
  copy_whole(target, source);
}
ridge::device::timestamp shared_arrays::mark() {
  return {static_cast<std::uint64_t>(harness::monotonic_seconds() * 1e9)};
}
double shared_arrays::seconds_between(ridge::device::timestamp start, ridge::device::timestamp end) {
  return static_cast<double>(end.ticks - start.ticks) * 1e-9;
}

}  // namespace ridge::judge
