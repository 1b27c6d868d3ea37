// SPDX-License-Identifier: Apache-2.0
#include <ridge/results/parameters.hpp>

#include <iterator>

#include <fmt/format.h>

namespace ridge::results {

std::vector<parameter> workload_parameters() {
  return {
      {.key = "experiment", .placeholder = "ID", .help = "An experiment, a chapter (ch07) or a glob"},
      {.key = "machine", .placeholder = "NAME", .help = "A machine, as results name it, or a glob"},
      {.key = "backend",
       .kind = parameter_kind::choice,
       .help = "Only results of this backend",
       .choices = {"cpu", "cuda"}},
      {.key = "problem", .placeholder = "TEXT", .help = "Only this problem, written as it is printed"},
  };
}

std::vector<parameter> workload_parameters_and(std::vector<parameter> others) {
  auto all = workload_parameters();
  all.insert(all.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  return all;
}

store::workload_query workloads_asked_for(const arguments& given) {
  store::workload_query query;
  if (auto text = given.text("experiment"); !text.empty()) {
    const bool whole_chapter = text.find_first_of(".*?") == std::string::npos;
    query.experiment = whole_chapter ? text + ".*" : text;
  }
  if (auto text = given.text("machine"); !text.empty()) query.machine = text;
  if (auto text = given.text("problem"); !text.empty()) query.problem = text;
  query.backend = model::named<model::backend>(given.text("backend"));
  return query;
}

std::string nothing_measured(const store::workload_query& query) {
  if (query.experiment == "*")
    return "Nothing is stored. `ridge run ch01` measures and stores; `ridge import FILE` takes saved runs.";
  return fmt::format("Nothing is stored of {0}. `ridge run {0}` measures and stores.", query.experiment);
}

}  // namespace ridge::results
