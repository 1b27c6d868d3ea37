// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/results/parameters.hpp>

#include "screens/screen.hpp"

namespace ridge::tui {
namespace {

using results::parameter;
using results::parameter_kind;

const parameter run_parameter{
    .key = "run", .placeholder = "RUN", .help = "The id of a stored run, or its beginning"};

screen screen_of(const results::analysis& a, char key, std::string brief) {
  return {.name = std::string(a.name),
          .title = std::string(a.title),
          .brief = brief.empty() ? std::string(a.title) : std::move(brief),
          .purpose = std::string(a.question),
          .key = key,
          .parameters = a.parameters,
          .make = [run = a.run](workspace& work, const results::arguments& given) -> result<page> {
            const auto store = work.store();
            if (!store) return store.why();
            auto found = run(**store, given);
            if (!found) return found.why();
            return page_of(*std::move(found));
          },
          .asks_first = a.name == "whatif"};
}

std::vector<screen> screens_of_results() {
  return {
      {.name = "live",
       .title = "Live run",
       .brief = "Live",
       .purpose = "What is being measured now, what came out so far, and how the machine is doing",
       .key = '1',
       .make = live_page,
       .refresh_s = 0.25},
      {.name = "results",
       .title = "Results",
       .brief = "Results",
       .purpose = "The newest result of every variant of every workload, or those of one run",
       .key = '2',
       .parameters = results::workload_parameters_and({run_parameter}),
       .make = results_page},
      {.name = "compare",
       .title = "Compare",
       .brief = "Compare",
       .purpose = "Variants against their baseline, measured in pairs; or two runs side by side",
       .key = '3',
       .parameters = results::workload_parameters_and(
           {{.key = "variant",
             .placeholder = "NAME,NAME",
             .help = "Only these variants, with commas between"},
            {.key = "a", .placeholder = "RUN", .help = "A stored run, to be held against another"},
            {.key = "b", .placeholder = "RUN", .help = "The other run"}}),
       .make = compare_page},
      {.name = "series",
       .title = "Series",
       .brief = "Series",
       .purpose = "One metric of one variant from run to run",
       .key = '4',
       .parameters = results::workload_parameters_and(
           {{.key = "variant", .placeholder = "NAME", .help = "Only this variant"},
            {.key = "series",
             .kind = parameter_kind::count,
             .placeholder = "N",
             .help = "The number of the series to show"},
            {.key = "last",
             .kind = parameter_kind::count,
             .placeholder = "N",
             .help = "Only its newest points",
             .preset = "1000"}}),
       .make = series_page,
       .follows = "series"},
  };
}

std::vector<screen> other_screens() {
  return {
      {.name = "roofline",
       .title = "Roofline",
       .brief = "Roof",
       .purpose = "Kernels under the measured and specified limits of the machine",
       .key = '5',
       .parameters = {run_parameter,
                      {.key = "only", .placeholder = "GLOB", .help = "Only kernels that match: *gemm*"}},
       .make = roofline_page},
      {.name = "machine",
       .title = "Machine",
       .brief = "Machine",
       .purpose = "What this machine is, what disturbs measurements on it, and its GPUs as they work",
       .key = '9',
       .make = machine_page,
       .refresh_s = 0.25},
      {.name = "analyses",
       .title = "All analyses",
       .brief = "All",
       .purpose = "Every question that can be asked of stored results",
       .key = '0',
       .make = analyses_page},
      {.name = "run",
       .title = "Run",
       .brief = "Run",
       .purpose = "One stored run, as it was printed",
       .parameters = {run_parameter,
                      {.key = "experiment", .placeholder = "ID", .help = "Only this experiment"}},
       .make = run_page},
  };
}

struct placed_analysis {
  std::string_view name{};
  char key = 0;
  std::string_view brief{};
};
constexpr placed_analysis placed[] = {
    {"leaderboards", '6', "Leaders"}, {"whatif", '7', "What-if"}, {"tradeoffs", '8', "Trade"}};

int order_of(const screen& s) { return s.key == 0 ? 100 : s.key == '0' ? 99 : s.key; }

std::vector<screen> all_screens() {
  auto all = screens_of_results();
  std::ranges::move(other_screens(), std::back_inserter(all));
  for (const auto& a : results::analyses()) {
    const auto* const place = std::ranges::find(placed, a.name, &placed_analysis::name);
    const bool has_key = place != std::end(placed);
    all.push_back(screen_of(a, has_key ? place->key : '\0', has_key ? std::string(place->brief) : ""));
  }
  std::ranges::stable_sort(all, {}, order_of);
  return all;
}

}  // namespace

const std::vector<screen>& screens() {
  static const auto all = all_screens();
  return all;
}

const screen* screen_named(std::string_view name) {
  const auto& all = screens();
  const auto found = std::ranges::find(all, name, &screen::name);
  return found == all.end() ? nullptr : &*found;
}

result<page> make_page(const screen& which, workspace& work, const settings& given) {
  try {
    const auto parsed = results::arguments::parse(which.parameters, given);
    if (!parsed) return parsed.why();
    auto made = which.make(work, *parsed);
    if (made && made->title.empty()) made->title = which.title;
    return made;
  } catch (const failure& why) {
    return why.why();
  }
}

}  // namespace ridge::tui
