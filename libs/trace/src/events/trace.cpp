// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/trace.hpp>

#include <algorithm>

namespace ridge::trace {

std::vector<std::int32_t> trace::working_devices() const {
  std::vector<std::int32_t> found;
  for (auto at = works.begin(); at != works.end();
       at = std::ranges::upper_bound(at, works.end(), at->device, {}, &device_work::device))
    found.push_back(at->device);
  return found;
}

std::span<const device_work> trace::works_of(std::int32_t device) const {
  return std::ranges::equal_range(works, device, {}, &device_work::device);
}

const device_facts* trace::facts_of(std::int32_t device) const {
  const auto index = static_cast<std::size_t>(device);  // where most traces have it
  if (device >= 0 && index < devices.size() && devices[index].id == device) return &devices[index];
  const auto at = std::ranges::find(devices, device, &device_facts::id);
  return at == devices.end() ? nullptr : &*at;
}

}  // namespace ridge::trace
