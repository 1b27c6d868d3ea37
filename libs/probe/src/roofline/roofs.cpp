// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/roofs.hpp>

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include <ridge/base/units.hpp>
#include <ridge/probe/roof_name.hpp>

namespace ridge::probe {
namespace {

bool is_rate(const model::ceiling& c) {
  return c.value > 0 && (c.unit == "B/s" || c.unit == "FLOP/s" || c.unit == "op/s");
}

// Rows of exactly this number of threads come before others of the same id.
bool better(const model::ceiling& a, const model::ceiling& b, int threads) {
  const bool a_exact = threads == 0 || a.threads == threads, b_exact = threads == 0 || b.threads == threads;
  return a_exact != b_exact ? a_exact : a.value > b.value;
}

std::string label_of(const model::roof& r, std::string_view access) {
  const auto rate = format_quantity(r.value, r.kind == model::roof_kind::bandwidth ? "B/s" : "FLOP/s");
  if (r.kind == model::roof_kind::bandwidth) return fmt::format("{} {} {}", r.level, access, rate);
  const bool on_gpu = r.id.starts_with("cuda.");
  return fmt::format("{}{} {}", r.dtype, on_gpu ? " " + r.units : "", rate);
}

void add_specified(model::roof& r, const std::optional<hardware::specification>& s) {
  if (!s) return;
  if (r.specified <= 0) r.specified = s->value;
  r.clock_hz = s->clock_hz;
}

model::roof measured_roof(const model::ceiling& row, const roof_name& name) {
  model::roof r{
      .id = row.id, .kind = name.kind, .level = name.level, .dtype = name.dtype, .units = name.units};
  r.value = row.value;
  r.ci = row.ci;
  r.specified = row.specified;
  r.label = label_of(r, name.access);
  return r;
}

// Returns the key of a roof: there is one roof per level, and one per type and kind of unit.
std::string key_of(const roof_name& n) { return n.level + '/' + n.dtype + '/' + n.units; }

std::map<std::string, const model::ceiling*> best_rows(const model::peak& peak, std::string_view prefix,
                                                       int threads) {
  std::map<std::string, const model::ceiling*> best;
  for (const auto& row : peak.ceilings) {
    const auto name = row.id.starts_with(prefix) && is_rate(row) ? roof_of(row.id) : std::nullopt;
    if (!name) continue;
    auto& held = best[key_of(*name)];
    if (!held || better(row, *held, threads)) held = &row;
  }
  return best;
}

// Adds roofs that were not measured but are stated by the vendor, for the levels and types that every chart
// has.
void add_stated(std::vector<model::roof>& roofs, std::string_view prefix, int threads,
                const specified_limit& specified) {
  constexpr std::array wanted{"read",     "fma.fp64", "fma.fp32", "mma.fp64", "mma.tf32",
                              "mma.bf16", "mma.fp16", "mma.fp8",  "mma.int8", "mma.fp4"};
  for (const auto* what : wanted) {
    const auto id = fmt::format("{}{}", prefix, what);
    const auto name = *roof_of(id);
    const bool there = std::ranges::any_of(roofs, [&](const model::roof& r) {
      return r.level == name.level && r.dtype == name.dtype && r.units == name.units;
    });
    const auto stated = there ? std::nullopt : specified(id, threads);
    if (!stated) continue;
    model::roof r{.id = id,
                  .kind = name.kind,
                  .origin = model::roof_origin::specified,
                  .level = name.level,
                  .dtype = name.dtype,
                  .units = name.units,
                  .value = stated->value};
    add_specified(r, stated);
    r.label = label_of(r, name.access);
    roofs.push_back(std::move(r));
  }
}

}  // namespace

double attainable(double peak, double bandwidth, double intensity) {
  if (bandwidth <= 0) return peak;
  return peak > 0 ? std::min(peak, bandwidth * intensity) : bandwidth * intensity;
}

std::vector<model::roof> roofs_of(const model::peak& peak, model::backend backend, int threads,
                                  const specified_limit& specified) {
  const auto prefix = fmt::format("{}.", name(backend));
  std::vector<model::roof> roofs;
  for (const auto& [key, row] : best_rows(peak, prefix, threads)) {
    auto r = measured_roof(*row, *roof_of(row->id));
    add_specified(r, specified(row->id, row->threads));
    roofs.push_back(std::move(r));
  }
  add_stated(roofs, prefix, threads, specified);
  std::ranges::stable_sort(roofs, [](const model::roof& a, const model::roof& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.value < b.value;
  });
  return roofs;
}

std::vector<model::ridge_point> ridges_of(const std::vector<model::roof>& roofs) {
  std::vector<model::ridge_point> ridges;
  for (const auto& b : roofs) {
    if (b.kind != model::roof_kind::bandwidth || !b.shown) continue;
    for (const auto& p : roofs) {
      if (p.kind == model::roof_kind::compute && p.shown) ridges.push_back({b.id, p.id, p.value / b.value});
    }
  }
  return ridges;
}

}  // namespace ridge::probe
