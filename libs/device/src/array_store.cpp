// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/array_store.hpp>

namespace ridge::device {

void fill_each_part(array_store& store, std::span<std::byte> target, dtype type, const distribution& d,
                    std::uint64_t key, std::span<const part> parts) {
  const auto element = size_of(type);
  for (const auto& p : parts) {
    store.fill(target.subspan(p.first * element, p.count * element), type, d, key, p.first,
               target.size() / element);
  }
}

}  // namespace ridge::device
