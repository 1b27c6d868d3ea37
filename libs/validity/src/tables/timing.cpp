// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tables/tables.hpp"

namespace ridge::validity::tables {
namespace {

constexpr std::array timing_table{
    issue{.id = "unjoined_stream",
          .category = category::timing,
          .happens =
              "Work runs on a stream that the timed one never joins, so the events around the call miss it.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "audit",
          .place = place::audit_pass,
          .severity = severity::invalid,
          .answer = "A pass under CUPTI records every kernel, copy and set of two calls; what runs outside "
                    "the marks of its call makes the comparison INVALID.",
          .missing = "Side work that is shorter than what the queue does meanwhile lies within the marks. "
                     "Where CUPTI cannot run, the check is skipped and the assurance is 1 at most.",
          .cheats = "runs_on_a_stream_of_its_own runs_on_the_legacy_stream runs_on_the_stream_of_its_thread "
                    "leaves_a_share_unjoined joins_too_early finishes_in_the_next_call",
          .incident = "Locus/KernelBench 2025: 82 of 250 kernels made by reinforcement learning, a false 18x "
                      "(https://x.com/miru_why/status/1991773868806361138)",
          .covers = "T1 aipe-1 fault-d"},
    issue{.id = "late_work",
          .category = category::timing,
          .happens = "Work is put off until the clock has stopped: into the next call, or until the result "
                     "is looked at.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "verified timed_results audit",
          .place = place::every_sample,
          .severity = severity::invalid,
          .answer = "Outputs are poisoned before every sample and fingerprinted straight after it, on a GPU "
                    "on the same queue; `ridge judge` reads them twice with a pause, and whether the GPU "
                    "is idle.",
          .cheats = "finishes_later computes_at_exit",
          .incident = "gpu-mode/reference-kernels #161",
          .covers = "T2 aipe-2"},
    issue{
        .id = "computed_when_read",
        .category = category::timing,
        .happens = "Results lie in pages that a handler fills when somebody reads them, after the clock "
                   "has stopped.",
        .threat = threat::malicious_code,
        .status = status::checked,
        .checks = "timed_results state cpu_time",
        .place = place::every_sample,
        .severity = severity::refused,
        .answer =
            "From the end of the timed calls until the results were read no signal is handled: one "
            "that waits comes too late, and a fault ends the process, so that the variant is refused. "
            "Processor time of other threads is counted between samples, too, and page faults while results "
            "are read: memory that was written does not fault.",
        .missing = "Threads of a variant that declares several are not told from one that fills pages.",
        .cheats = "timer_finishes computes_on_a_page_fault zeroes_lazily copies_by_remapping"},
    issue{.id = "work_before_the_marks",
          .category = category::timing,
          .happens = "Work is done before the first mark of its call: on another stream or on the host while "
                     "the queue is held, by a kernel that runs all the time, or when a graph is captured.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "timed_results audit",
          .place = place::every_sample,
          .severity = severity::invalid,
          .answer = "Pieces of some inputs hold other data until the queue comes to the first mark, and are "
                    "put in place right before it; the traced pass sees what runs before the marks.",
          .missing = "Inputs that the host fills as a whole or that lie in pageable memory, and what is "
                     "computed from no input, are not covered.",
          .cheats = "computes_before_its_turn waits_for_its_own_stream hides_from_the_tracer "
                    "computes_ahead_after_many_calls computes_on_the_host computes_in_a_host_function "
                    "keeps_a_worker records_the_last_steps_alone"},
    issue{.id = "skipped_on_the_device",
          .category = category::timing,
          .happens = "A short call on a GPU does less because its sample has called before on the same data: "
                     "its result is no poison, its source has not changed, or the call before was just now.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "fresh_calls audit timed_results",
          .place = place::every_round,
          .severity = severity::invalid,
          .answer = "Behind blocks drawn at random each arm is called once more on data that it has not "
                    "seen; that may take 1.75 times as long as among calls in a row only where the "
                    "reference does too. A traced call may not work for 1.75 times as long as a timed one.",
          .missing = "Calls of some microseconds, and gains below two, are lost in the limits.",
          .cheats = "skips_what_is_no_poison skips_calls_in_a_row asks_whether_it_is_written "
                    "compares_its_data remembers_by_a_hash works_where_it_is_traced"},
    issue{
        .id = "result_visible_late",
        .category = category::timing,
        .happens = "The result is complete only after a synchronization that the timed call does not pay.",
        .threat = threat::optimising_agent,
        .status = status::checked,
        .checks = "timed_results",
        .place = place::every_sample,
        .severity = severity::invalid,
        .answer =
            "The fingerprint of a sample is enqueued behind its end mark without waiting for anything else.",
        .missing = "The fingerprint runs on the queue of the call, not on another one that waits for the end "
                   "mark alone.",
        .cheats = "finishes_later",
        .covers = "O15"},
    issue{.id = "replaced_clock",
          .category = category::timing,
          .happens =
              "The functions that read time or record events are replaced, so that every call looks short.",
          .threat = threat::malicious_code,
          .status = status::checked,
          .checks = "clock clocks_agree state variables.preload",
          .place = place::every_sample,
          .severity = severity::invalid,
          .answer =
              "On the CPU a second clock is read in place around every sample: the processor's counter, "
              "or the kernel's clock by a system call; 2 % between the two make the comparison INVALID. "
              "On a GPU events, the GPU's timer and the host's clock are held against each other; a "
              "preloaded library is a finding of the machine's audit.",
          .missing = "All these clocks are read by the process that runs the candidate, which may write to "
                     "the harness's memory; that of `ridge judge` is in another process.",
          .cheats = "replaces_the_clock traps_the_time_stamp moves_the_start",
          .incident = "pygpubench, exploits 7 to 9",
          .covers = "T4"},
    issue{.id = "misplaced_events",
          .category = category::timing,
          .happens = "Events are recorded in the wrong place or on the wrong stream, and their difference is "
                     "not the call's time.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "clocks_agree events",
          .place = place::once_per_family,
          .severity = severity::warns,
          .answer = "Bodies record no events: the harness marks its own queue, and holds the marks against "
                    "the GPU's timer (2 us or 1 %) and the sum of a block against the host's clock.",
          .incident = "ai-performance-engineering ch12 cuda_graphs: events on another stream than the "
                      "kernels, 390x stored",
          .covers = "aipe-3"},
    issue{.id = "no_synchronization",
          .category = category::timing,
          .happens = "The clock stops when the launch returns, so that only the launch is timed.",
          .threat = threat::honest_mistake,
          .status = status::prevented,
          .place = place::every_sample,
          .answer = "A body never reads the clock that counts: the harness sets both marks on the queue and "
                    "waits for the second.",
          .covers = "T6"},
    issue{
        .id = "launch_bound",
        .category = category::timing,
        .happens = "A kernel of a few microseconds is timed together with what the host takes to launch it.",
        .threat = threat::honest_mistake,
        .status = status::prevented,
        .checks = "upkeep mode.graph mode.latency",
        .place = place::every_sample,
        .answer = "Calls are enqueued on a held queue and released together; calls under 20 us are measured "
                  "in graphs too, and the host's time for a sample is shown.",
        .missing = "An arm that waits for the device itself is timed as it comes.",
        .incident = "emmy #216: 423 us by the wall clock, 104 us of them on the GPU",
        .covers = "T7 aipe-49"},
    issue{.id = "coarse_clock",
          .category = category::timing,
          .happens = "The clock's resolution or the cost of reading it is a large part of what is timed.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "resolution",
          .place = place::once_per_family,
          .severity = severity::warns,
          .answer = "A sample of several calls takes a thousand clock resolutions and 20 us at least, one of "
                    "a single call 250 and 5 us; the cost of reading the clock is held against the shortest "
                    "sample (1 %).",
          .selftest = "iteration_cost error_register",
          .covers = "T8 aipe-4 mlperf-duration"},
    issue{.id = "wall_clock_steps",
          .category = category::timing,
          .happens = "The system's clock is set while something is timed.",
          .threat = threat::honest_mistake,
          .status = status::prevented,
          .place = place::every_sample,
          .answer = "Only monotonic clocks and the counters of the CPU and the GPU are read.",
          .covers = "aipe-6"},
    issue{.id = "profiler_in_the_time",
          .category = category::timing,
          .happens = "A tracer or profiler is attached while samples are taken and slows them, one arm more "
                     "than the other.",
          .threat = threat::honest_mistake,
          .status = status::prevented,
          .checks = "variables.cuda_debugging",
          .place = place::audit_pass,
          .answer = "The tracer lives in a child process of its own, and counters are read in a pass after "
                    "the session; an injected tool is a finding of the machine's audit.",
          .covers = "aipe-7"},
    issue{.id = "clock_moves_with_one_arm",
          .category = category::timing,
          .happens = "The GPU runs at a higher clock for one arm, by its power, its rests or on purpose.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "cycles clocks gpu.clock gpu.application_clock",
          .place = place::every_round,
          .severity = severity::warns,
          .answer = "The clock is read on the GPU beside every sample, and the verdict in cycles is held "
                    "against that in time.",
          .missing =
              "It warns and does not lower the assurance. On the CPU no clock is read beside the samples.",
          .incident = "ROCm/vllm #928: idle gaps lower clocks by 5 to 15 %",
          .covers = "T5 aipe-69"},
    issue{.id = "slow_until_timed",
          .category = category::timing,
          .happens = "A body is slow while it is warmed up and calibrated, so that it gets few calls, and "
                     "fast afterwards.",
          .threat = threat::optimising_agent,
          .status = status::open,
          .checks = "warm",
          .place = place::once_per_family,
          .severity = severity::warns,
          .answer = "Arms within 4x of the fastest share one count of calls, and every arm must be steady "
                    "before rounds begin.",
          .missing = "Times before and after the warm-up are not compared, and the count is not calibrated "
                     "again among the rounds.",
          .incident = "pygpubench: an exploit that recognizes the warm-up",
          .covers = "T10"},
    issue{.id = "skipped_calls",
          .category = category::timing,
          .happens = "One call does the work of several, or only one call in some computes anything.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "timed_results repeats audit",
          .place = place::every_sample,
          .severity = severity::invalid,
          .answer = "Every sample's outputs are poisoned before and compared after; 32 calls in a row "
                    "on new data are recomputed at the end, half of which find old results in wrong places "
                    "instead of poison; two traced calls must be alike. Where a sample makes many calls, "
                    "calls that have data of their own must keep half of the gain.",
          .missing = "Skipping that gains less than a quarter, or less than 20 ns a call, is not told from "
                     "what caches and predictors save. On a GPU such calls are not timed alone.",
          .cheats = "skips_calls right_once skips_what_is_written skips_soon_after_a_call "
                    "skips_by_what_it_noted skips_a_sixth_of_its_repeats",
          .incident = "gpu-mode/reference-kernels #102 and #104: fifteen calls in one",
          .covers = "T11"},
    issue{.id = "work_done_in_warm_up",
          .category = category::timing,
          .happens = "The answer is computed in the warm-up and handed out while the clock runs.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "timed_results",
          .place = place::every_round,
          .severity = severity::invalid,
          .answer = "Data are drawn anew before every round and all arms must agree on them.",
          .cheats = "right_once replays_the_first",
          .covers = "aipe-5 aipe-32"},
    issue{
        .id = "host_work_outside_the_events",
        .category = category::timing,
        .happens = "The host computes before or after what the events enclose, and its time is not counted.",
        .threat = threat::optimising_agent,
        .status = status::open,
        .checks = "mode.latency",
        .place = place::once_per_family,
        .answer = "Profiles standard and deep also measure each variant by the host's clock, from before the "
                  "call until its work is done.",
        .missing =
            "The verdict needs only the events: a gain that the host's clock does not show is not flagged.",
        .incident = "alibaba/atrex-kernel-agent #5",
        .covers = "T12 aipe-29"},
    issue{.id = "other_work_between_the_events",
          .category = category::timing,
          .happens = "Work of another stream lands between the two events and is charged to the call.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "audit",
          .place = place::audit_pass,
          .severity = severity::warns,
          .answer = "Calls have a non-blocking queue of their own; the pass under CUPTI names work on "
                    "streams that nobody declared.",
          .covers = "T20"},
    issue{.id = "self_reported_time",
          .category = category::timing,
          .happens = "The program times itself and the benchmark believes the number that it prints.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "verified",
          .place = place::verification,
          .severity = severity::refused,
          .answer = "Time is read by the harness around the call; a body that reports a duration which no "
                    "clock gave is refused.",
          .cheats = "makes_a_duration_up",
          .incident = "ai-performance-engineering: 117 CUDA programs time themselves, and the last time in "
                      "their output is believed",
          .covers = "fault-a"},
    issue{.id = "chosen_moments",
          .category = category::timing,
          .happens = "A body observes a latency between two moments of its own choice.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "spans observed",
          .place = place::once_per_family,
          .severity = severity::invalid,
          .answer =
              "Both moments are readings of the harness's clock, in order, and only observables that the "
              "experiment lists exist; a metric that bodies report is called claimed and lowers the "
              "assurance. Where the baseline observes its whole calls the candidate has to, by the "
              "harness's own clock and as often; a share of useful time may not grow in the same time.",
          .missing = "Where the baseline observes a part of its calls, which part it is is the body's word.",
          .cheats = "observes_nothing observes_half forgets_slow_values shortens_the_unit "
                    "marks_everything_useful"},
    issue{.id = "too_regular_times",
          .category = category::timing,
          .happens = "Times repeat exactly or hardly vary: they are quantized, or made up.",
          .threat = threat::malicious_code,
          .status = status::open,
          .missing = "Ties and a spread of zero among samples are not looked for.",
          .covers = "gate-jitter"},
    issue{.id = "below_the_roofline",
          .category = category::timing,
          .happens = "A time is shorter than moving the data or computing the operations can take.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "ceilings",
          .place = place::once_per_family,
          .severity = severity::invalid,
          .answer = "Traffic and operations of the problem are held against ceilings measured on this "
                    "machine: over 102 % warns, over 125 % without a doubt is INVALID.",
          .missing = "It sees only impossible times: a cheat of less than the headroom passes. There is no "
                     "floor for launches.",
          .incident = "gpu-mode/reference-kernels #159",
          .covers = "gate-roofline"},
};

}  // namespace

std::span<const issue> timing() { return timing_table; }

}  // namespace ridge::validity::tables
