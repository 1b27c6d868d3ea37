// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <ridge/base/text.hpp>
#include <ridge/hardware/specification.hpp>

namespace ridge::hardware {
namespace {

using words = std::vector<std::string_view>;

bool has(const words& id, std::string_view word) { return std::ranges::find(id, word) != id.end(); }

std::optional<specification> of_figure(const std::optional<figure>& x, const char* unit) {
  if (!x) return std::nullopt;
  return specification{x->value, unit, x->source};
}

std::optional<specification> of_link(const link* l, double directions) {
  if (!l) return std::nullopt;
  return specification{directions * l->bytes_per_s, "B/s", l->source};
}

// The rate over PCIe, or over the link to a processor of the same package.
std::optional<specification> to_host(const gpu& gpu, const words& id) {
  const auto* direct = gpu.link_of("c2c");
  return of_link(direct ? direct : gpu.link_of("pcie"), has(id, "bidirectional") ? 2 : 1);
}

std::optional<specification> of_peak(const gpu& gpu, unit units, const words& id) {
  const auto* found = id.size() > 2 ? gpu.peak(id[2], units) : nullptr;
  if (!found) return std::nullopt;
  const auto value = has(id, "sparse") ? found->sparse_flop_per_s : found->dense_flop_per_s;
  if (!value) return std::nullopt;
  return specification{*value, "FLOP/s", found->source, found->clock_hz.value_or(0)};
}

std::optional<specification> of_shared(const gpu& gpu) {
  if (!gpu.shared_bytes_per_clock || !gpu.multiprocessors || !gpu.max_clock_hz) return std::nullopt;
  return specification{
      gpu.shared_bytes_per_clock->value * gpu.multiprocessors->value * gpu.max_clock_hz->value, "B/s",
      gpu.shared_bytes_per_clock->source, gpu.max_clock_hz->value};
}

bool is_of_memory(std::string_view word) {
  constexpr std::array names{"read", "write", "copy", "triad", "memset", "memcpy"};
  return std::ranges::find(names, word) != names.end();
}

}  // namespace

std::optional<specification> specified(const gpu& gpu, std::string_view ceiling) {
  const auto id = split(ceiling, '.');
  if (id.size() < 2 || id[0] != "cuda") return std::nullopt;
  if (id[1] == "fma") return of_peak(gpu, unit::vector, id);
  if (id[1] == "mma") return of_peak(gpu, unit::matrix, id);
  if (id[1] == "clock") return of_figure(gpu.max_clock_hz, "Hz");
  if (id[1] == "shared" && has(id, "read")) return of_shared(gpu);
  if (id[1] == "p2p") return of_link(gpu.link_of("nvlink"), has(id, "bidirectional") ? 2 : 1);
  if (id[1] == "h2d" || id[1] == "d2h" || id[1] == "bidirectional") return to_host(gpu, id);
  if (is_of_memory(id[1])) return of_figure(gpu.bandwidth_bytes_per_s, "B/s");
  return std::nullopt;
}

}  // namespace ridge::hardware
