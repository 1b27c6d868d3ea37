// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tables/tables.hpp"

namespace ridge::validity::tables {
namespace {

constexpr std::array workload_table{
    issue{
        .id = "smaller_problem",
        .category = category::workload,
        .happens = "One arm works on fewer samples, shorter sequences, a lower resolution or smaller shards.",
        .threat = threat::honest_mistake,
        .status = status::prevented,
        .place = place::verification,
        .answer = "The experiment makes one workload per problem, and every variant gets the same arrays and "
                  "must fill all of the output.",
        .cheats = "unwritten_tail",
        .covers = "aipe-22 aipe-23 aipe-24 aipe-67"},
    issue{.id = "other_inputs",
          .category = category::workload,
          .happens =
              "The arms work on different data: another sparsity, another mask, a cache of another size.",
          .threat = threat::honest_mistake,
          .status = status::prevented,
          .place = place::every_round,
          .answer =
              "All arms of a round use the same arrays, drawn from one key, and must agree on the results.",
          .incident = "ai-performance-engineering ch15 kv_cache_management: batch 8 in fp32 against batch 4 "
                      "in bf16, 25x",
          .covers = "aipe-25 aipe-26 aipe-27"},
    issue{.id = "early_exit",
          .category = category::workload,
          .happens = "An iteration stops before its last step, or a smaller model answers.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "verified timed_results",
          .place = place::verification,
          .severity = severity::refused,
          .answer = "The result must agree with the oracle's within the tolerance.",
          .missing = "Steps that do not change the result beyond the tolerance may be left out unseen.",
          .cheats = "fewer_steps",
          .incident =
              "ai-performance-engineering ch17 inference_full: an early exit without a look at the accuracy",
          .covers = "aipe-21"},
    issue{.id = "precision_policy",
          .category = category::workload,
          .happens = "A setting of a library or of the environment changes the precision for all, such as "
                     "TF32 for FP32.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "variables.arithmetic verified",
          .place = place::start_of_run,
          .severity = severity::warns,
          .answer = "Variables that change what libraries compute are findings of the machine's audit; the "
                    "result must be within the tolerance; a variant states what it multiplies in.",
          .missing = "A policy that a body sets while it is timed is not looked at.",
          .incident = "TF32 by default in PyTorch on Ampere, 2020 "
                      "(https://pytorch.org/docs/stable/notes/cuda.html#tf32-on-ampere)",
          .covers = "aipe-19"},
    issue{
        .id = "easy_data",
        .category = category::workload,
        .happens = "Data of zeros or ramps take less power, so that the clock is higher than with real data.",
        .threat = threat::honest_mistake,
        .status = status::prevented,
        .place = place::every_round,
        .answer = "Inputs come from a generator with the distribution that the experiment states, random "
                  "unless that is the question; both arms get the same.",
        .missing = "How often bits toggle is not recorded with the result.",
        .incident = "Horace He: a product of 257 TFLOP/s took 295 on zeros",
        .covers = "T19"},
    issue{.id = "misdeclared_work",
          .category = category::workload,
          .happens =
              "The declared traffic or work is not what the variant does, and shares and rates are wrong.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "work traffic arithmetic counters ceilings",
          .place = place::once_per_family,
          .severity = severity::lowers_assurance,
          .answer = "Work is the experiment's and the same for all variants. Traffic below what the arrays "
                    "hold, traffic over twice the other variant's that does not show in the time, arithmetic "
                    "that the arrays or the error contradict and rates that no processor reaches are named. "
                    "Shares above the ceiling warn.",
          .missing = "Counters are shown beside what is declared and not held against it; modest false "
                     "statements pass.",
          .cheats = "declares_little_traffic declares_much_traffic declares_other_arithmetic "
                    "inflates_the_work",
          .covers = "gate-counters"},
    issue{.id = "work_does_not_scale",
          .category = category::workload,
          .happens = "Time does not grow with the size as the work must, for most of it is left out.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "scaling",
          .place = place::once_per_family,
          .severity = severity::lowers_assurance,
          .answer = "Where a run measures several sizes, a candidate whose time hardly grows with four times "
                    "the work "
                    "or more, as the reference's does, is asked for its explanation.",
          .missing = "A run of one size has nothing to compare with; its results are verified at that size.",
          .covers = "gate-scaling"},
    issue{.id = "work_in_the_setup",
          .category = category::workload,
          .happens = "The answer, or most of the work, is computed in the untimed set-up.",
          .threat = threat::optimising_agent,
          .status = status::prevented,
          .place = place::once_per_family,
          .answer = "Bodies are bound while the arrays hold poison: the set-up may see shapes, never data. "
                    "Its time and its workspaces are reported.",
          .incident = "ai-performance-engineering ch07 lookup: the answer is precomputed",
          .covers = "aipe-30 aipe-45"},
    issue{
        .id = "work_in_the_stage",
        .category = category::workload,
        .happens = "A variant that may prepare its data before each round does the timed work there.",
        .threat = threat::optimising_agent,
        .status = status::checked,
        .checks = "stage",
        .place = place::once_per_family,
        .severity = severity::invalid,
        .answer =
            "A variant that is better must stay better with its stage counted, or state why it need not be, "
            "which lowers the assurance. Its seconds are those on data that are all new, where these are "
            "more.",
        .missing = "Where no rounds on new data are taken, those of the session count.",
        .cheats = "stages_the_answer stages_half stages_the_sums stages_what_changed"},
};

}  // namespace

std::span<const issue> workload() { return workload_table; }

}  // namespace ridge::validity::tables
