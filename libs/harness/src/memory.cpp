// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/memory.hpp>

#include <algorithm>
#include <atomic>

#include <fmt/format.h>
#include <unistd.h>

#include <ridge/base/expects.hpp>

namespace ridge {

owned_file::~owned_file() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

memory::memory(device::device& where, device::guard guard, device::placement placement,
               std::string file_folder)
    : where_(&where), guard_(guard), placement_(placement), file_folder_(std::move(file_folder)) {}

array_record& memory::make(use as, dtype type, std::size_t alignment, std::int64_t count, distribution from) {
  expects(count >= 0, "memory: an array cannot have a negative number of elements");
  const auto elements = static_cast<std::size_t>(count);
  const auto wanted = guard_ == device::guard::red_zones ? std::max<std::size_t>(alignment, 64) : alignment;
  auto owner = where_->allocate(
      {.bytes = elements * size_of(type), .alignment = wanted, .guard = guard_, .placement = placement_});
  arrays_.push_back(
      {.as = as, .type = type, .count = elements, .from = std::move(from), .owner = std::move(owner)});
  return arrays_.back();
}

data_file memory::file(std::int64_t bytes, dtype type, distribution from) {
  static std::atomic<unsigned> made{0};
  data_file f{fmt::format("{}/ridge-{}-{}.data", file_folder_, ::getpid(), made++), bytes};
  arrays_.push_back({.as = use::file,
                     .type = type,
                     .count = static_cast<std::size_t>(bytes) / size_of(type),
                     .from = std::move(from),
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
