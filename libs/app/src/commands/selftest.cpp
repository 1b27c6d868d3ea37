// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/model/json_writer.hpp>
#include <ridge/selftest/selftest.hpp>

#include "commands/commands.hpp"
#include "session/build_warning.hpp"
#include "session/gpu_selftest.hpp"
#include "session/laboratory.hpp"

namespace ridge::app {
namespace {

struct selftest_options {
  std::vector<std::string> names{};
  bool json = false;
  bool quick = false;
  std::uint64_t empty_body = 0;
};

std::string json_of(const selftest::row& r) {
  model::json_writer out;
  out.begin_object().field("schema", "ridge.selftest/1").field("name", r.name);
  if (r.skipped.empty()) {
    out.field("value", r.value);
  } else {
    out.field("skipped", r.skipped);
  }
  out.field("unit", r.unit);
  if (r.limit) out.field(r.at_least ? "at_least" : "at_most", *r.limit);
  out.field("pass", r.pass()).field("detail", r.detail);
  out.end_object();
  return std::move(out).take() + '\n';
}

std::string verdict_on(const selftest::row& r) {
  if (!r.skipped.empty()) return "skipped";
  if (!r.limit) return "printed";
  return r.pass() ? "pass" : "MISSED";
}

std::string line_of(const selftest::row& r) {
  // A figure that misses its limit by little must not read as if it were equal.
  const auto [figure, bound] = told_apart(r.value, r.limit.value_or(r.value));
  const auto value = r.skipped.empty() ? figure + ' ' + r.unit : "-";
  const auto limit = r.limit ? fmt::format("{} {}", r.at_least ? "≥" : "≤", bound) : "";
  const auto said = r.skipped.empty() ? r.detail : r.skipped;
  constexpr std::size_t indent = 2, width = 100;
  return pad_right(r.name, 16) + pad_left(value, 18) + "  " + pad_right(limit, 9) + verdict_on(r) + "\n" +
         std::string(indent, ' ') + wrap(said, width, indent) + "\n";
}

// Returns whether a word names this row: the row itself or, by what stands before an underscore, its part.
bool names_row(const std::string& word, const std::string& row) {
  return row == word || (row.size() > word.size() && row.starts_with(word) && row[word.size()] == '_');
}

// Returns those of the rows that any of the words names.
std::vector<std::string> rows_among(std::vector<std::string> rows, const std::vector<std::string>& words) {
  std::erase_if(rows, [&](const std::string& row) {
    return std::ranges::none_of(words, [&](const std::string& word) { return names_row(word, row); });
  });
  return rows;
}

result<void> check_names(const std::vector<std::string>& wanted) {
  auto all = selftest::names();
  std::ranges::copy(gpu_selftest_names(), std::back_inserter(all));
  for (const auto& name : wanted) {
    if (std::ranges::any_of(all, [&](const std::string& row) { return names_row(name, row); })) continue;
    const auto near = nearest_name(name, all);
    return error{fmt::format("no self-test is called \"{}\"", name),
                 near ? fmt::format("did you mean \"{}\"?", *near) : "they are: " + join(all, ", ")};
  }
  return {};
}

int selftest_command(const context& program, const selftest_options& o) {
  if (o.empty_body > 0) {
    selftest::run_empty_body(o.empty_body);
    return exit_code::good;
  }
  if (auto known = check_names(o.names); !known) return program.refuse(known.why(), exit_code::usage);
  warn_of_build(program);
  bool all_pass = true;
  laboratory here;
  const selftest::surroundings with{.program = std::filesystem::read_symlink("/proc/self/exe").string(),
                                    .open_store = open_store_at,
                                    .host = here.instruments().device,
                                    .scale = o.quick ? 0.1 : 1};
  const auto report = [&](const selftest::row& r) {
    all_pass = all_pass && r.pass();
    program.print(o.json ? json_of(r) : line_of(r));
  };
  const auto on_host = rows_among(selftest::names(), o.names),
             on_gpu = rows_among(gpu_selftest_names(), o.names);
  if (o.names.empty() || !on_host.empty()) selftest::run(on_host, with, report);
  if (o.names.empty() || !on_gpu.empty()) run_gpu_selftest(program, on_gpu, with.scale, report);
  return all_pass ? exit_code::good : exit_code::worse;
}

}  // namespace

void add_selftest(command& parent, context& program) {
  auto o = std::make_shared<selftest_options>();
  parent.add("selftest", "Test the harness on this machine: false-positive rate, power, overhead")
      .option("NAME", o->names, "NAME", "Measure only these rows, or the rows of a part: changes (all)")
      .flag("--json", o->json, "Print one JSON object per line (ridge.selftest/1)")
      .flag("--quick", o->quick, "Make a tenth of the trials, for a first look")
      .option("--empty-body", o->empty_body, "N", "Run an empty body N times and exit")
      .secret()
      .notes(
          "The exit code is 1 when a figure misses its limit. All rows take about nine minutes; nothing else "
          "should run meanwhile.")
      .runs([&program, o] { return selftest_command(program, *o); });
}

}  // namespace ridge::app
