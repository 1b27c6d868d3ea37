// SPDX-License-Identifier: Apache-2.0
#include "stored/store_watch.hpp"

#include <algorithm>

#include <ridge/model/json_writer.hpp>

namespace ridge::app_serve {
namespace {

constexpr std::uint64_t most_results = 200;  // of one look
constexpr std::size_t watched_runs = 20;     // the newest: no others are being measured

}  // namespace

store_watch::store_watch(store_shelf& stores, server::event_hub& hub) : stores_(stores), hub_(hub) {
  revision_ = stores_.revision();
  auto store = stores_.borrow();
  held_ = store->counts();
  for (const auto& entry : store->runs({.limit = watched_runs}))
    runs_[entry.id] = {entry.families, entry.comparisons, entry.wall_s.has_value()};
}

void store_watch::publish_state(const store::run_entry& entry) {
  model::json_writer json;
  json.begin_object().field("run", entry.id).field("started", entry.started).field("machine", entry.machine);
  json.field("state", entry.wall_s ? "finished" : "running").field("families", entry.families);
  json.field("comparisons", entry.comparisons).end_object();
  hub_.publish({.type = "run.state", .key = entry.id, .data = std::move(json).take()});
}

void store_watch::publish_results(store::store& store, const store::run_entry& entry,
                                  std::uint64_t new_comparisons) {
  const auto limit = std::min<std::uint64_t>(new_comparisons, most_results);
  auto newest = store.history({.limit = static_cast<std::size_t>(limit)});
  std::erase_if(newest, [&](const model::stored_comparison& one) { return one.run != entry.id; });
  for (auto one = newest.rbegin(); one != newest.rend(); ++one) {
    const auto& row = one->row;
    const auto& compared = row.comparison;
    model::json_writer json;
    json.begin_object()
        .field("run", one->run)
        .field("experiment", row.experiment)
        .field("problem", row.problem);
    json.field("backend", name(row.backend)).field("reference", compared.reference);
    json.field("candidate", compared.candidate)
        .field("metric", compared.metric.name)
        .field("ratio", compared.ratio);
    json.field("lo", compared.ci.lo).field("hi", compared.ci.hi);
    json.field("verdict", compared.judged ? name(compared.verdict) : std::string_view()).end_object();
    hub_.publish({.type = "result", .key = "", .data = std::move(json).take()});
  }
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
    publish_state(entry);
    if (entry.comparisons > known.comparisons)
      publish_results(*store, entry, entry.comparisons - known.comparisons);
    known = {entry.families, entry.comparisons, entry.wall_s.has_value()};
    has_changed = true;
  }
  revision_ = revision;
  if (!has_changed && revision.empty()) return;
  const auto held = store->counts();  // an old run that is imported is none of the newest
  if (!has_changed && held == held_) return;
  held_ = held;
  model::json_writer json;
  json.begin_object().field("what", "runs").field("runs", held.runs).field("families", held.families);
  json.field("comparisons", held.comparisons).field("samples", held.samples).end_object();
  hub_.publish({.type = "store", .key = "store", .data = std::move(json).take()});
}

}  // namespace ridge::app_serve
