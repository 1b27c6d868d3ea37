// SPDX-License-Identifier: Apache-2.0
#include "stored/store_watch.hpp"

#include <ridge/model/json_writer.hpp>

namespace ridge::app_serve {
namespace {

constexpr std::size_t watched_runs = 20;  // the newest: no others are being measured

}  // namespace

store_watch::store_watch(store_shelf& stores, server::event_hub& hub) : stores_(stores), hub_(hub) {
  revision_ = stores_.revision();
  auto store = stores_.borrow();
  for (const auto& entry : store->runs({.limit = watched_runs}))
    runs_[entry.id] = {entry.families, entry.wall_s.has_value()};
}

void store_watch::publish(const store::run_entry& entry, std::uint64_t new_families) {
  model::json_writer state;
  state.begin_object().field("run", entry.id).field("started", entry.started).field("machine", entry.machine);
  state.field("state", entry.wall_s ? "finished" : "running").field("families", entry.families);
  state.field("comparisons", entry.comparisons).end_object();
  hub_.publish({.type = "run.state", .key = entry.id, .data = std::move(state).take()});
  if (new_families == 0) return;
  model::json_writer result;
  result.begin_object().field("run", entry.id).field("families", new_families).end_object();
  hub_.publish({.type = "result", .key = "", .data = std::move(result).take()});
}

void store_watch::look() {
  const auto revision = stores_.revision();
  if (!revision.empty() && revision == revision_) return;
  auto store = stores_.borrow();
  bool has_changed = false;
  for (const auto& entry : store->runs({.limit = watched_runs})) {
    const auto [place, is_new] = runs_.try_emplace(entry.id);
    auto& known = place->second;
    if (!is_new && known.families == entry.families && known.has_ended == entry.wall_s.has_value()) continue;
    publish(entry, entry.families - known.families);
    known = {entry.families, entry.wall_s.has_value()};
    has_changed = true;
  }
  revision_ = revision;
  if (!has_changed) return;
  const auto held = store->counts();
  model::json_writer json;
  json.begin_object().field("runs", held.runs).field("families", held.families);
  json.field("comparisons", held.comparisons).field("samples", held.samples).end_object();
  hub_.publish({.type = "store", .key = "store", .data = std::move(json).take()});
}

}  // namespace ridge::app_serve
