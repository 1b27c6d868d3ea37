// SPDX-License-Identifier: Apache-2.0
#include "trial/trial_data.hpp"

#include <algorithm>
#include <numeric>

#include "exchange/layout.hpp"

namespace ridge::judge {
namespace {

constexpr std::size_t most_kept_of_a_round = std::size_t{64} << 20;  // bytes of one arm

}  // namespace

void trial_data::draw_up_to(std::size_t count) {
  for (; drawn_ < count; ++drawn_) draw(drawn_);
}

std::vector<std::size_t> trial_data::members_to_keep(std::size_t count, std::mt19937_64& lots) const {
  std::vector<std::size_t> all(count), chosen;
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto most = std::max<std::size_t>(1, most_kept_of_a_round / given_.output_stride);
  std::ranges::sample(all, std::back_inserter(chosen), static_cast<std::ptrdiff_t>(std::min(most, count)),
                      lots);
  return chosen;
}

std::string trial_data::difference(std::uint64_t key, std::size_t member, std::span<const std::byte> results,
                                   std::size_t variant) {
  source_.draw(harness::mixed_key(key, member));
  source_.compute_answers();
  std::vector<std::span<const std::byte>> arrays;
  for (std::size_t i = 0; i < given_.array_count; ++i) {
    const auto& place = given_.arrays[i];
    if (is_written(place)) arrays.push_back(results.subspan(place.offset, place.bytes));
  }
  return source_.difference(arrays, variant);
}

}  // namespace ridge::judge
