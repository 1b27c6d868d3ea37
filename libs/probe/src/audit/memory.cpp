// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/host/text_file.hpp>

#include "audit/checks.hpp"

namespace ridge::probe {
namespace {

std::string bytes(std::size_t n) { return format_quantity(static_cast<double>(n), "B"); }

observed room(const system_view& system) {
  constexpr auto why =
      "Buffers must be several times the caches and still fit; past the limit the process is killed.";
  const auto& m = system.machine;
  if (m.memory_bytes == 0) return unreadable("procfs does not tell the memory", why);
  const auto limit = m.cgroup.memory_bytes;
  auto seen = fmt::format("{} of {} available{}", bytes(m.available_bytes), bytes(m.memory_bytes),
                          limit && *limit < m.memory_bytes ? ", limited to " + bytes(*limit) : "");
  const auto usable =
      std::min(m.usable_memory_bytes(), m.available_bytes == 0 ? m.memory_bytes : m.available_bytes);
  const auto wanted = std::max<std::size_t>(std::size_t{2} << 30, 8 * m.last_level_cache_bytes());
  if (usable >= wanted) return fine(std::move(seen), why);
  return warning(
      fmt::format("{}; memory rows need {}", seen, bytes(wanted)), why,
      {"end what holds the memory (ps --sort=-rss)", "--memory=" + fmt::format("{}g", (wanted >> 30) + 1),
       fmt::format("resources.limits.memory: {}Gi", (wanted >> 30) + 1)});
}

observed overcommit(const system_view& system) {
  constexpr auto why =
      "With strict accounting large reservations fail though memory is free; CUDA reserves far more address "
      "space "
      "than it uses.";
  const auto mode = system.number("proc/sys/vm/overcommit_memory");
  if (!mode) return unreadable("procfs does not tell vm.overcommit_memory", why);
  auto seen = fmt::format("vm.overcommit_memory = {}", *mode);
  if (*mode != 2) return fine(std::move(seen), why);
  return warning(std::move(seen), why, host_setting("sudo sysctl vm.overcommit_memory=0"));
}

observed huge_pages(const system_view& system) {
  constexpr auto why =
      "A random read in 16 MiB took 95 ns on 4 KiB pages and 20 ns on 2 MiB ones (Zen 5 in a virtual "
      "machine): "
      "what is timed is the walk through the page table. madvise is enough, for Ridge asks for them.";
  const auto& mode = system.machine.system.transparent_huge_pages;
  if (mode.empty()) return unreadable("the kernel has no transparent huge pages, or does not tell", why);
  if (mode != "never") return fine(mode, why);
  return warning(mode, why,
                 host_setting("echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"));
}

observed huge_page_defragmentation(const system_view& system) {
  constexpr auto why =
      "With `always` a page fault waits while the kernel moves memory to make a huge page; with `never` huge "
      "pages fail "
      "once memory is fragmented.";
  const auto text = system.text("sys/kernel/mm/transparent_hugepage/defrag");
  if (!text) return std::nullopt;
  const std::string mode(host::chosen_in_brackets(*text));
  if (mode != "always" && mode != "never") return fine(mode, why);
  return note(mode, why, host_setting("echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/defrag"));
}

observed reserved_huge_pages(const system_view& system) {
  constexpr auto why =
      "Reserved pages are held back from everyone else; only programs that ask for them use them.";
  const std::string folder = "sys/kernel/mm/hugepages/";
  std::vector<std::string> pools;
  for (const auto& size : system.names_in(folder)) {
    const auto all = system.number(folder + size + "/nr_hugepages").value_or(0);
    const auto free = system.number(folder + size + "/free_hugepages").value_or(0);
    if (all > 0) pools.push_back(fmt::format("{}: {} reserved, {} free", size, all, free));
  }
  if (pools.empty()) return fine("none", why);
  return note(join(pools, "; "), why, host_setting("to give them back: sudo sysctl vm.nr_hugepages=0"));
}

observed swap(const system_view& system) {
  constexpr auto why =
      "A page that was swapped out comes back in tens of microseconds or more; a high swappiness evicts a "
      "job's "
      "idle pages to keep files cached.";
  const auto text = system.text("proc/swaps");
  if (!text) return unreadable("procfs does not tell the swap areas", why);
  const auto areas = split(*text, '\n').size() - 1;
  const auto swappiness = system.number("proc/sys/vm/swappiness");
  if (areas == 0) return fine("none", why);
  auto seen = fmt::format("{} area{}, vm.swappiness = {}", areas, areas == 1 ? "" : "s",
                          swappiness ? std::to_string(*swappiness) : "unknown");
  constexpr long long gentle = 10;
  if (swappiness && *swappiness <= gentle) return fine(std::move(seen), why);
  return warning(std::move(seen), why,
                 {"sudo sysctl vm.swappiness=10 (or sudo swapoff -a)",
                  "--memory-swap equal to --memory (no swap for this container)",
                  "nodes without swap, which is the kubelet's default (failSwapOn: true)"});
}

observed swapping(const system_view& system) {
  constexpr auto why =
      "The time of a thread that waits for a swapped page is not the time of its computation.";
  if (!system.recent) return std::nullopt;
  auto seen = fmt::format("{} pages in {:.2g} s", system.recent->swapped_pages, system.recent->seconds);
  if (system.recent->swapped_pages == 0) return fine(std::move(seen), why);
  return warning(std::move(seen), why,
                 {"end what holds the memory, or: sudo swapoff -a", "a larger --memory",
                  "a larger resources.limits.memory"});
}

observed same_page_merging(const system_view& system) {
  constexpr auto why = "Merging equal pages reads all memory in the background and makes writes fault.";
  const auto run = system.number("sys/kernel/mm/ksm/run");
  if (!run) return std::nullopt;
  if (*run != 1) return fine("off", why);
  return warning("on", why, host_setting("echo 0 | sudo tee /sys/kernel/mm/ksm/run"));
}

observed compaction(const system_view& system) {
  constexpr auto why = "Compaction ahead of need moves pages in the background: rare pauses in long runs.";
  const auto level = system.number("proc/sys/vm/compaction_proactiveness");
  if (!level) return std::nullopt;
  auto seen = fmt::format("vm.compaction_proactiveness = {}", *level);
  constexpr long long default_level = 20;
  if (*level <= default_level) return fine(std::move(seen), why);
  return note(std::move(seen), why, host_setting("sudo sysctl vm.compaction_proactiveness=0"));
}

// Returns "2 controllers, 8 DIMMs" from sys/devices/system/edac/mc/mcN/dimmM.
observed channels(const system_view& system) {
  constexpr auto why =
      "Bandwidth grows with the memory channels that hold a DIMM; an empty channel loses its share of it.";
  const std::string folder = "sys/devices/system/edac/mc/";
  int controllers = 0, modules = 0;
  long long errors = 0;
  for (const auto& one : system.names_in(folder)) {
    if (!one.starts_with("mc")) continue;
    ++controllers;
    errors += system.number(folder + one + "/ue_count").value_or(0);
    for (const auto& name : system.names_in(folder + one)) {
      const bool module = name.starts_with("dimm") || name.starts_with("rank");
      modules += module && system.number(folder + one + '/' + name + "/size").value_or(0) > 0;
    }
  }
  if (modules == 0)
    return unreadable("no EDAC driver here; DMI tells it to root alone (sudo dmidecode -t memory)", why);
  auto seen = fmt::format("{} modules on {} controllers, {} errors that were not corrected", modules,
                          controllers, errors);
  return errors == 0
             ? fine(std::move(seen), why)
             : invalid(std::move(seen), why, anywhere("replace the module that `edac-util -v` names"));
}

constexpr std::array all_memory_checks{
    check{"memory.room", "Memory", room},
    check{"memory.overcommit", "Overcommit", overcommit},
    check{"memory.thp", "Transparent huge pages", huge_pages},
    check{"memory.thp_defrag", "Making huge pages", huge_page_defragmentation},
    check{"memory.reserved_pages", "Reserved huge pages", reserved_huge_pages},
    check{"memory.swap", "Swap", swap},
    check{"memory.swapping", "Swapping now", swapping},
    check{"memory.merging", "Same-page merging", same_page_merging},
    check{"memory.compaction", "Compaction", compaction},
    check{"memory.channels", "Memory channels", channels}};

}  // namespace

std::span<const check> memory_checks() { return all_memory_checks; }

}  // namespace ridge::probe
