// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/base/units.hpp>
#include <ridge/host/isa.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/model/json_writer.hpp>
#include <ridge/report/table.hpp>
#include <ridge/vendor/onednn.hpp>
#include <ridge/vendor/openblas.hpp>

#include "catalogue/catalogue.hpp"
#include "commands/commands.hpp"
#include "machine/finding.hpp"
#include "machine/gpu_findings.hpp"
#include "machine/machine.hpp"
#include "session/laboratory.hpp"

namespace ridge::app {
namespace {

finding works_or_not(std::string subject, std::string_view why_not, std::string works) {
  return {std::move(subject), why_not.empty(),
          why_not.empty() ? std::move(works) : "skipped: " + std::string(why_not)};
}

std::vector<finding> about_machine(const model::environment& e, const host::topology& t) {
  std::vector<finding> all{
      {"machine", true,
       fmt::format("{}: {}, {} cores, {}", e.machine, e.cpu, e.cores, format_quantity(e.memory_bytes, "B"))},
      {"system", true, e.kernel + (t.system.hypervisor.empty() ? "" : ", under " + t.system.hypervisor)},
      {"program", true, fmt::format("{}, {}", e.build, e.compiler)},
      {"vector code", true, std::string(host::widest_vector_isa())}};
  const auto& governor = t.system.governor;
  const bool steady = governor.empty() || governor == "performance";
  all.push_back(
      {"frequency governor", steady,
       governor.empty()
           ? "not visible here"
           : governor +
                 (steady ? "" : ": clocks follow the load, so times vary; comparisons are interleaved")});
  const auto& pages = t.system.transparent_huge_pages;
  all.push_back(
      {"huge pages", pages != "never",
       pages.empty()
           ? "not visible here"
           : pages + (pages == "never" ? ": variants that ask for huge pages get small ones" : "")});
  return all;
}

std::vector<finding> about_instruments(laboratory& lab) {
  const auto& with = lab.instruments();
  const auto& clock = lab.clock();
  return {
      {"clock", clock.name() == "tsc",
       fmt::format("{}, resolution {}, {} per reading", clock.name(),
                   format_quantity(clock.resolution_s(), "s"), format_quantity(clock.read_cost_s(), "s"))},
      works_or_not("hardware counters", with.counters->unavailable_because(), "perf_event works"),
      works_or_not("energy", with.energy->unavailable_because(), std::string(with.energy->name()))};
}

// Returns whether a run measures this ceiling where none is kept.
bool is_essential(std::string_view id) {
  constexpr std::string_view exact[] = {"cpu.triad", "cpu.copy", "cpu.read", "storage.read"};
  return id.starts_with("cpu.fma.fp32") || std::ranges::find(exact, id) != std::end(exact);
}

std::vector<finding> about_ceilings(laboratory& lab) {
  std::vector<finding> all;
  const auto& ceilings = lab.load_ceilings().ceilings;
  int further = 0;
  for (const auto& c : ceilings) {
    if (!is_essential(c.id)) {
      ++further;
      continue;
    }
    all.push_back({fmt::format("ceiling {} ×{}", c.id, c.threads), c.note.empty(),
                   format_quantity(c.value, c.unit) + (c.variant.empty() ? "" : ", " + c.variant) +
                       (c.note.empty() ? "" : "; " + c.note)});
  }
  if (further > 0) all.push_back({"further ceilings", true, fmt::format("{} kept by `ridge peak`", further)});
  return all;
}

finding about_store(const context& program) {
  const auto opened = open_store_for_reading(program);
  if (!opened) return {"store", true, opened.why().text()};
  const auto held = (*opened)->counts();
  return {"store", true,
          fmt::format("{} runs, {} comparisons in {}", held.runs, held.comparisons, store_place(program))};
}

std::vector<finding> about_variants(const context& program) {
  auto described = describe(program.experiments.all());
  mark_unavailable(described, program.experiments.all());
  std::vector<finding> all;
  for (const auto& one : described) {
    for (const auto& v : one.variants) {
      if (!v.unavailable.empty())
        all.push_back({fmt::format("{} {}", one.id, v.name), false, "will be skipped: " + v.unavailable});
    }
  }
  return all;
}

std::vector<finding> examine(const context& program) {
  const auto topology = host::read_topology();
  auto all = about_machine(read_environment(), topology);
  const auto add = [&](std::vector<finding> more) { std::ranges::move(more, std::back_inserter(all)); };
  laboratory lab;
  add(about_instruments(lab));
  add({found_or_not("OpenBLAS", vendor::find_openblas()), found_or_not("oneDNN", vendor::find_onednn())});
  add(gpu_findings());
  add({about_store(program)});
  add(about_ceilings(lab));
  add(about_variants(program));
  return all;
}

std::string json(const std::vector<finding>& all) {
  model::json_writer out(2);
  out.begin_object().field("schema", "ridge.doctor/1").key("findings").begin_array();
  for (const auto& one : all)
    out.begin_object()
        .field("what", one.subject)
        .field("fine", one.fine)
        .field("found", one.found)
        .end_object();
  out.end_array().end_object();
  return std::move(out).take() + '\n';
}

std::string table_of(const std::vector<finding>& all, const terminal& screen) {
  report::table table({{""}, {""}, {""}});
  for (const auto& one : all)
    table.row({{one.fine ? "ok" : "--", one.fine ? report::tone::good : report::tone::doubtful},
               {one.subject},
               {one.found}});
  return table.text(layout_on(screen));
}

int doctor(const context& program, bool as_json) {
  const auto all = examine(program);
  program.print(as_json ? json(all) : table_of(all, program.out));
  return exit_code::good;
}

}  // namespace

void add_doctor(command& parent, context& program) {
  auto json = std::make_shared<bool>(false);
  parent.add("doctor", "Say what this machine offers, and what will be skipped and why")
      .flag("--json", *json, "Print one JSON object (ridge.doctor/1)")
      .runs([&program, json] { return doctor(program, *json); });
}

}  // namespace ridge::app
