// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tables/tables.hpp"

namespace ridge::validity::tables {
namespace {

constexpr auto no_ranks = "Ranks in several processes are not measured yet.";

constexpr std::array distributed_table{
    issue{
        .id = "rank_skips",
        .category = category::distributed,
        .happens = "Some GPUs or ranks do not do their share.",
        .threat = threat::optimising_agent,
        .status = status::checked,
        .checks = "verified timed_results",
        .place = place::every_sample,
        .severity = severity::refused,
        .answer = "Arrays on every GPU of a variant belong to the harness, which poisons and compares them.",
        .missing = no_ranks,
        .covers = "aipe-60"},
    issue{.id = "skipped_communication",
          .category = category::distributed,
          .happens = "A collective is left out or answered from local data.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "verified timed_results",
          .place = place::every_sample,
          .severity = severity::refused,
          .answer = "Results that depend on the data of other GPUs are compared on every GPU, with data that "
                    "change in every round.",
          .missing = no_ranks,
          .covers = "aipe-61"},
    issue{
        .id = "claimed_topology",
        .category = category::distributed,
        .happens = "The result claims other links or another placement than there were.",
        .threat = threat::honest_mistake,
        .status = status::prevented,
        .checks = "gpu.peers gpu.nvlink pcie.gpu_link numa.devices",
        .place = place::start_of_run,
        .answer = "What connects the GPUs is read from the machine and stored with the run, never declared.",
        .covers = "aipe-62"},
    issue{.id = "barrier_position",
          .category = category::distributed,
          .happens =
              "Ranks start or stop their clocks at different barriers, and the slowest is not waited for.",
          .threat = threat::honest_mistake,
          .status = status::open,
          .answer = "Within one process all queues of all GPUs are forked from the first mark and joined "
                    "into the last.",
          .missing = no_ranks,
          .covers = "aipe-63"},
    issue{.id = "gradient_buckets",
          .category = category::distributed,
          .happens = "The arms send gradients in buckets of different size without saying so.",
          .threat = threat::honest_mistake,
          .status = status::not_applicable,
          .answer = "No training framework with such a hidden setting is measured; how a variant cuts its "
                    "messages is the variant, and is what its name says.",
          .covers = "aipe-64"},
    issue{.id = "unfinished_reduction",
          .category = category::distributed,
          .happens = "A reduction goes on after the clock has stopped.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "audit timed_results",
          .place = place::audit_pass,
          .severity = severity::invalid,
          .answer = "Declared queues of all GPUs are joined before the end mark; other work must end before "
                    "it in the traced pass.",
          .missing = no_ranks,
          .covers = "aipe-65"},
    issue{.id = "hidden_bubbles",
          .category = category::distributed,
          .happens = "The idle time of a pipeline is not counted.",
          .threat = threat::honest_mistake,
          .status = status::prevented,
          .place = place::every_sample,
          .answer = "Time is from the first mark to the last of the whole call, idle time included; busy "
                    "time is never summed up.",
          .covers = "aipe-66"},
};

}  // namespace

std::span<const issue> distributed() { return distributed_table; }

}  // namespace ridge::validity::tables
