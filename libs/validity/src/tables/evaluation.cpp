// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tables/tables.hpp"

namespace ridge::validity::tables {
namespace {

constexpr std::array evaluation_table{
    issue{.id = "unfair_baseline",
          .category = category::evaluation,
          .happens = "The baseline is made slow: other flags, a slower library, extra waiting, a cold cache "
                     "for it alone.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "baseline",
          .place = place::once_per_family,
          .severity = severity::lowers_assurance,
          .answer =
              "A baseline that takes 1.75 times as long as the oracle (three times where arrays leave the "
              "caches), which is plain code of one "
              "thread, says what it does instead, or is warned of. All variants are built with the "
              "run's flags and measured under the same marks and evictions; what is slow to teach is "
              "marked and enters no headline.",
          .missing = "Whether the reason is a good one is for the reader; flags that a source sets for "
                     "itself are not recorded, and no stored time holds a baseline to what it was.",
          .cheats = "slows_its_baseline",
          .incident = "ai-performance-engineering ch15 inference_monolithic and ch18 paged_attn: baselines "
                      "of other work",
          .covers = "T18"},
    issue{
        .id = "unexplained_speedup",
        .category = category::evaluation,
        .happens = "A speedup of ten times or more is published although it is an error of the measurement.",
        .threat = threat::honest_mistake,
        .status = status::checked,
        .checks = "speedup",
        .place = place::once_per_family,
        .severity = severity::lowers_assurance,
        .answer = "A gain above ten times needs an .explanation by the variant, which is printed with it.",
        .missing = "Whether the explanation is true is the author's word.",
        .incident =
            "ai-performance-engineering ch06 add: 6,670x, an interpreter's loop; KernelBench flags over 10x",
        .covers = "gate-speedup"},
    issue{.id = "moved_time_limit",
          .category = category::evaluation,
          .happens = "A time-out is raised to hide that something became slow, or lowered to stop a rival.",
          .threat = threat::optimising_agent,
          .status = status::prevented,
          .place = place::once_per_family,
          .answer = "Limits stand in the harness and are the same for all variants; what does not end is "
                    "refused with the reason.",
          .covers = "aipe-89"},
    issue{.id = "redefined_metric",
          .category = category::evaluation,
          .happens = "What counts as faster is defined so that the favourite wins.",
          .threat = threat::optimising_agent,
          .status = status::prevented,
          .place = place::once_per_family,
          .answer = "Each metric has one reading and one direction; a ratio above 1 is better, always, and "
                    "the experiment states its deciding metric before anything is measured.",
          .incident = "MLPerf Inference 2019: selective submissions; HANS 2019 (aclanthology.org/P19-1334)",
          .covers = "aipe-90"},
    issue{
        .id = "trained_on_the_test",
        .category = category::evaluation,
        .happens = "A model is judged on data that it was trained on.",
        .threat = threat::honest_mistake,
        .status = status::not_applicable,
        .answer =
            "Ridge measures how fast a computation is and whether it is right, not what a model has learned.",
        .incident = "computational biology 2019 (nature.com/articles/s41467-019-09406-4); survey 2024 (arXiv "
                    "2406.04244)",
        .covers = "aipe-28 aipe-91"},
    issue{
        .id = "fits_the_benchmark_only",
        .category = category::evaluation,
        .happens =
            "Code is optimized for the sizes and data of the benchmark and is wrong or slow on others.",
        .threat = threat::optimising_agent,
        .status = status::open,
        .checks = "verified",
        .place = place::by_hand,
        .answer =
            "Axes and edge sizes are verified by `ridge verify`, and --axis measures any other problem.",
        .missing = "No size, distribution or position is held out from the candidate and drawn for the run.",
        .incident =
            "Underspecification 2020 (arXiv 2011.03395); NaturalCodeBench 2024; Epic Sepsis Model 2021",
        .covers = "aipe-92 aipe-95"},
    issue{.id = "memorized_inputs",
          .category = category::evaluation,
          .happens = "Inputs that never change are learned by heart, with their answers.",
          .threat = threat::optimising_agent,
          .status = status::prevented,
          .place = place::start_of_run,
          .answer = "The seed of all data is drawn for every run and stored; --seed repeats a run.",
          .incident = "AI agents that memorize test cases, 2024 (arXiv 2407.01502)",
          .covers = "aipe-94 mlperf-seeds"},
};

}  // namespace

std::span<const issue> evaluation() { return evaluation_table; }

}  // namespace ridge::validity::tables
