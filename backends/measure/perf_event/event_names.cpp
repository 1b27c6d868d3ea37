// SPDX-License-Identifier: Apache-2.0
#include "event_names.hpp"

#include <linux/perf_event.h>

#include <algorithm>
#include <charconv>

namespace ridge::backends::measure_perf_event {
namespace {

struct named_event {
  std::string_view name;
  event_code code;
};

constexpr event_code cache(std::uint64_t level, std::uint64_t operation, std::uint64_t outcome) {
  return {PERF_TYPE_HW_CACHE, level | operation << 8 | outcome << 16};
}
constexpr auto loads = PERF_COUNT_HW_CACHE_OP_READ, stores = PERF_COUNT_HW_CACHE_OP_WRITE;
constexpr auto all = PERF_COUNT_HW_CACHE_RESULT_ACCESS, misses = PERF_COUNT_HW_CACHE_RESULT_MISS;

constexpr named_event known_events[] = {
    {"cycles", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES}},
    {"instructions", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS}},
    {"ref-cycles", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES}},
    {"bus-cycles", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES}},
    {"branches", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS}},
    {"branch-misses", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES}},
    {"cache-references", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES}},
    {"cache-misses", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES}},
    {"stalled-cycles-frontend", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND}},
    {"stalled-cycles-backend", {PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND}},
    {"L1-dcache-loads", cache(PERF_COUNT_HW_CACHE_L1D, loads, all)},
    {"L1-dcache-load-misses", cache(PERF_COUNT_HW_CACHE_L1D, loads, misses)},
    {"L1-icache-load-misses", cache(PERF_COUNT_HW_CACHE_L1I, loads, misses)},
    {"LLC-loads", cache(PERF_COUNT_HW_CACHE_LL, loads, all)},
    {"LLC-load-misses", cache(PERF_COUNT_HW_CACHE_LL, loads, misses)},
    {"LLC-stores", cache(PERF_COUNT_HW_CACHE_LL, stores, all)},
    {"dTLB-load-misses", cache(PERF_COUNT_HW_CACHE_DTLB, loads, misses)},
    {"iTLB-load-misses", cache(PERF_COUNT_HW_CACHE_ITLB, loads, misses)},
    {"task-clock", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK}},
    {"page-faults", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS}},
    {"minor-faults", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN}},
    {"major-faults", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ}},
    {"context-switches", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES}},
    {"cpu-migrations", {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS}},
};

}  // namespace

std::optional<event_code> event_named(std::string_view name) {
  const auto* found = std::ranges::find(known_events, name, &named_event::name);
  if (found != std::end(known_events)) return found->code;
  if (name.size() < 2 || name.front() != 'r') return std::nullopt;
  std::uint64_t raw = 0;
  const auto* const end = name.data() + name.size();
  const auto [stopped, failed] = std::from_chars(name.data() + 1, end, raw, 16);
  if (failed != std::errc{} || stopped != end) return std::nullopt;
  return event_code{PERF_TYPE_RAW, raw};
}

std::string known_event_names() {
  std::string text;
  for (const auto& one : known_events) text += (text.empty() ? "" : ", ") + std::string(one.name);
  return text + ", or r and a raw code in hexadecimal digits";
}

}  // namespace ridge::backends::measure_perf_event
