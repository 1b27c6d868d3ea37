// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/array_store.hpp>

#include <ridge/base/error.hpp>

namespace ridge::device {

std::unique_ptr<shared_range> array_store::share(std::size_t) {
  throw unavailable("memory of this device that other processes map", "choose another device");
}

std::span<std::byte> array_store::map_shared(int, std::size_t, bool) {
  throw unavailable("memory of this device that other processes map", "choose another device");
}

void fill_each_part(array_store& store, std::span<std::byte> target, dtype type, const distribution& d,
                    std::uint64_t key, std::span<const part> parts) {
  const auto element = size_of(type);
  for (const auto& p : parts) {
    store.fill(target.subspan(p.first * element, p.count * element), type, d, key, p.first,
               target.size() / element);
  }
}

}  // namespace ridge::device
