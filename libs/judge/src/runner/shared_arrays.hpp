// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <ridge/device/immediate_device.hpp>

#include "exchange/assignment.hpp"

namespace ridge::judge {

// A host whose arrays are those that the judge laid out, so that a workload can be made on them. After
// begin_member() the next arrays asked for are those of that member, in order; what is asked for then
// (workspaces) is memory of this process, the same for every member that asks for the same sizes: a candidate
// has one workspace for all calls, too.
class shared_arrays final : public ridge::device::immediate_device {
 public:
  // The assignment and the mappings outlive it.
  shared_arrays(const assignment& given, std::span<std::byte> inputs, std::span<std::byte> outputs)
      : given_(given), inputs_(inputs), outputs_(outputs) {}

  // Begins to hand out the arrays of a member.
  void begin_member(std::size_t member) { member_ = member, next_ = next_workspace_ = 0; }

  [[nodiscard]] std::string_view name() const override { return "host"; }
  // Bug: an array of another size than that laid out.
  [[nodiscard]] std::unique_ptr<ridge::device::array> allocate(
      const ridge::device::array_request& request) override;
  [[nodiscard]] std::size_t memory_bytes() const override { return given_.memory_limit; }
  void fill(std::span<std::byte> target, dtype type, const distribution& d, std::uint64_t key,
            std::uint64_t first, std::uint64_t whole_count) override;
  void poison(std::span<std::byte> target) override;
  [[nodiscard]] std::uint64_t digest(std::span<const std::byte> source) override;
  [[nodiscard]] std::vector<ridge::device::block_sum> block_sums(std::span<const std::byte> source,
                                                                 dtype type, std::size_t blocks) override;
  void copy_to_host(std::span<std::byte> target, std::span<const std::byte> source) override;
  void copy_from_host(std::span<std::byte> target, std::span<const std::byte> source) override;
  void copy(std::span<std::byte> target, std::span<const std::byte> source) override;
  void evict() override {}
  [[nodiscard]] std::size_t last_level_cache_bytes() const override { return 0; }
  [[nodiscard]] ridge::device::timestamp mark() override;
  [[nodiscard]] double seconds_between(ridge::device::timestamp start, ridge::device::timestamp end) override;

 private:
  [[nodiscard]] std::span<std::byte> workspace(const ridge::device::array_request& request);

  const assignment& given_;
  std::span<std::byte> inputs_, outputs_;
  std::size_t member_ = 0;
  std::size_t next_ = most_arrays;
  std::vector<std::unique_ptr<ridge::device::array>> workspaces_{}, retired_{};
  std::size_t next_workspace_ = 0;
};

}  // namespace ridge::judge
