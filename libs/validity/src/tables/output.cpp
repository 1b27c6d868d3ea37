// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tables/tables.hpp"

namespace ridge::validity::tables {
namespace {

constexpr std::array output_table{
    issue{.id = "replayed_output",
          .category = category::output,
          .happens = "An earlier answer is handed out again for the same address, shape or content.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "timed_results repeats fresh_data",
          .place = place::every_round,
          .severity = severity::invalid,
          .answer = "Inputs change in place before every round, members rotate, and the results of all arms "
                    "are compared with the baseline's and with the oracle's. Half of the gain must be left "
                    "where each call has data of its own.",
          .missing = "Arrays that the host fills as a whole and files change seldom or never. Caches that "
                     "outlive the process are found only because seeds are drawn for every run.",
          .cheats = "replays_the_first one_call_late remembers_by_a_sample remembers_by_address "
                    "remembers_by_content remembers_within_a_sample remembers_in_a_file",
          .incident =
              "gpu-mode/reference-kernels #102, #142, #150, #160 and #162; alibaba/atrex-kernel-agent #5",
          .covers = "O1 aipe-9 mlperf-04"},
    issue{.id = "left_over_output",
          .category = category::output,
          .happens = "The output array still holds the right answer of the reference or of an earlier call.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "verified timed_results",
          .place = place::every_sample,
          .severity = severity::refused,
          .answer = "Every output is filled with bytes 0xFF before verification and before each sample; "
                    "expected values are never put into it.",
          .cheats = "returns_at_once",
          .incident = "KernelBench #25, #38 and #82; Sakana AI's CUDA engineer",
          .covers = "O2 aipe-17 aipe-36"},
    issue{.id = "finds_the_expected",
          .category = category::output,
          .happens = "A body searches memory for the expected result and copies it.",
          .threat = threat::malicious_code,
          .status = status::checked,
          .checks = "timed_results verified",
          .place = place::verification,
          .severity = severity::refused,
          .answer = "The oracle computes in a process of its own, and its answers lie in memory that no "
                    "verifying child has; a process that has never run a body compares. Timed results are "
                    "recomputed after the session, when no arm runs any more.",
          .missing = "A child of the same user may trace its parent where the system allows it. On a GPU the "
                     "answers lie in the process that runs the candidate, but in `ridge judge`.",
          .cheats = "reads_the_expected_result",
          .incident = "pygpubench: scans of the address space",
          .covers = "O3"},
    issue{
        .id = "tampers_with_the_checker",
        .category = category::output,
        .happens = "A body writes the checker's counters, or reads what it compares with while it compares.",
        .threat = threat::malicious_code,
        .status = status::checked,
        .checks = "alone timed_results",
        .place = place::once_per_family,
        .severity = severity::invalid,
        .answer = "Each variant is timed once more in a process of its own, whose results another process "
                  "reads and "
                  "compares: what is won by the checker's memory is not won there. Verification compares in "
                  "a process "
                  "that runs no body.",
        .missing = "On a GPU there is no such process but in `ridge judge`.",
        .cheats = "hooks_the_reader reads_which_rounds_are_kept edits_its_samples",
        .incident = "pygpubench pull request #7: 4 of 6 exploits passed its first hardening",
        .covers = "O4"},
    issue{.id = "constant_output",
          .category = category::output,
          .happens = "The output is constant or a copy of the input, and a loose comparison accepts it.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "verified timed_results",
          .place = place::verification,
          .severity = severity::refused,
          .answer = "Every element is compared with the oracle's on two data sets, never a mean or an angle.",
          .missing = "Beyond the experiment's own distribution no structured inputs are tried: one-hot, "
                     "permuted rows, infinities, denormals.",
          .cheats = "constant_zero wrong_where_rare only_the_property",
          .incident = "SOL-ExecBench (outputs of zeros); kernelbench.com",
          .covers = "O5 aipe-8"},
    issue{
        .id = "permuted_output",
        .category = category::output,
        .happens = "The right values stand in the wrong places, and a checksum accepts them.",
        .threat = threat::honest_mistake,
        .status = status::checked,
        .checks = "verified timed_results",
        .place = place::verification,
        .severity = severity::refused,
        .answer = "Verification compares element by element; of timed rounds drawn beforehand the whole "
                  "outputs are kept and compared so, beside the fingerprints of all others.",
        .missing = "Where a tolerance applies the fingerprints of the other rounds are sums of sixteen "
                   "blocks, which a permutation within a block keeps.",
        .cheats = "reversed two_swapped off_by_one",
        .incident =
            "ai-performance-engineering VERIFY_CHECKSUM: a float sum that saturates passes reversed outputs",
        .covers = "fault-c"},
    issue{
        .id = "partial_output",
        .category = category::output,
        .happens = "Only those parts of the output are computed that the checker looks at.",
        .threat = threat::optimising_agent,
        .status = status::checked,
        .checks = "verified timed_results",
        .place = place::every_sample,
        .severity = severity::refused,
        .answer = "Whole outputs are compared; where the oracle is too slow, elements drawn at random are, "
                  "and fingerprints cover everything in every sample.",
        .missing = "Where elements are sampled, only those of the first output are.",
        .cheats = "unwritten_tail last_element_wrong odd_blocks_copied",
        .incident =
            "ai-performance-engineering VERIFY_CHECKSUM: an output whose last 40 % was never written passes",
        .covers = "O12 aipe-20 fault-b"},
    issue{.id = "skips_work_on_structure",
          .category = category::output,
          .happens = "A body computes only what the usual shapes and distributions need: it takes a matrix "
                     "for diagonal, an extent for even.",
          .threat = threat::optimising_agent,
          .status = status::open,
          .checks = "verified edges",
          .place = place::verification,
          .severity = severity::refused,
          .answer =
              "A run tries the experiment's edge sizes (0, 1, odd ones) once for each build; `ridge verify` "
              "tries every size of the axes too.",
          .missing = "A run verifies the distribution that it times; no case is held out from the candidate.",
          .incident = "kernelguard: unsafe dispatch on structure",
          .covers = "O6 aipe-59"},
    issue{.id = "lower_precision",
          .category = category::output,
          .happens = "A narrower type or a rough approximation computes what is claimed in a wider one.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "verified timed_results",
          .place = place::verification,
          .severity = severity::refused,
          .answer = "Every element is held against an oracle in higher precision within the experiment's "
                    "tolerance; `accumulation` derives one from the terms and the unit roundoff.",
          .missing = "The tolerance is what the experiment states. Machine code is not searched for narrower "
                     "instructions in a run.",
          .cheats = "lower_precision half_of_each_row",
          .incident = "KernelBench and kernelguard screen for it by reading sources",
          .covers = "O7 aipe-10 aipe-18"},
    issue{
        .id = "loose_tolerance",
        .category = category::output,
        .happens = "Results are clipped, rounded or biased just within a tolerance that is wider than the "
                   "arithmetic needs.",
        .threat = threat::optimising_agent,
        .status = status::checked,
        .checks = "tolerance verified",
        .place = place::once_per_family,
        .severity = severity::invalid,
        .answer =
            "A tolerance looser than the reference's by more than the roundoff of the declared arithmetic is "
            "INVALID, or lowers the assurance where it states a reason; one that accepts zeros is refused. "
            "The "
            "largest errors of each variant are stored and printed.",
        .missing = "The experiment's own tolerance is not held against the length of its sums; bias, RMS and "
                   "quantiles of the error are not looked at.",
        .incident = "SOL-ExecBench: a share of 0.99 of matching elements",
        .covers = "O8"},
    issue{.id = "race",
          .category = category::output,
          .happens = "A race or memory that nobody wrote gives results that differ from call to call and "
                     "pass by luck.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "timed_results",
          .place = place::every_sample,
          .severity = severity::invalid,
          .answer = "Where results are exact, every sample's bits must equal the baseline's; else its block "
                    "sums and the whole outputs of drawn rounds must agree within the tolerance.",
          .missing = "A race below the tolerance passes. Shared memory is not poisoned, and "
                     "compute-sanitizer runs by hand only.",
          .incident = "wafer guide: a kernel past its shared memory by 256 bytes, 104x",
          .covers = "O9"},
    issue{.id = "writes_outside",
          .category = category::output,
          .happens = "A body reads or writes outside its arrays, or changes its inputs, and spoils what "
                     "others compute.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "verified guards",
          .place = place::verification,
          .severity = severity::refused,
          .answer = "Verification runs between unmapped pages and sums up the inputs before and after; timed "
                    "arrays have red zones that are read at the end.",
          .missing = "While samples are timed, changed inputs show only as results that differ.",
          .cheats =
              "writes_past_the_end writes_before_the_start reads_past_the_end writes_past_the_end_when_timed "
              "changes_its_input changes_its_input_when_timed closes_its_input drops_its_input",
          .incident = "SOL-ExecBench and kernelbench.com compare inputs before and after",
          .covers = "O10"},
    issue{.id = "aliased_output",
          .category = category::output,
          .happens = "The output that is returned is the input's storage, already filled.",
          .threat = threat::optimising_agent,
          .status = status::prevented,
          .place = place::verification,
          .answer = "Bodies return nothing: the harness owns every array, tells inputs, outputs and in-outs "
                    "apart, and compares its own outputs.",
          .incident = "kernelbench.com pull request #7",
          .covers = "O11 aipe-37"},
    issue{.id = "lazy_object",
          .category = category::output,
          .happens = "A lazy object stands for the result and is evaluated when somebody looks at it.",
          .threat = threat::optimising_agent,
          .status = status::not_applicable,
          .answer = "Outputs are raw arrays of the harness; there is no object whose reading could compute.",
          .covers = "O13 aipe-34"},
    issue{.id = "right_only_in_verification",
          .category = category::output,
          .happens = "A body computes when it is verified and cheats when it is timed, by mode, process, "
                     "count or address.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "timed_results error",
          .place = place::every_sample,
          .severity = severity::invalid,
          .answer = "The results of timed samples are what is checked: each against the baseline's, and "
                    "rounds drawn beforehand against the oracle, element by element. The larger error is "
                    "reported, and one that is larger by a factor of two makes the comparison INVALID.",
          .missing = "Verification and audit differ from timing in process, address and count, so a body can "
                     "behave in them.",
          .cheats = "right_once skips_calls leaves_out_pages accurate_when_verified",
          .incident = "gpu-mode problem qr_v2: every timed output is validated again since",
          .covers = "O14 aipe-55 mlperf-01 fault-e"},
    issue{.id = "right_where_somebody_looks",
          .category = category::output,
          .happens = "A body on a GPU is right in its first calls, after a pause or under a tracer, and "
                     "computes less or in lower precision in the others.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "timed_results audit fresh_calls",
          .place = place::every_round,
          .severity = severity::invalid,
          .answer = "Rounds whose whole outputs are kept are drawn at random and taken like all others; "
                    "dozens of calls go before the traced ones, whose work is held against the timed calls.",
          .missing = "Up to eight rounds of a session are compared element by element, all others by sums.",
          .cheats = "is_accurate_at_first is_accurate_after_a_pause is_accurate_in_most_calls "
                    "works_where_it_is_traced is_honest_in_small_numbers skips_after_many_calls "
                    "changes_its_source_later writes_beyond_its_target_later"},
    issue{.id = "wrong_on_the_device",
          .category = category::output,
          .happens = "Kernels leave blocks or edges out, compute fewer steps or fewer bits, hand out zeros, "
                     "their source or results of other calls, or write where they must not.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "verified timed_results guards",
          .place = place::verification,
          .severity = severity::refused,
          .answer = "Every element is compared with the oracle on arrays between unmapped pages, inputs by "
                    "their digest; timed results by their bits or sums.",
          .cheats = "leaves_blocks_out leaves_the_edge_out sets_zeros computes_fewer_steps "
                    "computes_in_half_precision hands_out_its_source writes_beyond_its_target "
                    "changes_its_source replays_its_first_results replays_a_graph_of_old_results "
                    "copies_from_the_host"},
    issue{.id = "not_finite",
          .category = category::output,
          .happens =
              "NaN or infinity stands in the output and slips through a comparison that is false for both.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "verified timed_results",
          .place = place::every_sample,
          .severity = severity::refused,
          .answer = "A NaN agrees only with a NaN, an infinity only with itself; fingerprints count values "
                    "that are not finite.",
          .cheats = "not_a_number",
          .covers = "aipe-11 aipe-12"},
    issue{.id = "wrong_expectation",
          .category = category::output,
          .happens = "The expected values themselves are wrong, and whoever repeats their error passes.",
          .threat = threat::honest_mistake,
          .status = status::open,
          .checks = "verified",
          .place = place::verification,
          .answer = "The oracle is a plain loop in higher precision, every variant and vendor library must "
                    "agree with it, and an experiment may state a property besides.",
          .missing = "Nothing holds an oracle against a second, independent one.",
          .incident = "label errors of ImageNet 2021 (arXiv 2103.14749) and of MMLU 2024 (arXiv 2406.04127)",
          .covers = "aipe-13"},
    issue{.id = "other_shape_or_type",
          .category = category::output,
          .happens = "The output has another shape or element type than the reference's.",
          .threat = threat::honest_mistake,
          .status = status::prevented,
          .place = place::verification,
          .answer = "All variants get the same typed arrays of the same extents from the workload.",
          .covers = "aipe-14 aipe-15"},
    issue{.id = "denormals",
          .category = category::output,
          .happens =
              "Denormal numbers slow one arm down, or are flushed to zero by another floating-point mode.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "state audit",
          .place = place::every_round,
          .severity = severity::invalid,
          .answer = "A call that leaves another rounding or flushing mode in the CPU's control registers "
                    "makes the comparison INVALID; all arms work on the same data.",
          .missing = "It is looked at on x86-64 only. Modes that GPU code is compiled with, and data full of "
                     "denormals, are not flagged.",
          .covers = "C11 aipe-16"},
};

}  // namespace

std::span<const issue> output() { return output_table; }

}  // namespace ridge::validity::tables
