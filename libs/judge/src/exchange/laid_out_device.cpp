// SPDX-License-Identifier: Apache-2.0
#include "exchange/laid_out_device.hpp"

#include <ridge/base/expects.hpp>

#include "exchange/layout.hpp"

namespace ridge::judge {
namespace {

// An array in memory that somebody else owns and guards.
class view_of_laid_out final : public device::array {
 public:
  explicit view_of_laid_out(std::span<std::byte> bytes) : bytes_(bytes) {}
  [[nodiscard]] std::span<std::byte> bytes() const override { return bytes_; }
  [[nodiscard]] std::string damage() const override { return {}; }

 private:
  std::span<std::byte> bytes_;
};

}  // namespace

std::unique_ptr<device::array> laid_out_device::allocate(const ridge::device::array_request& request) {
  if (next_ < given_.array_count) {
    const auto bytes = payload(given_, member_, next_, inputs_, outputs_);
    expects(bytes.size() == request.bytes, "a workload has the arrays that the judge laid out");
    ++next_;
    return std::make_unique<view_of_laid_out>(bytes);
  }
  if (others_ == more_arrays::own) return forwarding_device::allocate(request);
  return std::make_unique<view_of_laid_out>(workspace_of_all(request));
}

std::span<std::byte> laid_out_device::workspace_of_all(const ridge::device::array_request& request) {
  const auto place = next_workspace_++;
  if (place == workspaces_.size()) workspaces_.push_back(nullptr);
  auto& owned = workspaces_[place];
  if (!owned || owned->bytes().size() != request.bytes) {
    if (owned) retired_.push_back(std::move(owned));  // a body may still use it
    owned = forwarding_device::allocate(request);
  }
  return owned->bytes();
}

}  // namespace ridge::judge
