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

// How a comparison ended. INVALID and UNVERIFIED take precedence; the other verdicts follow from the interval
// of the ratio, 1 and the smallest effect that matters (harness/verdict.hpp).
enum class verdict : std::uint8_t {
  better,
  worse,
  equivalent,
  different_but_small,
  inconclusive,
  invalid,
  unverified
};

// How a variant failed, so that nothing of it was timed or believed. `unknown`: an older document does not
// say.
enum class failure_kind : std::uint8_t {
  none,
  unknown,
  wrong_output,   // its results, or what it left in memory, were wrong
  threw,          // an exception left it
  crashed,        // a signal or an exit ended its process
  timed_out,      // a call did not come to an end in time
  out_of_memory,  // the machine, a control group or a limit had no more memory for it
};

enum class outcome : std::uint8_t { pass, warn, fail, skipped };
enum class roof_kind : std::uint8_t { bandwidth, compute };
enum class roof_origin : std::uint8_t { measured, specified };

// How severe a check of the environment is. error: a result made here is wrong or not that of the machine;
// warning: results are slower or noisier than they need be; info: worth knowing; unknown: could not be read
// here.
enum class severity : std::uint8_t { ok, info, warning, error, unknown };

// Return the word of an enumerator in documents and stores. The words never change, since files of older
// versions contain them.
[[nodiscard]] std::string_view name(role);
[[nodiscard]] std::string_view name(backend);
[[nodiscard]] std::string_view name(goal);
[[nodiscard]] std::string_view name(better);
[[nodiscard]] std::string_view name(clock_kind);
[[nodiscard]] std::string_view name(bound);
[[nodiscard]] std::string_view name(verdict);  // BETTER, WORSE, ... in capitals
[[nodiscard]] std::string_view name(failure_kind);
[[nodiscard]] std::string_view name(outcome);
[[nodiscard]] std::string_view name(roof_kind);
[[nodiscard]] std::string_view name(roof_origin);
[[nodiscard]] std::string_view name(severity);

// Returns the enumerator with that word; nothing for an unknown word.
template <class Enum>
[[nodiscard]] std::optional<Enum> named(std::string_view word);

}  // namespace ridge::model
