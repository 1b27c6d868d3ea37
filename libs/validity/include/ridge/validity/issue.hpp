// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// The known ways in which a benchmark misleads, by mistake or on purpose, and what Ridge does about each.
namespace ridge::validity {

// What of a benchmark an issue concerns, in print order.
enum class category : std::uint8_t {
  timing,
  output,
  workload,
  memory_and_cache,
  process,
  device,
  compilation,
  distributed,
  environment,
  statistics,
  evaluation
};
// Every category, in that order.
inline constexpr std::array all_categories{
    category::timing,      category::output,     category::workload,    category::memory_and_cache,
    category::process,     category::device,     category::compilation, category::distributed,
    category::environment, category::statistics, category::evaluation};

// Who causes it: an honest author without knowing, an agent that optimizes whatever is measured, or code in
// the process that attacks the harness itself.
enum class threat : std::uint8_t { honest_mistake, optimising_agent, malicious_code };

// What Ridge does about it.
enum class status : std::uint8_t {
  checked,         // a check of the harness or of the machine's audit reports it
  prevented,       // the harness measures in a way that leaves no room for it; nothing has to be reported
  open,            // nothing reports it for certain yet
  not_applicable,  // it cannot occur in a program of compiled variants
};
inline constexpr std::array all_statuses{status::checked, status::prevented, status::open,
                                         status::not_applicable};

// Where the check or what prevents the issue runs.
enum class place : std::uint8_t {
  nowhere,
  every_sample,
  every_round,
  once_per_family,
  verification,  // before anything is timed
  audit_pass,  // in a pass that times nothing: on the host the forked child, on a GPU the one under a tracer
  start_of_run,  // with the environment, before the first family
  by_hand,
};

// What the user sees when it is found.
enum class severity : std::uint8_t {
  none,     // nothing: there is no check, or nothing to find
  invalid,  // the verdict is INVALID
  refused,  // the variant is refused and never timed
  lowers_assurance,
  warns,
};

// One way to be misled. Texts of several words stand for lists: their words are separated by spaces.
struct issue {
  std::string_view id;  // in snake_case; stable
  validity::category category;
  std::string_view happens;  // one sentence: how the benchmark is fooled
  validity::threat threat;
  validity::status status;
  std::string_view checks{};  // ids of checks that report it; with a dot: findings of `ridge audit`
  validity::place place{validity::place::nowhere};
  validity::severity severity{validity::severity::none};
  std::string_view answer{};    // what Ridge does; why the issue is not applicable
  std::string_view missing{};   // what is not seen, or is not built yet; empty where nothing is known to be
  std::string_view cheats{};    // cheats of tests/cheats that prove the check; empty: unproved
  std::string_view selftest{};  // rows of `ridge selftest` that measure it
  std::string_view incident{};  // where it happened, with its source; empty where no source is known
  std::string_view covers{};    // entries of the two catalogues that it answers (docs/handbook/validity.md)
};

// Whether a cheat or a row of the self-test shows that the answer works.
[[nodiscard]] constexpr bool proved(const issue& entry) {
  return !entry.cheats.empty() || !entry.selftest.empty();
}

}  // namespace ridge::validity
