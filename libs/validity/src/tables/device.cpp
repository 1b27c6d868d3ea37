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
          .cheats = "replays_the_first replays_a_graph_of_old_results records_the_last_steps_alone",
          .covers = "C9 aipe-31"},
    issue{.id = "host_function",
          .category = category::device,
          .happens = "Work hides in a host function that the queue calls.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "timed_results",
          .place = place::every_sample,
          .severity = severity::invalid,
          .answer = "The function runs in the order of its queue, between the marks where the queue is the "
                    "call's; on another stream it finds inputs that are not yet in place.",
          .missing = "The audit does not name host functions, and threads that they wake count for nobody.",
          .cheats = "computes_in_a_host_function",
          .covers = "aipe-43"},
    issue{
        .id = "kernel_left_running",
        .category = category::device,
        .happens = "A kernel goes on running after its call and serves the calls after it.",
        .threat = threat::optimising_agent,
        .status = status::checked,
        .checks = "left_running audit verified harness",
        .place = place::every_round,
        .severity = severity::invalid,
        .answer = "The whole device must be idle when a variant was set up or verified and when samples "
                  "are over; what ends after the marks of a traced call makes the comparison INVALID. A "
                  "process in which a variant makes no progress for 60 s is ended, and the variant refused.",
        .missing = "Within a block of samples that follow each other nobody looks.",
        .cheats = "burns_after_its_call burns_after_many_calls burns_where_nobody_traces "
                  "burns_from_the_set_up_on thrashes_after_its_call leaves_an_endless_kernel keeps_a_worker",
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
          .cheats = "uses_another_gpu",
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
          .answer = "A family on a GPU runs in a child; a variant that faults, ends the process or makes no "
                    "progress for 60 s is refused with the reason, and the others are measured without it in "
                    "another child.",
          .cheats = "does_not_end does_not_end_later leaves_an_endless_kernel traps faults_later "
                    "resets_the_device crashes_the_process"},
    issue{
        .id = "device_setting_left",
        .category = category::device,
        .happens = "A variant leaves a limit, a cache configuration, a pool's threshold or an access window "
                   "changed that the others are timed with.",
        .threat = threat::optimising_agent,
        .status = status::checked,
        .checks = "guards state",
        .place = place::every_round,
        .severity = severity::invalid,
        .answer = "Limits, flags and cache configuration of the device, its default pool and the window of "
                  "the queue are read when it is opened and after every block of samples; variables, signal "
                  "handlers, timers and masks of the process when the warm-up and the session end.",
        .missing = "The size of stacks, which the driver raises by itself, attributes of kernels and peer "
                   "access are not read.",
        .cheats = "allows_lines_to_persist leaves_a_heap leaves_a_buffer_of_prints "
                  "leaves_a_cache_configuration leaves_a_pool_threshold leaves_an_access_window "
                  "leaves_a_fetch_granularity leaves_a_variable leaves_a_handler_of_signals "
                  "leaves_a_mask_of_files"},
    issue{.id = "talks_from_a_kernel",
          .category = category::device,
          .happens = "A kernel prints what looks like a verdict.",
          .threat = threat::malicious_code,
          .status = status::prevented,
          .place = place::every_sample,
          .answer = "No result is read from standard output, and what the process of a family prints is "
                    "discarded.",
          .cheats = "prints_a_verdict_from_a_kernel"},
    issue{.id = "objects_in_every_call",
          .category = category::device,
          .happens = "Calls make streams, take memory or leave threads of the host behind.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "audit",
          .place = place::audit_pass,
          .severity = severity::warns,
          .answer = "The traced pass counts the calls of the API that take memory or make objects, and the "
                    "threads that a call leaves.",
          .cheats = "makes_a_stream_in_every_call takes_memory_in_every_call leaves_a_host_thread"},
};

}  // namespace

std::span<const issue> device() { return device_table; }

}  // namespace ridge::validity::tables
