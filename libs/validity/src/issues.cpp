// SPDX-License-Identifier: Apache-2.0
#include <ridge/validity/issues.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/validity/names.hpp>

#include "tables/tables.hpp"

namespace ridge::validity {
namespace {

std::vector<issue> gather() {
  std::vector<issue> all;
  for (auto* table : {tables::timing, tables::output, tables::workload, tables::memory_and_cache,
                      tables::process, tables::device, tables::compilation, tables::distributed,
                      tables::environment, tables::statistics, tables::evaluation}) {
    const auto rows = table();
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

// "memory" for "memory and cache".
bool names_category(std::string_view wanted, category one) {
  return wanted == name(one) || std::ranges::count(words_of(name(one)), wanted) > 0;
}

bool fits(std::string_view wanted, const issue& one) {
  return wanted == one.id || names_category(wanted, one.category);
}

std::vector<std::string> known_words() {
  std::vector<std::string> all;
  for (const auto one : all_categories) all.emplace_back(name(one));
  for (const auto& one : issues()) all.emplace_back(one.id);
  return all;
}

}  // namespace

std::span<const issue> issues() {
  static const std::vector<issue> all = gather();
  return all;
}

result<std::vector<issue>> select(std::span<const std::string> wanted) {
  for (const auto& word : wanted) {
    if (std::ranges::any_of(issues(), [&](const issue& one) { return fits(word, one); })) continue;
    const auto near = nearest_name(word, known_words());
    return error{fmt::format("no validity issue or category is called \"{}\"", word),
                 near ? fmt::format("did you mean \"{}\"?", *near) : "`ridge validity` lists them"};
  }
  std::vector<issue> chosen;
  std::ranges::copy_if(issues(), std::back_inserter(chosen), [&](const issue& one) {
    return wanted.empty() ||
           std::ranges::any_of(wanted, [&](const std::string& word) { return fits(word, one); });
  });
  return chosen;
}

tally count(std::span<const issue> list) {
  tally seen;
  for (const auto& one : list) {
    seen.checked += one.status == status::checked ? 1u : 0u;
    seen.prevented += one.status == status::prevented ? 1u : 0u;
    seen.open += one.status == status::open ? 1u : 0u;
    seen.not_applicable += one.status == status::not_applicable ? 1u : 0u;
    const bool answered = one.status == status::checked || one.status == status::prevented;
    seen.proved += answered && proved(one) ? 1u : 0u;
  }
  return seen;
}

std::vector<std::string> catalogue_keys() {
  std::vector<std::string> keys;
  const auto add = [&](std::string_view prefix, int last) {
    for (int i = 1; i <= last; ++i) keys.push_back(fmt::format("{}{}", prefix, i));
  };
  add("T", 20);
  add("O", 15);
  add("C", 12);
  for (const auto* key : {"gate-roofline", "gate-scaling", "gate-speedup", "gate-counters", "gate-jitter",
                          "mlperf-01", "mlperf-04", "mlperf-seeds", "mlperf-duration", "fault-a", "fault-b",
                          "fault-c", "fault-d", "fault-e"})
    keys.emplace_back(key);
  add("aipe-", 95);
  return keys;
}

}  // namespace ridge::validity
