// SPDX-License-Identifier: Apache-2.0
#include "screens/run_choice.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace ridge::tui {
namespace {

constexpr std::size_t most_listed = 10'000;

error nothing_stored() {
  return {"no run is stored yet",
          "`ridge run ch01` measures and stores; `ridge import FILE` takes saved runs"};
}

}  // namespace

result<model::run> chosen_run(store::store& store, const std::string& id) {
  if (id.empty()) {
    const auto newest = store.runs({.limit = 1});
    return newest.empty() ? result<model::run>(nothing_stored()) : store.load(newest.front().id);
  }
  auto found = store.load(id);
  if (found) return found;
  for (const auto& entry : store.runs({.limit = most_listed})) {
    if (entry.id.ends_with(id)) return store.load(entry.id);
  }
  return found;
}

std::string neighbour_of(store::store& store, const std::string& id, int step) {
  if (step < 0) {
    const auto before = id.empty() ? store.runs({.limit = 2}) : store.runs({.before = id, .limit = 1});
    if (id.empty()) return before.size() < 2 ? "" : before.back().id;
    return before.empty() ? "" : before.front().id;
  }
  const auto all = store.runs({.limit = most_listed});  // the newest first
  const auto here = std::ranges::find(all, id, &store::run_entry::id);
  return here == all.end() || here == all.begin() ? "" : std::prev(here)->id;
}

std::string short_time(std::string_view started) {
  constexpr std::size_t minutes = 16;
  std::string text(started.substr(0, minutes));
  std::ranges::replace(text, 'T', ' ');
  return text;
}

std::string short_id(std::string_view id) {
  constexpr std::size_t shown = 8;
  return std::string(id.size() > shown ? id.substr(id.size() - shown) : id);
}

}  // namespace ridge::tui
