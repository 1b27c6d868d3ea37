// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/roof_name.hpp>

#include <algorithm>
#include <array>

#include <ridge/base/text.hpp>

namespace ridge::probe {
namespace {

constexpr std::array accesses{"read", "write", "copy", "triad", "fill"};
constexpr std::array levels_by_rank{"shared", "L1", "L2", "L3", "DRAM", "host"};

bool is_access(std::string_view word) { return std::ranges::find(accesses, word) != accesses.end(); }

std::string level_named(std::string_view word) {
  if (word == "l1") return "L1";
  if (word == "l2") return "L2";
  if (word == "l3") return "L3";
  if (word == "dram") return "DRAM";
  if (word == "shared") return "shared";
  if (word == "h2d" || word == "d2h") return "host";
  return "";
}

// Reads the id of a bandwidth: "read" alone means DRAM; a level stands before or after the access.
std::optional<roof_name> bandwidth(const std::vector<std::string_view>& id) {
  if (id.size() > 3) return std::nullopt;
  const auto named = [](std::string_view level, std::string_view access) {
    roof_name made{.level = std::string(level), .access = std::string(access)};
    return made.level.empty() || !is_access(access) ? std::nullopt : std::optional(std::move(made));
  };
  if (id.size() == 2) return named("DRAM", id[1]);
  if (level_named(id[1]) == "host" && id[2] == "pinned") return roof_name{.level = "host", .access = "copy"};
  const auto first = named(level_named(id[1]), id[2]);
  return first ? first : named(level_named(id[2]), id[1]);
}

std::optional<roof_name> peak_named(const std::vector<std::string_view>& id) {
  constexpr std::array types{"fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8", "fp4"};
  if (id.size() != 3 || std::ranges::find(types, id[2]) == types.end()) return std::nullopt;
  const bool vector = id[1] == "fma" || id[1] == "dot";
  if (!vector && id[1] != "mma" && id[1] != "amx") return std::nullopt;
  return roof_name{
      .kind = model::roof_kind::compute, .dtype = std::string(id[2]), .units = vector ? "vector" : "matrix"};
}

}  // namespace

std::optional<roof_name> roof_of(std::string_view ceiling) {
  const auto id = split(ceiling, '.');
  if (id.size() < 2 || (id[0] != "cpu" && id[0] != "cuda")) return std::nullopt;
  const auto peak = peak_named(id);
  return peak ? peak : bandwidth(id);
}

int rank_of_level(std::string_view level) {
  const auto at = std::ranges::find(levels_by_rank, level);
  return static_cast<int>(at - levels_by_rank.begin());
}

}  // namespace ridge::probe
