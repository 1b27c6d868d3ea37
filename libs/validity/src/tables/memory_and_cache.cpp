// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "tables/tables.hpp"

namespace ridge::validity::tables {
namespace {

constexpr std::array memory_table{
    issue{.id = "persisting_l2",
          .category = category::memory_and_cache,
          .happens = "Inputs are kept in persisting lines of the L2 cache, which survive the eviction before "
                     "a sample.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "guards",
          .place = place::once_per_family,
          .severity = severity::invalid,
          .answer = "Persisting lines are reset and their limit is set to none before the session; a limit "
                    "that somebody raised makes the family INVALID.",
          .missing = "The limit is read once at the end, and the windows of streams are not read.",
          .incident =
              "karpathy/llm.c #851: 3530 GB/s on a GPU of 864 GB/s, honest 714; nvbench #458; pygpubench #49",
          .covers = "C1"},
    issue{
        .id = "dirty_eviction",
        .category = category::memory_and_cache,
        .happens =
            "The cache is evicted by writes alone, and writing the dirty lines back is charged to the call.",
        .threat = threat::honest_mistake,
        .status = status::prevented,
        .place = place::every_sample,
        .answer = "Twice the L2 cache is written and twice as much of a clean array read after it, outside "
                  "the marks.",
        .missing = "That it worked is measured by `cuda_samples`, by hand, not in a run.",
        .incident = "nvbench fills one L2 cache with zeros; a vector add of 24 MB took 11.3 us after that "
                    "and 9.5 from a clean cache",
        .covers = "C2"},
    issue{.id = "warm_cache_called_cold",
          .category = category::memory_and_cache,
          .happens = "The data stay in a cache although the figure is called cold.",
          .threat = threat::honest_mistake,
          .status = status::open,
          .answer = "On a GPU the L2 cache is evicted before each sample; on a host members rotate, and "
                    "arrays that fit into a cache get no share of the memory's ceiling.",
          .missing = "Hits and traffic are not counted and held against the declared bytes.",
          .incident = "TileGym pull request #118: graphs over a set that fits the cache overstated 1.6x",
          .covers = "C3"},
    issue{
        .id = "hidden_state",
        .category = category::memory_and_cache,
        .happens =
            "A body keeps what it computed in memory of its own and works less from the second call on.",
        .threat = threat::optimising_agent,
        .status = status::checked,
        .checks = "timed_results fresh_data audit",
        .place = place::every_round,
        .severity = severity::invalid,
        .answer = "Data change before every round, so that what was kept is wrong; 60 % of the gain must be "
                  "left where all data are new and not 1/256 of their lines; memory taken by a call is "
                  "counted.",
        .missing = "Rounds on wholly new data are left out where six pairs of them take longer than 0.25 s "
                   "and a fifth of the session, for files, and on a GPU. Results of a second, fresh process "
                   "are not compared.",
        .cheats = "replays_the_first remembers_by_a_sample updates_what_changed",
        .covers = "C4"},
    issue{.id = "uncounted_memory",
          .category = category::memory_and_cache,
          .happens =
              "Memory taken in the set-up, by statics, by pools or in files is not counted as the variant's.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "memory audit",
          .place = place::audit_pass,
          .severity = severity::lowers_assurance,
          .answer = "On the host all pages that a variant writes count, from before its set-up to after its "
                    "calls, as another process reads them: statics, stacks, heaps, mappings and files. "
                    "Where the process that times takes clearly more, that is reported and said.",
          .missing = "What timed calls take in steps of less than 320 KiB, in pipes or in caches of the "
                     "kernel is not seen. On a GPU what a set-up takes from the driver itself and the pools "
                     "of libraries are not counted.",
          .cheats = "memory_in_statics memory_of_the_thread memory_of_the_heap memory_mapped "
                    "memory_on_the_stack memory_in_a_file memory_when_timed",
          .covers = "C5"},
    issue{.id = "uncounted_device_memory",
          .category = category::memory_and_cache,
          .happens =
              "Memory of a GPU that a variant takes from the driver, from pools or by static arrays is "
              "not counted as its own.",
          .threat = threat::optimising_agent,
          .status = status::checked,
          .checks = "audit",
          .place = place::once_per_family,
          .severity = severity::warns,
          .answer = "Free memory is read before the set-up and after calls, and around the verification of "
                    "each variant; what is gone beyond the declared workspaces and 6 MiB counts as memory of "
                    "the variant.",
          .missing = "Pinned memory of the host is not counted.",
          .cheats = "memory_by_malloc memory_from_the_pool memory_that_is_managed memory_of_the_host "
                    "memory_in_a_static_array memory_taken_once"},
    issue{.id = "lines_kept_by_hints",
          .category = category::memory_and_cache,
          .happens = "Loads ask the L2 cache to evict their lines last, which then outlive its eviction.",
          .threat = threat::optimising_agent,
          .status = status::open,
          .answer = "Twice the cache is written and as much read before each sample.",
          .missing = "Lines are not reset before samples.",
          .cheats = "keeps_its_lines"},
    issue{.id = "relies_on_the_allocator",
          .category = category::memory_and_cache,
          .happens = "A body relies on memory that the allocator zeroed, or is fast because a pool is warm "
                     "or fragmented otherwise.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "audit timed_results",
          .place = place::audit_pass,
          .severity = severity::warns,
          .answer = "Outputs are poisoned, and memory that a call takes or gives back is named.",
          .missing = "Pools are not trimmed between arms, and workspaces are handed out zeroed.",
          .cheats = "allocates returns_at_once",
          .incident = "alibaba/atrex-kernel-agent #5",
          .covers = "T13 aipe-39 aipe-40"},
    issue{.id = "unfinished_copy",
          .category = category::memory_and_cache,
          .happens = "A copy between host and device is not waited for.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "audit timed_results",
          .place = place::audit_pass,
          .severity = severity::invalid,
          .answer = "Copies are traced like kernels and must end within the marks; results are read on the "
                    "queue behind them.",
          .covers = "aipe-38 aipe-44"},
    issue{.id = "other_pages_for_one_arm",
          .category = category::memory_and_cache,
          .happens = "One arm's data lie on huge pages, on another NUMA node or on pages that are touched "
                     "first while it is timed.",
          .threat = threat::honest_mistake,
          .status = status::prevented,
          .place = place::every_round,
          .answer = "All arms work in the same arrays, filled before the session; only `.placement`, where "
                    "it is the question, gives an arm others.",
          .missing = "Workspaces and tables of the arms lie apart; page faults are counted and not judged.",
          .selftest = "aa_private_16k aa_private_64k aa_private_256k aa_private_512k aa_private_1m "
                      "aa_private_8m",
          .covers = "C12 aipe-41"},
    issue{.id = "swapping",
          .category = category::memory_and_cache,
          .happens = "The machine swaps or reclaims memory while something is timed.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "memory.swapping memory.swap memory.room",
          .place = place::start_of_run,
          .severity = severity::warns,
          .answer = "The machine's audit reads what is swapped when the run begins.",
          .missing = "Major faults among the rounds are counted and not judged.",
          .covers = "aipe-42"},
    issue{.id = "dead_code",
          .category = category::memory_and_cache,
          .happens =
              "The compiler leaves the work out or moves it before the loop, for nobody uses its result.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "timed_results",
          .place = place::every_sample,
          .severity = severity::invalid,
          .answer = "The body is called through a pointer on arrays that the compiler does not know, and its "
                    "results are read after every sample.",
          .missing = "Instructions are not counted against the declared work.",
          .cheats = "returns_at_once",
          .selftest = "iteration_cost",
          .covers = "C10"},
    issue{.id = "learned_branches",
          .category = category::memory_and_cache,
          .happens = "Branch predictors and caches learn the few inputs that repeat, and the code looks "
                     "faster than on fresh data.",
          .threat = threat::honest_mistake,
          .status = status::checked,
          .checks = "repeats",
          .place = place::once_per_family,
          .severity = severity::invalid,
          .answer = "Data change between rounds; calls of 5 us and more are sampled one by one. For shorter "
                    "ones half of the gain must be left where each call has data of its own.",
          .missing = "Neither distinct patterns nor missed branches are counted; a gain that loses less than "
                     "half of itself stays.",
          .cheats = "remembers_within_a_sample",
          .covers = "C10"},
};

}  // namespace

std::span<const issue> memory_and_cache() { return memory_table; }

}  // namespace ridge::validity::tables
