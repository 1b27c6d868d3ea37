// SPDX-License-Identifier: Apache-2.0
#include "store_command.hpp"

#include <map>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/base/text.hpp>
#include <ridge/model/json_writer.hpp>
#include <ridge/results/analysis.hpp>
#include <ridge/store/location.hpp>
#include <ridge/store/store_copy.hpp>
#include <ridge/store/store_scale.hpp>

namespace ridge::app_results {
namespace {

namespace exit_code = app::exit_code;
using app::command;
using app::context;

constexpr double longest_query_s = 0.1;  // what a page waits for
constexpr double least_bulk = 1e6;       // samples a second

int copy_store(const context& program, const std::string& from, const std::string& target) {
  if (from == target)
    return program.refuse({"both stores are the same", "give the path or URL of another one"},
                          exit_code::usage);
  const auto source = app::open_existing_store(from);
  if (!source) return program.refuse(source.why(), exit_code::unavailable);
  const auto into = app::open_store_at(target);
  app::progress_line line(program.err);
  const auto done = store::copy_all(**source, *into, [&](std::uint64_t count, std::uint64_t all) {
    line.show(fmt::format("{} of {} runs", count, all));
  });
  line.clear();
  for (const auto& why : done.left) program.tell(fmt::format("ridge: not copied: {}\n", why.text()));
  const auto counted = [](std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  program.print(fmt::format("{} copied to {}, {} {} there already; {}, {}\n", counted(done.runs, "run"),
                            store::place_of(target), done.present, done.present == 1 ? "was" : "were",
                            counted(done.families, "problem"), counted(done.notes, "note")));
  return done.left.empty() ? exit_code::good : exit_code::file;
}

struct benchmark_options {
  std::uint64_t runs = 100'000;
  std::uint64_t samples = 50;
  std::uint64_t workloads = 1000;
  std::uint64_t trials = 100;
  std::uint64_t bulk = 0;
  bool json = false;
};

std::string text_of(const store::query_time& seen, bool json) {
  const double p50 = 1000 * seen.p50_s, p99 = 1000 * seen.p99_s;
  if (!json)
    return fmt::format("{} {:>8} {:>9.2f} {:>9.2f}  {}\n", pad_right(seen.query, 44), seen.rows, p50, p99,
                       seen.p99_s < longest_query_s ? "" : "MISSED");
  model::json_writer out;
  out.begin_object().field("schema", "ridge.store_benchmark/1").field("query", seen.query);
  out.field("rows", static_cast<std::uint64_t>(seen.rows))
      .field("trials", static_cast<std::uint64_t>(seen.trials));
  out.field("p50_ms", p50).field("p99_ms", p99).field("pass", seen.p99_s < longest_query_s);
  out.end_object();
  return std::move(out).take() + '\n';
}

int benchmark_bulk(const context& program, store::store& target, const benchmark_options& o) {
  const double rate = store::measure_bulk(target, o.bulk);
  program.print(fmt::format("bulk: {} M samples in families of 1,000, {:.2f} M samples/s{}\n", o.bulk,
                            rate / 1e6, rate < least_bulk ? "  MISSED" : ""));
  return rate < least_bulk ? exit_code::worse : exit_code::good;
}

// Times every analysis over all workloads, as a page without a filter asks for it.
std::vector<store::query_time> measure_analyses(store::store& source, std::size_t trials) {
  std::vector<store::query_time> all;
  for (const auto& one : results::analyses()) {
    std::map<std::string, std::string> given;
    if (one.name == "whatif") given = {{"vram", "24GiB"}};  // it answers only with a limit
    all.push_back(store::measure_query(fmt::format("analysis: {}", one.name), trials, [&](std::size_t) {
      const auto found = results::answer_of(one.name, source, given);
      std::size_t rows = 0;
      if (found)
        for (const auto& sheet : found->document.sheets) rows += sheet.rows.size();
      return rows;
    }));
  }
  return all;
}

int benchmark_store(const context& program, const benchmark_options& o) {
  if (program.store.empty())
    return program.refuse(
        {"the store to be filled is not named", "give an empty one with --store PATH or URL"},
        exit_code::usage);
  const auto target = app::open_store(program);
  if (o.bulk > 0) return benchmark_bulk(program, *target, o);
  const store::store_scale scale{.runs = o.runs, .samples_per_run = o.samples, .workloads = o.workloads};
  app::progress_line line(program.err);
  const auto entered = store::fill(
      *target, scale, [&](std::size_t done) { line.show(fmt::format("{} of {} runs", done, o.runs)); });
  line.clear();
  if (!entered) return program.refuse(entered.why(), exit_code::usage);
  const auto held = target->counts();
  if (!o.json)
    program.print(fmt::format("{}: {} runs, {} samples\n{} {:>8} {:>9} {:>9}\n", app::store_place(program),
                              held.runs, held.samples, pad_right("query", 44), "rows", "p50 ms", "p99 ms"));
  bool all_pass = true;
  const auto tell = [&](const store::query_time& seen) {
    all_pass = all_pass && seen.p99_s < longest_query_s;
    program.print(text_of(seen, o.json));
  };
  for (const auto& seen : store::measure_queries(*target, scale, o.trials)) tell(seen);
  for (const auto& seen : measure_analyses(*target, o.trials)) tell(seen);
  return all_pass ? exit_code::good : exit_code::worse;
}

void add_copy(command& parent, context& program) {
  auto from = std::make_shared<std::string>();
  auto target = std::make_shared<std::string>();
  parent.add("copy", "Copy everything that one store holds into another")
      .option("FROM", *from, "PATH|URL", "The store that is read")
      .required()
      .option("TARGET", *target, "PATH|URL", "The store that is written; it is made where there is none")
      .required()
      .notes(
          "A store is an SQLite file or a PostgreSQL database, postgresql://user@host/name. What the target "
          "holds "
          "already is left as it is: a copy that was broken off goes on where it stopped.")
      .runs([&program, from, target] { return copy_store(program, *from, *target); });
}

void add_benchmark(command& parent, context& program) {
  auto o = std::make_shared<benchmark_options>();
  parent.add("benchmark", "Fill an empty store with generated runs and time every query and analysis")
      .option("--runs", o->runs, "N", "How many runs it shall hold (100000)")
      .option("--samples", o->samples, "N", "Samples of each run (50)")
      .option("--workloads", o->workloads, "N",
              "Of how many workloads they are; 1 makes the longest series (1000)")
      .option("--trials", o->trials, "N", "How often each query and analysis is made (100)")
      .option("--bulk", o->bulk, "N",
              "Instead: enter N runs of a million samples, and print samples a second")
      .flag("--json", o->json, "Print one JSON object per line (ridge.store_benchmark/1)")
      .notes(
          "The exit code is 1 when the p99 of a query or an analysis exceeds 100 ms, or fewer than 1 M "
          "samples/s are "
          "entered.")
      .runs([&program, o] { return benchmark_store(program, *o); });
}

}  // namespace

command store_command(context& program) {
  command made("store", "Copy a store of results, or measure how fast one is");
  made.needs_command();
  add_copy(made, program);
  add_benchmark(made, program);
  return made;
}

}  // namespace ridge::app_results
