// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/efficiency.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>

#include "efficiency_json.hpp"

namespace ridge::plan::kernels {
namespace {

// Oldest first: the nearest generation is the one with the fewest positions between.
constexpr std::array<std::string_view, 7> generations{"turing", "ampere", "cdna3",    "ada",
                                                      "hopper", "cdna4",  "blackwell"};

int place_of(std::string_view generation) {
  const auto* at = std::ranges::find(generations, generation);
  return static_cast<int>(at - generations.begin());
}

using match = efficiency_catalogue::match;

// The distance of an entry: the GPU itself or its generation, then others by age. Within a generation another
// format is farther than another GPU: it is other code, while the units are the same.
int distance(const efficiency_entry& e, const accelerator& gpu, std::string_view format) {
  const int by_gpu = e.gpu == gpu.name ? 0
                     : e.generation == gpu.generation
                         ? 2
                         : 20 + 10 * std::abs(place_of(e.generation) - place_of(gpu.generation));
  return by_gpu + (e.format == format ? 0 : e.format.empty() ? 1 : 5);
}

match::distance how_far(const efficiency_entry& e, const accelerator& gpu) {
  if (e.gpu == gpu.name) return match::distance::own;
  return e.generation == gpu.generation ? match::distance::generation : match::distance::other;
}

constexpr std::string_view efficiency_schema = "ridge.plan.efficiency/1";

}  // namespace

efficiency_entry read_entry(json_members& members) {
  efficiency_entry e;
  members.text("gpu", e.gpu, true);
  members.text("generation", e.generation, true);
  members.text("kernel", e.kernel, true);
  members.text("format", e.format);
  members.number("floor_s", e.curve.floor_s, 0, 1);
  members.number("bandwidth_share", e.curve.bandwidth_share, 1e-6, 10);
  members.number("flop_share", e.curve.flop_share, 1e-6, 10);
  members.number("half_rows", e.curve.half_rows, 0, 1e12);
  members.number("half_columns", e.curve.half_columns, 0, 1e12);
  members.number("half_depth", e.curve.half_depth, 0, 1e12);
  members.count("rows", e.rows);
  members.number("median_error", e.median_error, 0, 1e6);
  members.number("p90_error", e.p90_error, 0, 1e6);
  members.text("source", e.source, true);
  members.text("date", e.date, true);
  return e;
}

nlohmann::ordered_json entry_json(const efficiency_entry& e) {
  return {{"gpu", e.gpu},
          {"generation", e.generation},
          {"kernel", e.kernel},
          {"format", e.format},
          {"floor_s", e.curve.floor_s},
          {"bandwidth_share", e.curve.bandwidth_share},
          {"flop_share", e.curve.flop_share},
          {"half_rows", e.curve.half_rows},
          {"half_columns", e.curve.half_columns},
          {"half_depth", e.curve.half_depth},
          {"rows", e.rows},
          {"median_error", e.median_error},
          {"p90_error", e.p90_error},
          {"source", e.source},
          {"date", e.date}};
}

match efficiency_catalogue::find(const accelerator& gpu, std::string_view kernel,
                                 std::string_view format) const {
  const efficiency_entry* best = nullptr;
  for (const auto& e : entries) {
    if (e.kernel != kernel) continue;
    if (best == nullptr || distance(e, gpu, format) < distance(*best, gpu, format)) best = &e;
  }
  if (best == nullptr) return {};
  return {best, how_far(*best, gpu)};
}

const efficiency_catalogue& embedded_efficiencies() {
  static const efficiency_catalogue all = [] {
    const auto text = embedded_text("efficiency.json");
    if (text.empty()) return efficiency_catalogue{};
    auto read = parse_efficiencies(text, "efficiency.json");
    expects(read.ok(), read.ok() ? "" : read.why().message);
    return std::move(*read);
  }();
  return all;
}

result<efficiency_catalogue> parse_efficiencies(std::string_view text, std::string_view name) {
  const auto whole = parse_document(text, name, efficiency_schema);
  if (!whole) return whole.why();
  const auto list = whole->find("entries");
  if (list == whole->end() || !list->is_array())
    return error{fmt::format("{}: /entries: is not an array", name), "correct the file"};
  efficiency_catalogue all;
  for (const auto& one : *list) {
    json_members from(one, std::string(name), fmt::format("/entries/{}", all.entries.size()));
    all.entries.push_back(read_entry(from));
    if (from.wrong()) return *from.wrong();
  }
  return all;
}

std::string efficiencies_json(const efficiency_catalogue& c) {
  nlohmann::ordered_json whole{{"schema", efficiency_schema}, {"entries", nlohmann::ordered_json::array()}};
  for (const auto& e : c.entries) whole["entries"].push_back(entry_json(e));
  return whole.dump(1);
}

}  // namespace ridge::plan::kernels
