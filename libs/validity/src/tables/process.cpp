// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tables/tables.hpp"

namespace ridge::validity::tables {
namespace {

constexpr std::array process_table{
    issue{
        .id = "thread_left_behind",
        .category = category::process,
        .happens = "A thread that the call started does the work elsewhere, or after the call has returned.",
        .threat = threat::optimising_agent,
        .status = status::checked,
        .checks = "cpu_time state audit verified",
        .place = place::every_sample,
        .severity = severity::invalid,
        .answer =
            "Processor time of other threads is read around every sample of a variant that declares one "
            "thread (5 %); a call that leaves a thread alive is INVALID on the host and warned on a GPU.",
        .missing = "A thread that the set-up starts in a variant of several threads is not told from a "
                   "declared one.",
        .cheats = "finishes_later keeps_a_thread starts_a_thread",
        .incident = "SOL-ExecBench counts threads for it",
        .covers = "T3 aipe-33"},
    issue{.id = "tampers_with_the_process",
          .category = category::process,
          .happens = "Code in the process scans stacks, writes through /proc/self/mem, traces the harness or "
                     "writes into its descriptors.",
          .threat = threat::malicious_code,
          .status = status::checked,
          .checks = "alone clock state",
          .place = place::once_per_family,
          .severity = severity::invalid,
          .answer = "A family runs in a child process, and nothing that it does to that process reaches the "
                    "program. 35 % "
                    "of a gain must be left where each variant has a process of its own, which holds neither "
                    "samples nor "
                    "other variants and is stopped, with all its threads, while its results are read.",
          .missing = "No system call is refused but in `ridge judge`, which runs a candidate in a sandbox, "
                     "on a GPU as "
                     "well.",
          .cheats = "patches_the_baseline moves_the_start",
          .incident = "pygpubench: 22 exploits; its pull request #7 and #15, #23",
          .covers = "C6 aipe-88 aipe-93"},
    issue{.id = "forged_output",
          .category = category::process,
          .happens = "A body prints a verdict, closes the descriptors that results are written to, or writes "
                     "into them.",
          .threat = threat::malicious_code,
          .status = status::open,
          .checks = "state",
          .place = place::every_round,
          .severity = severity::invalid,
          .answer = "No result is read from standard output, and what bodies write to it is discarded; "
                    "descriptors that calls open or close make the comparison INVALID.",
          .missing =
              "What a verifying child says of itself is not believed, but the process that times "
              "answers through a file that bodies could write. `ridge judge` reads nothing but results.",
          .cheats = "forges_the_verification prints_a_verdict",
          .incident = "pygpubench: injection into FILE structures and pipes",
          .covers = "C6"},
    issue{.id = "recognizes_the_benchmark",
          .category = category::process,
          .happens = "A body reads its environment, arguments or files to find out that it is being "
                     "measured, or the baseline's source.",
          .threat = threat::malicious_code,
          .status = status::open,
          .missing = "Candidates see the whole environment, the command line, the files and the network; in "
                     "`ridge judge` they see none of it.",
          .incident = "pygpubench and kernelguard: branches on the mode of the evaluator",
          .covers = "C7"},
    issue{
        .id = "lives_on_other_arms",
        .category = category::process,
        .happens =
            "A variant finds its answers in the memory of another one, which computed them before, or slows "
            "the others by what it does to their memory.",
        .threat = threat::malicious_code,
        .status = status::checked,
        .checks = "alone",
        .place = place::once_per_family,
        .severity = severity::invalid,
        .answer = "Of a gain 35 % must be left where each variant is alone in its process.",
        .missing =
            "On a GPU there is no such process but in `ridge judge`, and none where three rounds take longer "
            "than three quarters of a second and 40 % of the session's budget; variants of several threads "
            "are not judged by it where other programs use the processors.",
        .cheats = "accomplices_compute takes_the_baselines_results drops_the_tables_of_others "
                  "moves_time_to_the_next_sample hides_time_in_most_rounds"},
    issue{.id = "process_wide_setting",
          .category = category::process,
          .happens = "One arm changes a setting of the process or the device that slows or speeds the "
                     "others: affinity, limits, allocator, cache configuration, thread pools.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "state audit guards",
          .place = place::every_round,
          .severity = severity::invalid,
          .answer = "On the host descriptors, children, signal handlers and masks, timers and their slack, "
                    "scheduling, places of all threads, rounding modes, limits, locale, names, mappings, "
                    "environment, folder and file mask are read around samples drawn at random and at the "
                    "end, and around the first two calls in a process of their own. On a GPU the limit of "
                    "persisting lines is read back.",
          .missing =
              "Page protections and settings of libraries are not read, and of malloc only whether it maps "
              "small requests; on a GPU no other limit and no cache configuration is.",
          .cheats = "leaves_descriptors leaves_a_descriptor leaves_another_locale leaves_a_mapping "
                    "leaves_another_slack leaves_another_name leaves_the_allocator_tuned",
          .covers = "C8"},
    issue{.id = "raised_priority",
          .category = category::process,
          .happens = "One arm raises its scheduling priority or lowers that of others.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "state",
          .place = place::every_round,
          .severity = severity::invalid,
          .answer =
              "Policy and nice value of the calling thread must stay as they were before any variant ran.",
          .missing = "Other threads and other processes are not read.",
          .covers = "aipe-70"},
    issue{.id = "disturbs_others",
          .category = category::process,
          .happens = "One arm slows the others while they are timed: by a thread, a timer, or what it leaves "
                     "in caches and registers.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "cpu_time state",
          .place = place::every_sample,
          .severity = severity::invalid,
          .answer =
              "Processor time of other threads counts in every sample of a variant of one thread, whichever "
              "arm started them, and between samples where every variant has one; a timer or a child that "
              "calls leave is seen in the state of the process. "
              "Vector registers are cleared before each sample.",
          .missing = "A helper beside a variant of several threads is not told from a declared thread; what "
                     "an arm leaves in caches is the same for all that follow it.",
          .cheats = "leaves_wide_registers_full flushes_by_a_thread"},
    issue{
        .id = "crashes",
        .category = category::process,
        .happens = "A candidate crashes, exits, throws or hangs, and the run is lost or counts as a success.",
        .threat = threat::honest_mistake,
        .status = status::checked,
        .checks = "verified harness",
        .place = place::once_per_family,
        .severity = severity::refused,
        .answer = "Each variant is verified in a child with a limit of 120 s, and each family is measured in "
                  "one; a variant that ends it, or whose code makes no progress for 60 s, is refused with "
                  "the reason and the stage, and the others are measured without it.",
        .cheats = "crashes throws hangs_when_timed"},
    issue{.id = "fills_the_machine",
          .category = category::process,
          .happens = "A candidate forks, fills memory or fills the disk until the machine fails.",
          .threat = threat::malicious_code,
          .status = status::open,
          .checks = "state",
          .place = place::once_per_family,
          .severity = severity::invalid,
          .answer = "Children have a limit of time; processes that a family leaves running are ended and "
                    "make it INVALID.",
          .missing = "There is no limit of memory, processes or files but in `ridge judge`."},
};

}  // namespace

std::span<const issue> process() { return process_table; }

}  // namespace ridge::validity::tables
