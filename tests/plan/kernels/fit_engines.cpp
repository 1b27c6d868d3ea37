// SPDX-License-Identifier: Apache-2.0
// Fits the engines' constants to operating points measured on silicon, through the service that `ridge plan
// serve` simulates, and writes them to stdout: as libs/plan/data/engines.json, or once without each model and
// each GPU as engines_left_out.json.
#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine_fit.hpp"
#include "left_out.hpp"

namespace {

using namespace ridge;
using namespace ridge::plan_test;
using plan::kernels::engine_profile;

constexpr std::size_t most_rows = 200;  // of an engine: more only take longer
const std::vector<std::string> engines{"vllm", "sglang", "trtllm"};

std::vector<silicon_row> rows_of(const silicon_rows& all, const std::string& engine) {
  std::vector<silicon_row> rows;
  std::ranges::copy_if(all.rows, std::back_inserter(rows),
                       [&](const silicon_row& r) { return r.engine == engine; });
  return rows;
}

engine_profile fitted(const std::string& engine, const std::vector<silicon_row>& rows, std::string source,
                      const std::string& date) {
  silicon_model shipped{{}};
  auto e = fit_engine(engine, thinned(rows, most_rows), {&shipped});
  e.rows = static_cast<std::int64_t>(rows.size());
  e.source = std::move(source), e.date = date;
  return e;
}

// A fit for each group without its rows. An engine of one group alone has nothing else to be fitted to and
// keeps the start.
std::vector<engine_profile> without_each_group(const std::string& engine, const std::vector<silicon_row>& all,
                                               const std::string& date) {
  std::vector<engine_profile> made;
  for (const auto kind : {left_out::model, left_out::gpu}) {
    std::set<std::string> groups;
    for (const auto& r : all) groups.insert(group_of(r, kind));
    for (const auto& group : groups) {
      std::vector<silicon_row> others;
      std::ranges::copy_if(all, std::back_inserter(others),
                           [&](const silicon_row& r) { return group_of(r, kind) != group; });
      fmt::print(stderr, "{} without {}: {} rows\n", engine, group, others.size());
      made.push_back(fitted(engine, others, group, date));
    }
  }
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "plan_fit_engines DATE all|left-out [ENGINE]\n");
    return 2;
  }
  const std::string date = argv[1], which = argv[2];
  const auto all = read_silicon(data_folder() / "serving/silicon/ttft_tpot.csv");
  if (!all) {
    fmt::print(stderr, "{}\n", all.why().text());
    return 77;
  }
  std::vector<engine_profile> made;
  for (const auto& engine : engines) {
    if (argc > 3 && engine != argv[3]) continue;
    const auto rows = rows_of(*all, engine);
    if (which == "all") {
      made.push_back(fitted(engine, rows,
                            "aiconfigurator's measured TTFT and TPOT on H100 and H200, closed loop", date));
      continue;
    }
    for (auto& e : without_each_group(engine, rows, date)) made.push_back(std::move(e));
  }
  fmt::print("{}\n", plan::kernels::engines_json(made));
}
