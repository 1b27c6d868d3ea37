// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// The closed vocabularies of a result. `name(x)` gives the stored word; `named<T>(word)` reads it back.
namespace ridge::model {

enum class role : std::uint8_t { baseline, optimized, comparator };
enum class backend : std::uint8_t { cpu, cuda };
enum class goal : std::uint8_t { speed, memory, throughput, latency, goodput, accuracy, informational };
enum class better : std::uint8_t { lower, higher };
enum class clock_kind : std::uint8_t { wall, device, simulated };
enum class bound : std::uint8_t { unknown, memory, compute, latency };

// INVALID and UNVERIFIED come first; the others read the interval of the ratio against 1 and the smallest
// effect that matters (harness/verdict.hpp).
enum class verdict : std::uint8_t {
  better,
  worse,
  equivalent,
  different_but_small,
  inconclusive,
  invalid,
  unverified
};

enum class outcome : std::uint8_t { pass, warn, fail, skipped };
enum class roof_kind : std::uint8_t { bandwidth, compute };
enum class roof_origin : std::uint8_t { measured, specified };

// Of a check of the environment. error: a result made here is wrong or not the machine's; warning: slower or
// noisier than it need be; info: worth knowing; unknown: could not be read here.
enum class severity : std::uint8_t { ok, info, warning, error, unknown };

// The word of an enumerator in documents and stores. They never change: files of older versions hold them.
[[nodiscard]] std::string_view name(role);
[[nodiscard]] std::string_view name(backend);
[[nodiscard]] std::string_view name(goal);
[[nodiscard]] std::string_view name(better);
[[nodiscard]] std::string_view name(clock_kind);
[[nodiscard]] std::string_view name(bound);
[[nodiscard]] std::string_view name(verdict);  // BETTER, WORSE, ... in capitals
[[nodiscard]] std::string_view name(outcome);
[[nodiscard]] std::string_view name(roof_kind);
[[nodiscard]] std::string_view name(roof_origin);
[[nodiscard]] std::string_view name(severity);

// The enumerator with that word; empty for an unknown word.
template <class Enum>
[[nodiscard]] std::optional<Enum> named(std::string_view word);

}  // namespace ridge::model
