// SPDX-License-Identifier: Apache-2.0
#include "gpu_cells.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "page_values.hpp"

namespace ridge::plan_report {
namespace {

const hardware::compute_peak* matrix_peak(const hardware::gpu& g, std::string_view dtype) {
  return g.peak(dtype, hardware::unit::matrix);
}

std::optional<double> first_of(const hardware::gpu& g, std::initializer_list<std::string_view> kinds) {
  for (const auto k : kinds) {
    if (const auto* link = g.link_of(k)) return link->bytes_per_s;
  }
  return {};
}

bool is_stale(const plan::gpu_price& p, std::string_view today) {
  const auto age = plan::days_between(p.date, today);
  return age && *age > plan::fresh_days;
}

// The GPUs whose prices satisfy `holds`: "H100 SXM, T4".
template <class Holds>
std::string gpus_where(const plan::price_list& prices, Holds holds) {
  std::vector<std::string> names;
  for (const auto& p : prices.prices) {
    if (holds(p) && std::ranges::find(names, p.gpu) == names.end()) names.push_back(p.gpu);
  }
  return join(names, ", ");
}

std::string oldest_of(const plan::price_list& prices) {
  std::string oldest;
  for (const auto& p : prices.prices) {
    if (oldest.empty() || plan::days_between(p.date, oldest).value_or(0) > 0) oldest = p.date;
  }
  return oldest;
}

}  // namespace

report::value plain_or_empty(const std::optional<hardware::figure>& f) {
  return plain_or_empty(f ? std::optional(f->value) : std::nullopt);
}

std::optional<double> dense_peak(const hardware::gpu& g, std::string_view dtype) {
  const auto* p = matrix_peak(g, dtype);
  return p != nullptr ? p->dense_flop_per_s : std::nullopt;
}

std::optional<double> sparse_peak(const hardware::gpu& g, std::string_view dtype) {
  const auto* p = matrix_peak(g, dtype);
  return p != nullptr ? p->sparse_flop_per_s : std::nullopt;
}

std::optional<double> scale_up_rate(const hardware::gpu& g) { return first_of(g, {"nvlink", "xgmi", "ici"}); }
std::optional<double> host_rate(const hardware::gpu& g) { return first_of(g, {"c2c", "pcie"}); }

std::vector<std::string> unknowns_of(const hardware::gpu& g) {
  std::vector<std::string> all;
  if (!g.memory_bytes) all.emplace_back("memory");
  if (!g.bandwidth_bytes_per_s) all.emplace_back("bandwidth");
  if (!g.power_w) all.emplace_back("power");
  const auto known = [](const hardware::compute_peak& p) {
    return p.unit == hardware::unit::matrix && p.dense_flop_per_s;
  };
  if (std::ranges::none_of(g.peaks, known)) all.emplace_back("matrix peaks");
  if (!host_rate(g)) all.emplace_back("host link");
  return all;
}

price_ratios ratios_of(const hardware::gpu& g, const plan::gpu_price* price) {
  if (price == nullptr) return {};
  price_ratios r;
  const auto bf16 = dense_peak(g, "bf16"), peak = bf16 ? bf16 : dense_peak(g, "fp16");
  if (peak) r.usd_per_tflops = price->usd_per_hour / (*peak / 1e12);
  if (g.bandwidth_bytes_per_s)
    r.usd_per_tb_per_s = price->usd_per_hour / (g.bandwidth_bytes_per_s->value / 1e12);
  if (g.memory_bytes) r.usd_per_gb = price->usd_per_hour / (g.memory_bytes->value / 1e9);
  return r;
}

void add_price_notes(report::document& page, const gpu_offer_view& v) {
  const auto stale = gpus_where(*v.prices, [&](const auto& p) { return is_stale(p, v.today); });
  if (!stale.empty())
    page.notes.push_back(
        fmt::format("Older than {} days (from {}): prices of {}. --prices FILE takes newer ones.",
                    plan::fresh_days, oldest_of(*v.prices), stale));
  const auto undated =
      gpus_where(*v.prices, [&](const auto& p) { return !plan::days_between(p.date, v.today); });
  if (!undated.empty()) page.notes.push_back(fmt::format("Of no known date: prices of {}.", undated));
  if (!v.prices->unknown.empty())
    page.notes.push_back(
        fmt::format("Left out, for the catalogue does not have them: {}.", join(v.prices->unknown, ", ")));
}

}  // namespace ridge::plan_report
