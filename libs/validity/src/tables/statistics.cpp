// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tables/tables.hpp"

namespace ridge::validity::tables {
namespace {

constexpr std::array statistics_table{
    issue{.id = "drift_between_arms",
          .category = category::statistics,
          .happens = "The machine changes between the measurement of one arm and that of the other.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "drift control noise",
          .place = place::every_round,
          .severity = severity::warns,
          .answer = "Arms take turns within milliseconds in a random order and its mirror; both halves of a "
                    "session must agree.",
          .selftest = "aa_register aa_cache aa_memory power_register",
          .incident = "measured on a shared machine: one arm after the other is wrong in 19 to 45 % of "
                      "trials, interleaved in 3 %",
          .covers = "T16"},
    issue{.id = "favoured_arm",
          .category = category::statistics,
          .happens = "The order of samples favours one arm: it follows itself more often and finds its "
                     "caches and predictors.",
          .threat = threat::honest_mistake,
          .status = status::prevented,
          .place = place::every_round,
          .answer = "Every arm takes part once in a round, so that exchanging two arms leaves the "
                    "distribution of all orders as it is.",
          .selftest = "aa_private_16k aa_private_64k aa_private_256k aa_private_512k aa_private_1m "
                      "aa_private_8m",
          .incident = "Ridge itself: with a control arm 99 of 100 sessions of identical arms with tables of "
                      "256 KiB were WORSE"},
    issue{.id = "layout",
          .category = category::statistics,
          .happens = "The placement of code, stack and heap makes one arm faster, and no number of samples "
                     "in one process shows it.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "forks",
          .place = place::by_hand,
          .severity = severity::lowers_assurance,
          .answer = "With `--forks` each problem is measured in processes whose addresses, environment and "
                    "place of the code in its cache lines differ: a chapter is linked four times. The "
                    "interval is that across processes. "
                    "Without it the assurance is 2 at most.",
          .missing = "The order of functions is that of one link.",
          .selftest = "aa_layout",
          .incident = "folly and nanobench: 5 to 20 % and about 10 % by layout alone"},
    issue{.id = "dependent_samples",
          .category = category::statistics,
          .happens = "Neighbouring samples depend on each other, and an interval that takes them for "
                     "independent is too narrow.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "dependence",
          .place = place::once_per_family,
          .answer = "Where neighbours depend, medians of blocks replace them; the check says so.",
          .selftest = "aa_memory"},
    issue{.id = "peeking",
          .category = category::statistics,
          .happens = "One looks at the result again and again and stops when it is significant.",
          .threat = threat::honest_mistake,
          .status = status::prevented,
          .place = place::once_per_family,
          .answer = "The error allowed is spent over all looks (O'Brien-Fleming), and corrected for the "
                    "comparisons of a family (Holm).",
          .selftest = "aa_register aa_cache",
          .incident = "eight looks at 5 % each gave up to 12 % false positives in simulated sessions",
          .covers = "T17"},
    issue{.id = "best_of_many_runs",
          .category = category::statistics,
          .happens = "A run is repeated until its result is the wanted one, and only that is shown.",
          .threat = threat::optimising_agent,
          .status = status::open,
          .answer = "Every run is stored with its seed and all its samples, unless --no-store is given.",
          .missing = "A result does not say how many runs there were before it.",
          .incident = "Leaderboard Illusion 2025 (arXiv 2504.20879); selective submissions to MLPerf, 2022",
          .covers = "T17 aipe-80"},
    issue{.id = "injected_outliers",
          .category = category::statistics,
          .happens = "A few slow samples are put into one arm to move its mean.",
          .threat = threat::optimising_agent,
          .status = status::prevented,
          .place = place::once_per_family,
          .answer = "The estimate is the median of paired log ratios with an interval of order statistics; "
                    "no sample is dropped or added.",
          .selftest = "error_register error_cache",
          .covers = "aipe-81"},
    issue{
        .id = "chosen_statistic",
        .category = category::statistics,
        .happens = "The percentile, the measure of spread or the filter is chosen after the times are known.",
        .threat = threat::optimising_agent,
        .status = status::prevented,
        .place = place::once_per_family,
        .answer = "The protocol's statistics are fixed; metrics are stated by the experiment, and all "
                  "samples are kept for recomputation.",
        .covers = "aipe-82 aipe-83"},
    issue{.id = "too_few_samples",
          .category = category::statistics,
          .happens = "A handful of samples decides.",
          .threat = threat::honest_mistake,
          .status = status::prevented,
          .place = place::once_per_family,
          .answer =
              "Without enough rounds for the level there is no interval, and the verdict is INCONCLUSIVE.",
          .selftest = "power_register power_cache",
          .incident = "Measuring What Matters 2025: weak statistics in 445 benchmarks of language models",
          .covers = "aipe-84"},
    issue{.id = "cold_start_included",
          .category = category::statistics,
          .happens = "The first, cold calls are part of the figure of one arm.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "warm",
          .place = place::once_per_family,
          .severity = severity::warns,
          .answer = "Arms are warmed up in turn until each is steady within 1 %; nothing before is counted.",
          .covers = "aipe-85"},
    issue{.id = "garbage_collection",
          .category = category::statistics,
          .happens = "A garbage collector runs while something is timed.",
          .threat = threat::honest_mistake,
          .status = status::not_applicable,
          .answer = "Neither the harness nor the variants have one.",
          .covers = "aipe-86"},
    issue{.id = "work_in_rare_calls",
          .category = category::statistics,
          .happens =
              "Upkeep is saved up for every fourth call or so, which the median of the times does not see.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "mean",
          .place = place::once_per_family,
          .severity = severity::invalid,
          .answer = "The median is judged; 75 % of the gain must be left by the means of what calls cost, in "
                    "processor time where that is less, with the slowest hundredth cut to the 99th "
                    "percentile.",
          .missing = "Upkeep in fewer than one call in a hundred is taken for an interruption; variants of "
                     "several threads are not judged.",
          .cheats = "clears_rarely"},
    issue{.id = "no_value",
          .category = category::statistics,
          .happens = "A metric is 0 or not finite in some rounds, and its ratio is taken for a verdict.",
          .threat = threat::honest_mistake,
          .status = status::prevented,
          .place = place::every_round,
          .answer = "A round whose value is not positive and finite in both arms gives no ratio; without "
                    "ratios there is no verdict.",
          .incident = "Ridge itself: WORSE by [0, 0] for a metric of 0"},
};

}  // namespace

std::span<const issue> statistics() { return statistics_table; }

}  // namespace ridge::validity::tables
