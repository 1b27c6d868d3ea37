// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/plan/gpu_name.hpp>
#include <ridge/plan_report/gpus_page.hpp>

#include "gpu_cells.hpp"

namespace ridge::plan_report {
namespace {

using report::unit;

// Collects the rows "figure, value, source, date" of one GPU.
class figures {
 public:
  explicit figures(const hardware::catalogue& catalogue) : catalogue_(catalogue) {}

  void add(const std::string& id, const std::string& label, double v, std::string_view unit_text,
           const std::string& source) {
    const auto* known = catalogue_.find_source(source);
    made.rows.push_back(
        {.values = {id, label, v, std::string(unit_text),
                    unit_text.empty()
                        ? fmt::format("{:g}", v)
                        : format_quantity(v, unit_text, unit_text == "B" || unit_text == "Hz" ? 4 : 3),
                    source, known != nullptr ? known->location : std::string(),
                    known != nullptr ? known->date : std::string()}});
  }
  void add(const std::string& id, const std::string& label, const std::optional<hardware::figure>& f,
           std::string_view unit_text) {
    if (f) return add(id, label, f->value, unit_text, f->source);
    made.rows.push_back({.values = {id, label, {}, std::string(unit_text), "unknown", "", "", ""}});
  }

  report::sheet made{.key = "specification",
                     .fields = {{"id"},
                                {"label", "figure"},
                                {"value"},
                                {"unit"},
                                {"text", "value"},
                                {"source", "source"},
                                {"where"},
                                {"date", "date"}}};

 private:
  const hardware::catalogue& catalogue_;
};

void add_board(figures& sheet, const hardware::gpu& g) {
  sheet.add("memory_bytes", "memory", g.memory_bytes, "B");
  sheet.add("bandwidth_bytes_per_s", "memory bandwidth", g.bandwidth_bytes_per_s, "B/s");
  sheet.add("l2_bytes", "L2 cache", g.l2_bytes, "B");
  sheet.add("power_w", "power limit", g.power_w, "W");
  sheet.add("multiprocessors", g.vendor == "amd" ? "compute units" : "multiprocessors", g.multiprocessors,
            "");
  sheet.add("max_clock_hz", "highest clock", g.max_clock_hz, "Hz");
}

void add_peaks(figures& sheet, const hardware::gpu& g) {
  for (const auto& p : g.peaks) {
    const auto units = p.unit == hardware::unit::matrix ? "matrix" : "vector";
    const auto add = [&](const char* kind, const std::optional<double>& peak) {
      if (peak)
        sheet.add(fmt::format("{}_{}_{}_flop_per_s", p.dtype, units, kind),
                  fmt::format("{}, {} units, {}", p.dtype, units, kind), *peak, "FLOP/s", p.source);
    };
    add("dense", p.dense_flop_per_s);
    add("sparse", p.sparse_flop_per_s);
  }
}

void add_links(figures& sheet, const hardware::gpu& g) {
  for (const auto& l : g.links)
    sheet.add(l.kind + "_bytes_per_s", l.kind + ", one direction", l.bytes_per_s, "B/s", l.source);
}

report::sheet prices_of(const gpu_offer_view& v, const hardware::gpu& g) {
  report::sheet made{.key = "prices",
                     .title = "Prices per hour",
                     .fields = {{"usd_per_hour", "per hour", unit::dollars},
                                {"terms", "terms"},
                                {"instance", "instance"},
                                {"region", "region"},
                                {"source", "source"},
                                {"date", "date"}}};
  for (const auto& p : v.prices->prices) {
    if (p.gpu == g.name)
      made.rows.push_back({.values = {p.usd_per_hour, p.terms, p.instance, p.region, p.source, p.date}});
  }
  made.empty = "no price is known; --prices FILE takes a list";
  return made;
}

report::sheet sources_of(const gpu_offer_view& v, const figures& shown) {
  constexpr std::size_t source_field = 5;
  report::sheet made{.key = "sources",
                     .title = "Sources",
                     .fields = {{"id", "source"}, {"date", "date"}, {"where", "where"}, {"what"}}};
  for (const auto& s : v.catalogue->data().sources) {
    for (const auto& row : shown.made.rows) {
      const auto* id = std::get_if<std::string>(&row.values[source_field]);
      if (id == nullptr || *id != s.id) continue;
      made.rows.push_back({.values = {s.id, s.date, s.location, s.title}});
      break;
    }
  }
  return made;
}

}  // namespace

report::document gpu_page(const gpu_offer_view& v, const hardware::gpu& g) {
  report::document d{.schema = "ridge.plan.gpu/1", .title = g.name};
  d.facts = {{"name", g.name},
             {"vendor", g.vendor},
             {"generation", std::string(plan::generation_of(g))},
             {"compute_capability", g.compute_capability},
             {"today", std::string(v.today)}};
  figures all(*v.catalogue);
  add_board(all, g);
  add_peaks(all, g);
  add_links(all, g);
  if (const auto missing = unknowns_of(g); !missing.empty())
    d.notes.push_back(fmt::format("Unknown, for no source is in reach: {}.", join(missing, ", ")));
  auto sources = sources_of(v, all);
  d.sheets = {std::move(all.made), prices_of(v, g), std::move(sources)};
  add_price_notes(d, v);
  return d;
}

}  // namespace ridge::plan_report
