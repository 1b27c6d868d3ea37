// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/memory.hpp>

#include <algorithm>
#include <atomic>

#include <fmt/format.h>
#include <unistd.h>

#include <ridge/harness/counting.hpp>
#include <ridge/harness/not_enough_memory.hpp>

namespace ridge {

owned_file::~owned_file() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

memory::memory(device::device& device, device::guard guard, device::placement placement,
               std::string file_folder)
    : device_(&device), guard_(guard), placement_(placement), file_folder_(std::move(file_folder)) {}

array_record& memory::make(const array_shape& shape, distribution values) {
  const auto least = guard_ == device::guard::red_zones || guard_ == device::guard::shared_zones
                         ? std::size_t{64}
                         : std::size_t{1};
  const auto bytes = product(shape.count, size_of(shape.type));
  // The host tells what was free before any array was made; a GPU refuses by itself, at once, and may have
  // memory left that its pools keep.
  if (device_->on_host()) expect_room(total_bytes() + bytes, *device_);
  auto owner = device_->allocate({.bytes = bytes,
                                  .alignment = std::max(shape.alignment, least),
                                  .guard = guard_,
                                  .placement = placement_,
                                  .place = arrays_.size(),
                                  .gpu = shape.gpu});
  arrays_.push_back({.use = shape.use,
                     .type = shape.type,
                     .count = shape.count,
                     .distribution = std::move(values),
                     .owner = std::move(owner)});
  return arrays_.back();
}

data_file memory::file(std::size_t bytes, dtype type, distribution values) {
  static std::atomic<unsigned> made{0};
  data_file f{fmt::format("{}/ridge-{}-{}.data", file_folder_, ::getpid(), made++), bytes};
  arrays_.push_back({.use = use::file,
                     .type = type,
                     .count = bytes / size_of(type),
                     .distribution = std::move(values),
                     .file = f,
                     .on_disk = owned_file(f.path)});
  return f;
}

std::size_t memory::total_bytes() const {
  std::size_t total = 0;
  for (const auto& a : arrays_) total += a.bytes().size();
  return total;
}

}  // namespace ridge
