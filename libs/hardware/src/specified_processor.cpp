// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <ridge/base/text.hpp>
#include <ridge/hardware/specification.hpp>

namespace ridge::hardware {
namespace {

const core_rate* fastest(const processor& processor, std::string_view dtype, std::string_view isa) {
  const core_rate* best = nullptr;
  for (const auto& r : processor.rates) {
    const bool meant = r.dtype == dtype && (isa.empty() || r.isa == isa);
    if (meant && (!best || r.flop_per_clock > best->flop_per_clock)) best = &r;
  }
  return best;
}

}  // namespace

std::optional<double> memory_channels::bytes_per_s() const {
  if (bandwidth_bytes_per_s) return bandwidth_bytes_per_s;
  if (channels == 0 || transfers_per_s <= 0) return std::nullopt;
  return channels * transfers_per_s * bytes_per_transfer;
}

std::optional<specification> specified(const processor& processor, std::string_view ceiling,
                                       const processor_use& use) {
  constexpr std::array of_memory{"read", "write", "copy", "triad"};
  const auto id = split(ceiling, '.');
  if (id.size() < 2 || id[0] != "cpu") return std::nullopt;
  if (id.size() == 2 && std::ranges::find(of_memory, id[1]) != of_memory.end()) {
    const auto rate = processor.memory.bytes_per_s();
    if (!rate) return std::nullopt;
    return specification{use.sockets * *rate, "B/s", processor.memory.source};
  }
  if (id[1] != "fma" || id.size() < 3 || use.clock_hz <= 0) return std::nullopt;
  const auto* rate = fastest(processor, id[2], id.size() > 3 ? id[3] : std::string_view());
  if (!rate) return std::nullopt;
  return specification{use.cores * use.clock_hz * rate->flop_per_clock, "FLOP/s", rate->source, use.clock_hz};
}

}  // namespace ridge::hardware
