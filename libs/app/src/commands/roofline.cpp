// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/amounts.hpp>
#include <ridge/app/exit_code.hpp>
#include <ridge/app/output_file.hpp>
#include <ridge/app/svg_to_png.hpp>
#include <ridge/base/units.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/harness/gpu_families.hpp>
#include <ridge/model/json.hpp>
#include <ridge/probe/roofline_charts.hpp>
#include <ridge/probe/roofs.hpp>
#include <ridge/report/roofline.hpp>

#include "ceilings/roofline_source.hpp"
#include "ceilings/sweepers.hpp"
#include "commands/commands.hpp"
#include "session/build_warning.hpp"
#include "session/laboratory.hpp"
#include "session/run_header.hpp"
#include "stored/named_run.hpp"

namespace ridge::app {
namespace {

struct roofline_options {
  std::vector<std::string> words{};
  std::vector<std::string> outputs{};
  std::vector<std::string> dtypes{}, levels{};
  std::string only{}, hardware{};
  bool csv = false, json = false, validate = false, all = false;
};

std::size_t most_drawn(const roofline_options& o) {
  return o.all ? std::numeric_limits<std::size_t>::max() : report::usual_most_kernels;
}

std::string complaint_about_file(const std::string& path) {
  const bool known =
      path.ends_with(".svg") || path.ends_with(".png") || path.ends_with(".csv") || path.ends_with(".json");
  return known ? "" : path + " is not an .svg, .png, .csv or .json file";
}

void save(const model::roofline& chart, const std::string& path, std::size_t most) {
  if (path.ends_with(".svg")) return save_text(path, report::roofline_svg(chart, most));
  if (path.ends_with(".csv")) return save_text(path, report::roofline_csv(chart));
  if (path.ends_with(".json")) return save_text(path, model::roofline_json(chart) + '\n');
  save_png(report::roofline_svg(chart, most), path);
}

result<hardware::catalogue> catalogue_of(const roofline_options& o) {
  return o.hardware.empty() ? result(hardware::catalogue::embedded()) : hardware::catalogue::load(o.hardware);
}

std::string text_of(const model::roofline& all, const terminal& screen) {
  const report::options with{.columns = screen.columns, .color = screen.colored};
  std::string text;
  for (const auto& c : all.charts) {
    auto title = c.device.empty() ? std::string(name(c.backend)) : c.device;
    if (c.threads > 0) title += fmt::format(", {} thread{}", c.threads, c.threads == 1 ? "" : "s");
    text += paint(screen, report::tone::strong, title) + '\n' + report::roofline_braille(c, with) + '\n';
    text += c.sweeps.empty() ? report::roofline_table(c, with) : report::sweep_table(c, with);
    text += '\n';
  }
  return text.empty() ? "there is neither a ceiling nor a kernel to chart\n" : text;
}

int show(const context& program, const roofline_options& o, const model::roofline& chart) {
  for (const auto& path : o.outputs) save(chart, path, most_drawn(o));
  program.print(o.json  ? model::roofline_json(chart) + '\n'
                : o.csv ? report::roofline_csv(chart)
                        : text_of(chart, program.out));
  const auto without = report::kernels_left_out(chart, most_drawn(o));
  for (const auto& path : o.outputs) {
    const bool drawn = path.ends_with(".svg") || path.ends_with(".png");
    program.tell(
        drawn && without > 0
            ? fmt::format("wrote {} without {} kernel{} of less time than those it draws; --all draws "
                          "every kernel\n",
                          path, without, without == 1 ? "" : "s")
            : fmt::format("wrote {}\n", path));
  }
  return exit_code::good;
}

// Returns the chart of a sweep; its roofs are those measured in its own rounds.
model::roofline_chart chart_of(model::intensity_sweep sweep, model::backend backend, std::string device) {
  model::roofline_chart c{.backend = backend, .device = std::move(device)};
  c.threads = backend == model::backend::cpu ? sweep.threads : 0;
  const auto prefix = std::string(name(backend));
  c.roofs.push_back({.id = prefix + ".read", .level = sweep.level, .value = sweep.bandwidth});
  c.roofs.push_back({.id = prefix + ".fma.fp32",
                     .kind = model::roof_kind::compute,
                     .dtype = "fp32",
                     .units = "vector",
                     .value = sweep.peak});
  for (auto& r : c.roofs)
    r.label = fmt::format("{}{} {}", r.level, r.dtype,
                          format_quantity(r.value, r.kind == model::roof_kind::bandwidth ? "B/s" : "FLOP/s"));
  c.ridges = probe::ridges_of(c.roofs);
  c.sweeps.push_back(std::move(sweep));
  return c;
}

void add_sweeps(model::roofline& chart, probe::intensity_sweeper& sweeper, laboratory& lab,
                model::backend backend, const std::string& device) {
  for (auto& s : sweeper.sweep(lab.clock(), {}))
    chart.charts.push_back(chart_of(std::move(s), backend, device));
}

bool holds(const model::roofline& all) {
  for (const auto& c : all.charts) {
    for (const auto& s : c.sweeps) {
      if (s.worst_off_knee > probe::sweep_tolerance && s.note.empty()) return false;
    }
  }
  return true;
}

int validate(const context& program, const roofline_options& o) {
  warn_of_build(program);
  laboratory lab;
  const auto run = run_header(program, "validate", 1);
  model::roofline all{.machine = run.environment.machine, .started = run.started};
  add_sweeps(all, *cpu_sweeper(), lab, model::backend::cpu, run.environment.cpu);
  const auto gpu = gpu_sweeper();
  if (gpu && harness::gpu_unavailable_because(lab.instruments()).empty())
    add_sweeps(all, *gpu, lab, model::backend::cuda, "GPU");
  show(program, o, all);
  return holds(all) ? exit_code::good : exit_code::refused;
}

int roofline(const context& program, const roofline_options& o) {
  if (o.validate && !o.words.empty())
    return program.refuse(
        {"--validate runs its own kernels and takes no target", "leave out " + o.words.front()},
        exit_code::usage);
  for (const auto& path : o.outputs) expect_writable(path);
  const auto known = catalogue_of(o);
  if (!known) return program.refuse(known.why(), exit_code::usage);
  if (o.validate) return validate(program, o);
  const auto run = run_to_chart(program, o.words);
  if (!run) {
    const bool named = o.words.size() == 1 && names_a_run(o.words.front());
    return program.refuse(run.why(), named ? code_of_no_run(program, o.words.front()) : exit_code::usage);
  }
  return show(program, o,
              probe::roofline_of(*run, *known, {.only = o.only, .dtypes = o.dtypes, .levels = o.levels}));
}

}  // namespace

void add_roofline(command& parent, context& program) {
  auto o = std::make_shared<roofline_options>();
  auto& command =
      parent.add("roofline", "Place kernels under the measured and specified limits of the machine");
  command
      .option("RUN", o->words, "TARGET|RUN",
              "A stored run, a file of one, or experiments to measure now; the newest run by default")
      .option("--output", o->outputs, "FILE", "Write the chart as .svg, .png, .csv or .json (repeats)")
      .checked(complaint_about_file)
      .option("--only", o->only, "GLOB", "Show only kernels that match: '*gemm*'")
      .flag("--all", o->all,
            fmt::format("Draw every kernel into an .svg or .png, not only the {} of the longest time a chart",
                        report::usual_most_kernels))
      .option("--dtype", o->dtypes, "TYPE", "Draw the peaks of these types: fp32, bf16 (repeats)")
      .option("--level", o->levels, "LEVEL",
              "Draw these bandwidths: L1, L2, L3, DRAM, shared, host (repeats)")
      .option("--hardware", o->hardware, "FILE",
              "A catalogue of specifications in place of the program's own")
      .flag("--csv", o->csv, "Print every roof and kernel as CSV")
      .flag("--json", o->json, "Print one JSON object (ridge.roofline/1)")
      .flag("--validate", o->validate, "Prove the chart: run kernels of known intensity along the roof")
      .notes(
          "Solid roofs were measured; dotted ones are stated by the vendor. docs/guide/roofline.md says how "
          "to "
          "read the chart. --validate exits with 2 when a kernel misses its roof by more than 5 % away from "
          "the knee.")
      .runs([&program, o] { return roofline(program, *o); });
}

}  // namespace ridge::app
