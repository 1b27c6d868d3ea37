// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/gpus_page.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/plan/gpu_name.hpp>

#include "gpu_cells.hpp"
#include "page_values.hpp"

namespace ridge::plan_report {
namespace {

using report::sheet;
using report::unit;
using report::value;

constexpr std::array<std::string_view, 6> shown_types{"tf32", "bf16", "fp16", "fp8", "int8", "fp4"};

struct priced {
  const hardware::gpu* gpu;
  const plan::gpu_price* price;
};

std::vector<priced> priced_gpus(const gpu_offer_view& v) {
  std::vector<priced> all;
  for (const auto& g : v.catalogue->data().gpus) {
    const auto* demand = v.prices->lowest(g.name);
    if (demand == nullptr) demand = v.prices->lowest(g.name, true);
    if (demand != nullptr) all.push_back({&g, demand});
  }
  std::ranges::stable_sort(all, std::greater<>(), [](const priced& p) { return p.price->usd_per_hour; });
  return all;
}

report::row priced_row(const priced& p) {
  return {.values = {p.gpu->name, p.price->usd_per_hour, p.price->use, plain_or_empty(p.gpu->memory_bytes),
                     plain_or_empty(p.gpu->bandwidth_bytes_per_s), plain_or_empty(dense_peak(*p.gpu, "bf16")),
                     plain_or_empty(dense_peak(*p.gpu, "fp16")), plain_or_empty(dense_peak(*p.gpu, "fp8")),
                     plain_or_empty(dense_peak(*p.gpu, "fp4")), p.price->terms, p.price->region,
                     p.price->source, p.price->date, join(unknowns_of(*p.gpu), ", ")}};
}

sheet priced_sheet(const gpu_offer_view& v) {
  sheet made{.key = "gpus",
             .fields = {{"name", "GPU"},
                        {"usd_per_hour", "per hour", unit::dollars},
                        {"use", "use case"},
                        {"memory_bytes", "memory", unit::bytes},
                        {"bandwidth_bytes_per_s", "bandwidth", unit::bytes_per_s},
                        {"bf16_dense_flop_per_s", "bf16 dense", unit::flop_per_s},
                        {"fp16_dense_flop_per_s", "", unit::flop_per_s},
                        {"fp8_dense_flop_per_s", "fp8 dense", unit::flop_per_s},
                        {"fp4_dense_flop_per_s", "", unit::flop_per_s},
                        {"terms"},
                        {"region"},
                        {"price_source"},
                        {"price_date"},
                        {"unknown"}}};
  for (const auto& p : priced_gpus(v)) made.rows.push_back(priced_row(p));
  return made;
}

void note_unknowns(report::document& d, const std::vector<const hardware::gpu*>& gpus) {
  for (const auto* g : gpus) {
    const auto missing = unknowns_of(*g);
    if (!missing.empty())
      d.notes.push_back(
          fmt::format("Unknown, for no source is in reach: {} of {}.", join(missing, ", "), g->name));
  }
}

sheet boards_sheet(const gpu_offer_view& v) {
  sheet made{.key = "gpus",
             .title = "Memory, links (one direction), power",
             .fields = {{"name", "GPU"},
                        {"vendor"},
                        {"generation", "generation"},
                        {"memory_bytes", "memory", unit::bytes},
                        {"bandwidth_bytes_per_s", "bandwidth", unit::bytes_per_s},
                        {"l2_bytes", "", unit::bytes},
                        {"scale_up_bytes_per_s", "NVLink, xGMI, ICI", unit::bytes_per_s},
                        {"host_bytes_per_s", "host", unit::bytes_per_s},
                        {"power_w", "power", unit::watts},
                        {"unknown", "unknown"}}};
  for (const auto& g : v.catalogue->data().gpus) {
    auto unknown = unknowns_of(g);
    if (v.prices->count_of(g.name) == 0) unknown.emplace_back("price");
    made.rows.push_back(
        {.values = {g.name, g.vendor, std::string(plan::generation_of(g)), plain_or_empty(g.memory_bytes),
                    plain_or_empty(g.bandwidth_bytes_per_s), plain_or_empty(g.l2_bytes),
                    plain_or_empty(scale_up_rate(g)), plain_or_empty(host_rate(g)), plain_or_empty(g.power_w),
                    join(unknown, ", ")}});
  }
  return made;
}

sheet peaks_sheet(const gpu_offer_view& v, const std::string& kind, const std::string& title,
                  std::optional<double> (*peak)(const hardware::gpu&, std::string_view)) {
  sheet made{.key = kind + "_peaks", .title = title, .fields = {{"name", "GPU"}}};
  for (const auto type : shown_types)
    made.fields.push_back({fmt::format("{}_{}_flop_per_s", type, kind),
                           type == "tf32" ? std::string() : std::string(type), unit::flop_per_s});
  for (const auto& g : v.catalogue->data().gpus) {
    report::row row{.values = {g.name}};
    for (const auto type : shown_types) row.values.push_back(plain_or_empty(peak(g, type)));
    if (std::ranges::any_of(shown_types, [&](auto type) { return peak(g, type).has_value(); }))
      made.rows.push_back(std::move(row));
  }
  return made;
}

report::row bought_row(const gpu_offer_view& v, const priced& p) {
  const auto* spot = v.prices->lowest(p.gpu->name, true);
  const auto* demand = v.prices->lowest(p.gpu->name);
  const auto r = ratios_of(*p.gpu, p.price);
  const auto dollars = [](const plan::gpu_price* x) {
    return x != nullptr ? value(x->usd_per_hour) : value();
  };
  return {.values = {p.gpu->name, dollars(demand), dollars(spot), plain_or_empty(r.usd_per_tflops),
                     plain_or_empty(r.usd_per_tb_per_s), plain_or_empty(r.usd_per_gb),
                     static_cast<std::int64_t>(v.prices->count_of(p.gpu->name)), p.price->terms,
                     p.price->region, p.price->source, p.price->date}};
}

sheet prices_sheet(const gpu_offer_view& v) {
  sheet made{.key = "prices",
             .title = "Prices, and what they buy (per hour; TFLOP/s are dense bf16, or fp16 without bf16)",
             .fields = {{"name", "GPU"},
                        {"usd_per_hour", "per hour", unit::dollars},
                        {"spot_usd_per_hour", "spot", unit::dollars},
                        {"usd_per_tflops_hour", "a TFLOP/s", unit::dollars},
                        {"usd_per_tb_per_s_hour", "a TB/s", unit::dollars},
                        {"usd_per_gb_hour", "a GB", unit::dollars},
                        {"prices", "", unit::count},
                        {"terms"},
                        {"region", "region"},
                        {"price_source"},
                        {"price_date", "priced"}}};
  for (const auto& p : priced_gpus(v)) made.rows.push_back(bought_row(v, p));
  return made;
}

}  // namespace

report::document priced_gpus_page(const gpu_offer_view& v) {
  report::document d{.schema = "ridge.plan.gpus/1", .title = "GPUs with a price"};
  d.facts.emplace_back("today", std::string(v.today));
  d.sheets.push_back(priced_sheet(v));
  std::vector<const hardware::gpu*> shown;
  for (const auto& p : priced_gpus(v)) shown.push_back(p.gpu);
  note_unknowns(d, shown);
  add_price_notes(d, v);
  d.notes.emplace_back(
      "Peaks are dense, of matrix units. --all shows every GPU, with sparse peaks and links; a NAME every "
      "figure "
      "with its source; --prices FILE your own prices.");
  return d;
}

report::document all_gpus_page(const gpu_offer_view& v) {
  report::document d{.schema = "ridge.plan.gpus/1", .title = "GPUs of the catalogue"};
  d.facts.emplace_back("today", std::string(v.today));
  d.sheets.push_back(boards_sheet(v));
  d.sheets.push_back(peaks_sheet(v, "dense", "Dense peaks of matrix units", dense_peak));
  d.sheets.push_back(peaks_sheet(
      v, "sparse", "Sparse peaks (2:4 structured; never comparable with dense code)", sparse_peak));
  d.sheets.push_back(prices_sheet(v));
  add_price_notes(d, v);
  d.notes.emplace_back("Blank: not there, or unknown. `ridge plan gpus NAME` shows sources.");
  return d;
}

}  // namespace ridge::plan_report
