// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/metric_unit.hpp>

#include <algorithm>
#include <array>

namespace ridge::trace {
namespace {

struct unit_spelling {
  std::string_view written, base;
  double factor;
};

// Nsight Compute scales units unless told not to (--print-units base), by powers of 1000.
constexpr std::array unit_spellings{unit_spelling{"ns", "ns", 1},
                                    unit_spelling{"nsecond", "ns", 1},
                                    unit_spelling{"us", "ns", 1e3},
                                    unit_spelling{"usecond", "ns", 1e3},
                                    unit_spelling{"ms", "ns", 1e6},
                                    unit_spelling{"msecond", "ns", 1e6},
                                    unit_spelling{"s", "ns", 1e9},
                                    unit_spelling{"sec", "ns", 1e9},
                                    unit_spelling{"second", "ns", 1e9},
                                    unit_spelling{"cycle/ns", "Hz", 1e9},
                                    unit_spelling{"cycle/nsecond", "Hz", 1e9},
                                    unit_spelling{"cycle/us", "Hz", 1e6},
                                    unit_spelling{"cycle/usecond", "Hz", 1e6},
                                    unit_spelling{"cycle/s", "Hz", 1},
                                    unit_spelling{"cycle/second", "Hz", 1},
                                    unit_spelling{"B", "byte", 1}};

struct prefix {
  char letter;
  double factor;
};
constexpr std::array prefixes{prefix{'K', 1e3}, prefix{'k', 1e3},  prefix{'M', 1e6},
                              prefix{'G', 1e9}, prefix{'T', 1e12}, prefix{'P', 1e15}};
// Units that may have a prefix; others ("Kernel") are not scaled.
constexpr std::array<std::string_view, 9> scalable{"byte",   "byte/s", "byte/second", "hz",  "Hz",
                                                   "inst/s", "sector", "cycle",       "inst"};

std::string_view base_name(std::string_view unit) {
  if (unit == "byte/second") return "byte/s";
  return unit == "hz" ? "Hz" : unit;
}

}  // namespace

scaled_unit unit_of(std::string_view unit) {
  const auto at = std::ranges::find(unit_spellings, unit, &unit_spelling::written);
  if (at != unit_spellings.end()) return {at->base, at->factor};
  for (const auto& p : prefixes) {
    if (!unit.starts_with(p.letter)) continue;
    const auto rest = std::ranges::find(scalable, unit.substr(1));
    if (rest != scalable.end()) return {base_name(*rest), p.factor};
    // "Mbyte/block" and the like: scaled bytes of something.
    if (unit.substr(1).starts_with("byte/")) return {unit.substr(1), p.factor};
  }
  return {base_name(unit), 1};
}

}  // namespace ridge::trace
