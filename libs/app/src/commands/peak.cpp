// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/interrupt.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/app/progress_line.hpp>
#include <ridge/app/run_file.hpp>
#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>
#include <ridge/host/affinity.hpp>
#include <ridge/host/text_file.hpp>
#include <ridge/model/json.hpp>
#include <ridge/report/peaks.hpp>
#include <ridge/report/table.hpp>

#include "ceilings/ceilings_cache.hpp"
#include "ceilings/peak_session.hpp"
#include "commands/commands.hpp"
#include "session/build_warning.hpp"

namespace ridge::app {
namespace {

struct peak_options {
  bool quick = false, deep = false, json = false, markdown = false, series = false, forget = false,
       list = false;
  std::vector<std::string> only{};
  std::string backend{"all"}, scratch{}, save{}, saved_file{};
  int threads = 0;
};

peak_settings settings_of(const peak_options& o) {
  return {.depth = o.quick  ? probe::depth::quick
                   : o.deep ? probe::depth::deep
                            : probe::depth::standard,
          .only = probe::row_filter(o.only),
          .cpu = o.backend != "cuda",
          .gpu = o.backend != "cpu",
          .scratch = o.scratch.empty() ? ceilings_folder() : std::filesystem::path(o.scratch),
          .threads = o.threads};
}

report::peak_options look_of(const context& program, const peak_options& o) {
  return {.options = {.columns = program.out.columns, .color = program.out.colored}, .series = o.series};
}

// Prints each subject as soon as it is measured, and shows between them what is being measured.
class streaming final {
 public:
  streaming(const context& program, const peak_options& o)
      : program_(program), options_(o), progress_(program.err) {
    if (!o.json && !o.markdown) program.print(report::peak_header(look_of(program, o).options));
  }
  void tell(const model::probed& subject, std::span<const model::ceiling> rows) {
    progress_.clear();
    if (!options_.json && !options_.markdown)
      program_.print(report::peak_group(subject, rows, look_of(program_, options_)));
    seen_ += rows.size();
    progress_.show(fmt::format("{} rows so far; the last are {}", seen_, subject.title));
  }

 private:
  const context& program_;
  const peak_options& options_;
  progress_line progress_;
  std::size_t seen_ = 0;
};

void save(const model::peak_report& found, const std::string& path) {
  std::ofstream file(path);
  file << model::peak_report_json(found) << '\n';
  file.close();
  if (!file) throw io_failure("write", path, errno, "name another file with --save");
}

std::string whole(const context& program, const peak_options& o, const model::peak_report& found) {
  if (o.json) return model::peak_report_json(found) + '\n';
  if (o.markdown) return report::peak_markdown(found);
  return report::peak_table(found, look_of(program, o));
}

int show_file(const context& program, const peak_options& o) {
  const auto read = peak_report_of_file(o.saved_file);
  if (!read) return program.refuse(read.why(), exit_code::file);
  program.print(whole(program, o, *read));
  return exit_code::good;
}

void keep(const context& program, const model::peak_report& found, bool say) {
  const auto kept = keep_peaks(found);
  if (kept.empty())
    program.tell("the rows are not kept as ceilings of later runs: the cache folder cannot be written\n");
  if (!kept.empty() && say)
    program.print("the rows are kept as ceilings of later runs; `ridge roofline` draws them\n");
}

int measure(const context& program, const peak_options& o) {
  expect_writable(o.save);
  warn_of_build(program);
  const interrupt_guard guard;
  model::peak_report found;
  {
    streaming printer(program, o);
    found = measure_peaks_here(settings_of(o),
                               [&](const auto& subject, auto rows) { printer.tell(subject, rows); });
  }
  const bool streamed = !o.json && !o.markdown;
  program.print(streamed ? '\n' + report::peak_summary(found, look_of(program, o).options)
                         : whole(program, o, found));
  if (!o.save.empty()) save(found, o.save);
  if (!o.forget && !found.peak.ceilings.empty()) keep(program, found, streamed);
  if (interrupted()) return exit_code::interrupted;
  return found.peak.ceilings.empty() ? exit_code::unavailable : exit_code::good;
}

int list(const context& program, const peak_options& o) {
  report::table table({{"id"}, {"measured from"}, {"what"}});
  for (const auto& one : probes_here(settings_of(o)))
    table.row({one.id, std::string(name(one.least_depth)), one.title});
  program.print(table.text(layout_on(program.out)));
  return exit_code::good;
}

// Returns whether the patterns match no probe. A missing GPU is no reason: the measurement itself reports it.
bool fits_nothing(const peak_options& o) {
  return !o.only.empty() && probes_here(settings_of(o)).empty() && !settings_of(o).only.may_want("cuda");
}

// Complains of a number of threads that this process cannot run at once.
std::string is_number_of_threads(const std::string& text) {
  const auto most = host::process_cpus().size();
  const auto threads = host::to_number(text);
  if (threads && *threads >= 1 && *threads <= static_cast<long long>(most)) return {};
  return fmt::format("expects a number of threads from 1 to {}, not \"{}\"", most, text);
}

int peak(const context& program, const peak_options& o) {
  if (o.quick && o.deep)
    return program.refuse({"--quick and --deep exclude each other", "give only one of them"},
                          exit_code::usage);
  if (!o.saved_file.empty()) return show_file(program, o);
  if (o.list) return list(program, o);
  if (fits_nothing(o))
    return program.refuse(
        {fmt::format("no row matches \"{}\"", join(o.only, "\" or \"")), "`ridge peak --list` names them"},
        exit_code::usage);
  return measure(program, o);
}

}  // namespace

void add_peak(command& parent, context& program) {
  auto o = std::make_shared<peak_options>();
  parent
      .add("peak",
           "Measure what this machine can do: arithmetic, memory, latencies, storage, copies, launches")
      .flag("--quick", o->quick, "Measure only the most important rows, in about ten seconds")
      .flag("--deep", o->deep, "Measure every row, with sweeps, sustained loads and matrices; takes minutes")
      .option("--only", o->only, "GLOB", "Measure only rows that match: cuda.mma.* (repeats)")
      .choice("--backend", o->backend, {"all", "cpu", "cuda"},
              "Measure only the host's rows, or only the GPU's")
      .option("--threads", o->threads, "N", "Greatest number of threads to use (one per core)")
      .checked(is_number_of_threads)
      .option("--scratch", o->scratch, "DIR", "Folder on the storage that is measured (the cache folder)")
      .flag("--series", o->series, "Print sweeps and matrices too")
      .flag("--json", o->json, "Print one JSON object (ridge.peak/1)")
      .flag("--markdown", o->markdown, "Print Markdown tables")
      .option("--save", o->save, "FILE", "Write the JSON to a file too")
      .option("--from", o->saved_file, "FILE", "Measure nothing: show a file that --save wrote")
      .flag("--list", o->list, "Measure nothing: list what could be measured")
      .flag("--no-keep", o->forget, "Do not keep the rows as ceilings of later runs")
      .notes(
          "The column `issue` is the share of the most that the units can do at the clock they ran at; "
          "`spec` is "
          "the share of what the vendor states. A value that cannot be true is refused. Close other programs "
          "first: rows that they disturb are marked.")
      .runs([&program, o] { return peak(program, *o); });
}

}  // namespace ridge::app
