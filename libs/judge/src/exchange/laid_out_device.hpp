// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <ridge/device/forwarding_device.hpp>

#include "exchange/assignment.hpp"

namespace ridge::judge {

// What becomes of arrays that a member asks for beyond those that were laid out: workspaces of a variant,
// which all members share as a candidate's calls share its own, or memory of the member alone.
enum class more_arrays : std::uint8_t { shared, own };

// A GPU whose arrays are those that the judge laid out in memory that it shares: after begin_member() the
// next arrays asked for are those of that member, in order.
class laid_out_device final : public device::forwarding_device {
 public:
  // Everything passed outlives it.
  laid_out_device(ridge::device::device& real, const assignment& given, std::span<std::byte> inputs,
                  std::span<std::byte> outputs, more_arrays others)
      : forwarding_device(real), given_(given), inputs_(inputs), outputs_(outputs), others_(others) {}

  // Begins to hand out the arrays of a member.
  void begin_member(std::size_t member) { member_ = member, next_ = next_workspace_ = 0; }

  // Bug: an array of another size than that laid out.
  [[nodiscard]] std::unique_ptr<ridge::device::array> allocate(
      const ridge::device::array_request& request) override;

 private:
  [[nodiscard]] std::span<std::byte> workspace_of_all(const ridge::device::array_request& request);

  const assignment& given_;
  std::span<std::byte> inputs_, outputs_;
  more_arrays others_;
  std::size_t member_ = 0, next_ = most_arrays, next_workspace_ = 0;
  std::vector<std::unique_ptr<ridge::device::array>> workspaces_{}, retired_{};
};

}  // namespace ridge::judge
