// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ridge/changes/changes_json.hpp>
#include <ridge/changes/stored_changes.hpp>
#include <ridge/model/json_writer.hpp>

#include "api/api.hpp"
#include "api/change_shapes.hpp"
#include "api/rows.hpp"
#include "api/shapes.hpp"

namespace ridge::app_serve {
namespace {

constexpr std::size_t longest_note = 2000;

server::schema series_changes_shape() {
  return object_of({whole("series"),
                    text("machine"),
                    text("experiment"),
                    text("problem"),
                    text("backend"),
                    text("variant"),
                    text("metric"),
                    text("unit"),
                    text("better"),
                    whole("points"),
                    {"enough", plain(server::value_type::truth)},
                    {"segments", array_of(segment_shape())},
                    {"changes", array_of(change_shape())},
                    {"watching", watching_shape()}});
}

server::schema note_shape() {
  return object_of({whole("series"), text("run"), text("state", "untriaged, confirmed, expected or noise"),
                    text("note"), text("stated", "ISO 8601, UTC")});
}

void write_note(model::json_writer& json, const model::change_note& note) {
  json.begin_object().field("series", note.series).field("run", note.run).field("state", note.state);
  json.field("note", note.note).field("stated", note.stated).end_object();
}

result<model::change_note> note_in(const server::request& asked) {
  model::change_note made{.run = path_value(asked, "run")};
  const auto& text = path_value(asked, "series");
  const auto series = whole_number(text);
  if (!series) return error{fmt::format("there is no series {}", text), "see /api/v1/series"};
  made.series = static_cast<std::int64_t>(*series);
  const auto body = nlohmann::json::parse(asked.body, nullptr, false);
  const error wrong{"the body is not {\"state\": \"...\", \"note\": \"...\"}",
                    fmt::format("the state is one of {}", fmt::join(changes::states(), ", "))};
  if (!body.is_object()) return wrong;
  for (const auto& [key, value] : body.items())
    if ((key != "state" && key != "note") || !value.is_string()) return wrong;
  made.state = body.value("state", "");
  made.note = body.value("note", "");
  if (std::ranges::find(changes::states(), made.state) == changes::states().end()) return wrong;
  if (made.note.size() > longest_note)
    return error{fmt::format("the note has {} bytes", made.note.size()),
                 fmt::format("write at most {}", longest_note)};
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  made.stated = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
  return made;
}

// A note stands at a run of its series; one of another would be found by nobody.
result<void> exists(store::store& store, const model::change_note& note) {
  const auto points = store.points({.series = note.series, .first_run = note.run, .last_run = note.run});
  if (points.empty())
    return error{fmt::format("series {} has no point of run {}", note.series, note.run),
                 "see /api/v1/series"};
  return {};
}

server::response keep(const api& shared, const server::request& asked) {
  const auto note = note_in(asked);
  if (!note) return server::problem(400, note.why());
  return from_store(shared, [&](store::store& store) {
    if (const auto found = exists(store, *note); !found) return server::problem(404, found.why());
    store.note(*note);
    model::json_writer json;
    write_note(json, *note);
    auto document = std::move(json).take();
    shared.events->publish({.type = "store", .key = "", .data = R"({"what":"note",)" + document.substr(1)});
    return server::json_response(std::move(document));
  });
}

// Keeps the series that changed last, the last first.
void keep_newest(std::vector<changes::series_changes>& all, std::size_t count) {
  std::erase_if(all, [](const auto& one) { return one.changes.empty(); });
  const auto newest = [](const auto& one) { return one.changes.back().started; };
  const auto kept = std::min(count, all.size());
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(kept), std::ranges::greater(),
                            newest);
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(kept), all.end());
}

result<std::string> list_of_changes(const api& shared, store::store& store, const server::request& asked) {
  const auto query = workload_query_of(asked);
  if (!query) return query.why();
  const auto newest = whole_number_given(asked, "newest");
  if (!newest) return newest.why();
  auto seen = shared.changes->known(store, *query);
  if (*newest) {
    keep_newest(seen.found, **newest);
  } else if (query_value(asked, "changed") == "true") {
    std::erase_if(seen.found, [](const auto& one) { return one.changes.empty() && !one.watching; });
  }
  return changes::changes_json(seen.found, {}, seen.not_searched);
}

}  // namespace

std::vector<server::route> change_routes(const api& shared) {
  std::vector<server::route> made;
  auto parameters = workload_parameters(true);
  parameters.push_back(
      {.name = "changed",
       .type = server::value_type::truth,
       .description = "true: only series that changed, or whose newest runs left their level"});
  parameters.push_back({.name = "newest",
                        .type = server::value_type::integer,
                        .description = "only so many series, those that changed last first"});
  made.push_back(read_route(
      "/api/v1/changes", "Changes of level from run to run, searched in one pass (ridge.changes/1)",
      std::move(parameters),
      open_object({text("schema"),
                   {"items", array_of(series_changes_shape())},
                   whole("not_searched", "series that are still being searched: ask again")}),
      [&shared](const server::request& asked) {
        return from_store(shared, [&](store::store& store) {
          auto document = list_of_changes(shared, store, asked);
          return document ? server::json_response(std::move(document).value())
                          : server::problem(400, document.why());
        });
      }));
  made.push_back(
      {.method = server::http_method::patch,
       .pattern = "/api/v1/changes/{series}/{run}",
       .needs = server::scope::write,
       .answer = [&shared](const server::request& asked) { return keep(shared, asked); },
       .summary = "Says what a change of a series is",
       .answer_shape = note_shape(),
       .body_shape = object_of({text("state"), {"note", plain(server::value_type::text), false}})});
  return made;
}

}  // namespace ridge::app_serve
