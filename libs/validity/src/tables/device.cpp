// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tables/tables.hpp"

namespace ridge::validity::tables {
namespace {

constexpr std::array device_table{
    issue{.id = "partial_graph",
          .category = category::device,
          .happens = "A graph records only a part of the work, replays old pointers, or computed its answer "
                     "when it was captured.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "timed_results audit",
          .place = place::every_sample,
          .severity = severity::invalid,
          .answer = "Inputs change in place between replays, every sample's results are compared, and two "
                    "traced calls must be alike.",
          .missing = "The nodes of a graph are not held against what the same variant enqueues without it.",
          .cheats = "replays_the_first",
          .covers = "C9 aipe-31"},
    issue{.id = "host_function",
          .category = category::device,
          .happens = "Work hides in a host function that the queue calls.",
          .threat = threat::optimising_agent,
          .status = status::open,
          .checks = "timed_results",
          .place = place::every_sample,
          .answer =
              "The function runs in the order of its queue, between the marks where the queue is the call's.",
          .missing = "The audit does not name host functions, and threads that they wake count for nobody.",
          .covers = "aipe-43"},
    issue{.id = "kernel_left_running",
          .category = category::device,
          .happens = "A kernel goes on running after its call and serves the calls after it.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "audit",
          .place = place::audit_pass,
          .severity = severity::invalid,
          .answer = "A kernel that ends after the marks of its call makes the comparison INVALID.",
          .missing = "A kernel launched by the set-up that never ends shows only as a family that hangs when "
                     "the device is waited for.",
          .covers = "aipe-46"},
    issue{.id = "undeclared_gpus",
          .category = category::device,
          .happens = "A variant spreads its work over more GPUs than it declares.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "verified audit",
          .place = place::verification,
          .severity = severity::refused,
          .answer = "A GPU whose context was opened, or whose memory was taken, beyond the declared number "
                    "refuses the variant; the traced pass sees kernels on it.",
          .covers = "aipe-47"},
    issue{.id = "context_switches",
          .category = category::device,
          .happens = "Several contexts take turns on the GPU, and their switches are part of the time.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "gpu.processes audit",
          .place = place::start_of_run,
          .severity = severity::warns,
          .answer = "One process with one context measures a family; other processes on the GPU are a "
                    "finding of the machine's audit, contexts that a call makes one of the traced pass.",
          .missing = "A process that starts later is not seen.",
          .covers = "aipe-48"},
    issue{.id = "cooperative_launch",
          .category = category::device,
          .happens = "Kernels launched cooperatively pass by checks that know ordinary launches only.",
          .threat = threat::optimising_agent,
          .status = status::prevented,
          .place = place::every_sample,
          .answer = "No check depends on how a kernel is launched: marks, results and the trace see every "
                    "kernel of the queue.",
          .covers = "aipe-50"},
    issue{.id = "child_kernels",
          .category = category::device,
          .happens = "Kernels launch further kernels, which nobody counts.",
          .threat = threat::optimising_agent,
          .status = status::prevented,
          .place = place::every_sample,
          .answer = "A grid is complete only when its children are, so the end mark waits for them.",
          .missing = "Child kernels are not named in the list of kernels.",
          .covers = "aipe-51"},
    issue{
        .id = "page_migration",
        .category = category::device,
        .happens = "Managed memory migrates while something is timed, or has migrated before.",
        .threat = threat::honest_mistake,
        .status = status::open,
        .answer = "The harness's arrays are device memory, or pinned where the experiment asks for it.",
        .missing =
            "Managed memory that a variant takes in its set-up is neither named nor are its faults counted.",
        .covers = "aipe-52"},
    issue{.id = "device_lost",
          .category = category::device,
          .happens = "A fault or an endless kernel takes the GPU's context away, and what follows fails or "
                     "is not measured.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "harness",
          .place = place::once_per_family,
          .severity = severity::refused,
          .answer = "A family on a GPU runs in a child with a limit of 900 s; its end is recorded with the "
                    "reason and the next family opens the GPU again.",
          .missing = "Within a family the other variants are lost too."},
};

}  // namespace

std::span<const issue> device() { return device_table; }

}  // namespace ridge::validity::tables
