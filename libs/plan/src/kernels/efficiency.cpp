// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/efficiency.hpp>

#include <algorithm>
#include <array>

namespace ridge::plan::kernels {
namespace {

// Oldest first: the nearest generation is the one with the least steps between.
constexpr std::array<std::string_view, 7> generations{"turing", "ampere", "cdna3",    "ada",
                                                      "hopper", "cdna4",  "blackwell"};

int place_of(std::string_view generation) {
  const auto* at = std::ranges::find(generations, generation);
  return static_cast<int>(at - generations.begin());
}

using match = efficiency_catalogue::match;

// Smaller is nearer: the GPU itself, its generation, others by age; the format's own entry before any other.
int distance(const efficiency_entry& e, const accelerator& gpu, std::string_view format) {
  const int by_gpu = e.gpu == gpu.name ? 0
                     : e.generation == gpu.generation
                         ? 10
                         : 20 + std::abs(place_of(e.generation) - place_of(gpu.generation));
  return 10 * by_gpu + (e.format == format ? 0 : e.format.empty() ? 1 : 5);
}

match::distance how_far(const efficiency_entry& e, const accelerator& gpu) {
  if (e.gpu == gpu.name) return match::distance::own;
  return e.generation == gpu.generation ? match::distance::generation : match::distance::other;
}

}  // namespace

match efficiency_catalogue::find(const accelerator& gpu, std::string_view kernel,
                                 std::string_view format) const {
  const efficiency_entry* best = nullptr;
  for (const auto& e : entries) {
    if (e.kernel != kernel) continue;
    if (best == nullptr || distance(e, gpu, format) < distance(*best, gpu, format)) best = &e;
  }
  if (best == nullptr) return {};
  return {best, how_far(*best, gpu)};
}

const efficiency_catalogue& embedded_efficiencies() {
  static const efficiency_catalogue none{};
  return none;
}

}  // namespace ridge::plan::kernels
