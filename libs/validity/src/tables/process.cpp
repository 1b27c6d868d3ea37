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
        .checks = "audit verified",
        .place = place::audit_pass,
        .severity = severity::invalid,
        .answer = "Threads alive after a call, and processor time of other threads where one was declared, "
                  "are INVALID on the host and warned on a GPU.",
        .missing = "It is counted in the audited child, not in the process that times. A thread that the "
                   "set-up started, in a variant of several threads, is not told from a declared one.",
        .cheats = "finishes_later keeps_a_thread starts_a_thread",
        .incident = "SOL-ExecBench counts threads for it",
        .covers = "T3 aipe-33"},
    issue{.id = "tampers_with_the_process",
          .category = category::process,
          .happens = "Code in the process scans stacks, writes through /proc/self/mem, traces the harness or "
                     "writes into its descriptors.",
          .threat = threat::malicious_code,
          .status = status::open,
          .answer = "Verification and audit run in children whose answers come over a pipe of their own.",
          .missing = "On the CPU the process that times is the one that judges; nothing is sealed, and no "
                     "system call is refused.",
          .incident = "pygpubench: 22 exploits; its pull request #7 and #15, #23",
          .covers = "C6 aipe-88 aipe-93"},
    issue{.id = "forged_output",
          .category = category::process,
          .happens = "A body prints a verdict, or closes the descriptors that results are written to.",
          .threat = threat::malicious_code,
          .status = status::open,
          .checks = "audit",
          .place = place::audit_pass,
          .answer = "No result is ever read from standard output; descriptors left open are INVALID.",
          .missing = "What a body prints while it is timed on the CPU lands in the output of the run; closed "
                     "descriptors are not seen.",
          .incident = "pygpubench: injection into FILE structures and pipes",
          .covers = "C6"},
    issue{.id = "recognizes_the_benchmark",
          .category = category::process,
          .happens = "A body reads its environment, arguments or files to find out that it is being "
                     "measured, or the baseline's source.",
          .threat = threat::malicious_code,
          .status = status::open,
          .missing = "Candidates see the whole environment, the command line, the files and the network.",
          .incident = "pygpubench and kernelguard: branches on the mode of the evaluator",
          .covers = "C7"},
    issue{.id = "process_wide_setting",
          .category = category::process,
          .happens = "One arm changes a setting of the process or the device that slows or speeds the "
                     "others: allocator, affinity, limits, cache configuration, thread pools.",
          .threat = threat::optimising_agent,
          .status = status::open,
          .checks = "audit guards",
          .place = place::audit_pass,
          .severity = severity::invalid,
          .answer = "One call in a child must leave affinity, the CPU's rounding mode, threads and "
                    "descriptors as they were; on a GPU the limit of persisting lines is read back.",
          .missing = "The process that times is not compared before and after. Signal handlers, timers, "
                     "priorities, page protections, mappings, the environment, allocator settings and "
                     "further device limits are not looked at.",
          .covers = "C8"},
    issue{.id = "raised_priority",
          .category = category::process,
          .happens = "One arm raises its scheduling priority or lowers that of others.",
          .threat = threat::optimising_agent,
          .status = status::open,
          .missing = "Scheduling classes and nice values are not read before and after.",
          .covers = "aipe-70"},
    issue{
        .id = "crashes",
        .category = category::process,
        .happens = "A candidate crashes, exits or throws, and the run is lost or counts as a success.",
        .threat = threat::honest_mistake,
        .status = status::checked,
        .checks = "verified harness",
        .place = place::verification,
        .severity = severity::refused,
        .answer = "On the host each variant is verified in a forked child with a limit of 120 s, and a GPU's "
                  "family runs in a child: the reason is recorded, and the families after it are measured.",
        .missing = "A variant on the CPU that crashes or hangs only once it is timed ends the run.",
        .cheats = "crashes leaves throws"},
    issue{.id = "fills_the_machine",
          .category = category::process,
          .happens = "A candidate forks, fills memory or fills the disk until the machine fails.",
          .threat = threat::malicious_code,
          .status = status::open,
          .missing = "Children have a limit of time, none of memory, processes or files."},
};

}  // namespace

std::span<const issue> process() { return process_table; }

}  // namespace ridge::validity::tables
