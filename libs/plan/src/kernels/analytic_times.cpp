// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/interconnect.hpp>
#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/number_format.hpp>

#include "as_real.hpp"
#include "speed_of_light.hpp"

namespace ridge::plan::kernels {
namespace {

double saturation(double size, double half) { return size <= 0 ? 1 : size / (size + half); }
std::string_view format_of(double bytes) { return bytes > 1.5 ? "bf16" : "fp8"; }

std::string_view name_of(collective kind) {
  switch (kind) {
    case collective::all_reduce:
      return "all_reduce";
    case collective::all_gather:
      return "all_gather";
    case collective::reduce_scatter:
      return "reduce_scatter";
    case collective::all_to_all:
      return "all_to_all";
    case collective::point_to_point:
      break;
  }
  return "point_to_point";
}

// A lender's units beside a GPU's own.
struct lending {
  double rate =
      1;  // of a multiprocessor's matrix units, over the GPU's own; 1 but for units that run at a part of it
  double intensity = 1;  // the GPU's peak per byte of bandwidth, over the lender's
};
using lendings = std::map<std::string, lending, std::less<>>;

// Of all GPUs with coefficients but the GPU itself. Products for consumers and export run at a part of the
// rate of the same units (RTX 4090: half of L40S); small differences are clocks.
lendings lendings_to(const accelerator& gpu, const efficiency_catalogue& all) {
  constexpr double limited = 1.5;
  const auto rate = [](const accelerator& g) {
    return g.multiprocessors > 0 ? g.peak_flop_per_s("bf16") / g.multiprocessors : 0;
  };
  const auto intensity = [](const accelerator& g) {
    return g.peak_flop_per_s("bf16") / g.bandwidth_bytes_per_s;
  };
  lendings by_gpu;
  for (const auto& e : all.entries) {
    if (e.gpu == gpu.name || by_gpu.contains(e.gpu)) continue;
    auto& made = by_gpu[e.gpu];
    const auto lender = accelerator_named(hardware::catalogue::embedded(), e.gpu);
    if (!lender || !(intensity(gpu) > 0) || !(intensity(*lender) > 0)) continue;
    made.intensity = intensity(gpu) / intensity(*lender);
    const double times = rate(gpu) > 0 ? rate(*lender) / rate(gpu) : 1;
    if (e.generation == gpu.generation && times >= limited) made.rate = times;
  }
  return by_gpu;
}

// Units that run at a part of the lender's rate reach a larger share of it. Few rows are slow against the
// bytes of their weights as on the lender, so that the rows of half the rate grow with the peak per byte.
efficiency borrowed(efficiency curve, const lending& from, std::string_view kernel) {
  constexpr double most = 0.97;
  const double share = std::max(curve.flop_share, std::min(most, curve.flop_share * from.rate));
  if (kernel == "product") curve.half_rows *= from.intensity * share / curve.flop_share;
  curve.flop_share = share;
  return curve;
}

// Without measurements: shares that such kernels reach on most GPUs.
efficiency assumed(std::string_view kernel) {
  if (kernel == "elementwise") return {2e-6, 0.8, 1};
  if (kernel == "point_to_point") return {10e-6, 0.8, 1};
  return {};
}

// Whose curve each kernel and format takes on one GPU. Looked up once, for a step timer asks thousands of
// times; the curve itself is read each time, since a fit changes it.
class curve_sources {
 public:
  curve_sources(const accelerator& gpu, const efficiency_catalogue& all) : lenders_(lendings_to(gpu, all)) {
    for (const auto& e : all.entries) {
      if (of_kernel(e.kernel) != nullptr) continue;
      kernels_.push_back({e.kernel, source_of(gpu, all, e.kernel, "a format that no entry has"), {}});
      for (const auto& same : all.entries)
        if (same.kernel == e.kernel)
          kernels_.back().formats.push_back({same.format, source_of(gpu, all, e.kernel, same.format)});
    }
  }
  curve_sources(const curve_sources&) = delete;
  curve_sources& operator=(const curve_sources&) = delete;
  [[nodiscard]] efficiency curve_of(std::string_view kernel, std::string_view format) const {
    const auto source = source_of(kernel, format);
    if (source.entry == nullptr) return assumed(kernel);
    return source.lent == nullptr ? source.entry->curve : borrowed(source.entry->curve, *source.lent, kernel);
  }
  // The format that its curve was fitted to; empty where it is assumed.
  [[nodiscard]] std::string_view fitted_format(std::string_view kernel, std::string_view format) const {
    const auto source = source_of(kernel, format);
    return source.entry == nullptr ? std::string_view() : source.entry->format;
  }

 private:
  struct curve_source {
    const efficiency_entry* entry = nullptr;
    const lending* lent = nullptr;  // null: the GPU's own
  };
  struct format_source {
    std::string format{};
    curve_source source{};
  };
  struct kernel_sources {
    std::string kernel{};
    curve_source other{};  // of formats that no entry of the kernel has
    std::vector<format_source> formats{};
  };
  [[nodiscard]] curve_source source_of(std::string_view kernel, std::string_view format) const {
    const auto* sources = of_kernel(kernel);
    if (sources == nullptr) return {};
    const auto own = std::ranges::find(sources->formats, format, &format_source::format);
    return own == sources->formats.end() ? sources->other : own->source;
  }
  [[nodiscard]] const kernel_sources* of_kernel(std::string_view kernel) const {
    const auto at = std::ranges::find(kernels_, kernel, &kernel_sources::kernel);
    return at == kernels_.end() ? nullptr : &*at;
  }
  [[nodiscard]] curve_source source_of(const accelerator& gpu, const efficiency_catalogue& all,
                                       std::string_view kernel, std::string_view format) const {
    const auto* entry = all.find(gpu, kernel, format).entry;
    const auto lender = lenders_.find(entry->gpu);
    return {entry, lender == lenders_.end() ? nullptr : &lender->second};
  }

  lendings lenders_;
  std::vector<kernel_sources> kernels_{};
};

// "measured here on 2026-11-27", "by shipped curves of H100 SXM, fitted 2026-11-26".
std::string table_of(const efficiency_catalogue::match& found) {
  using distance = efficiency_catalogue::match::distance;
  if (found.entry == nullptr) return "assumed";
  const auto& e = *found.entry;
  const bool own = found.nearness == distance::own;
  if (e.measured_here) return fmt::format("measured here on {}{}", e.date, own ? "" : ", on " + e.gpu);
  if (own) return fmt::format("by shipped curves of {}, fitted {}", e.gpu, e.date);
  return fmt::format("borrowed from {}, fitted {}", e.gpu, e.date);
}

std::string doubt_of_vendor(const accelerator& gpu, const std::string& lender) {
  if (kernels_of_vendor(gpu, lender)) return {};
  return fmt::format(
      "; no kernel was measured on a GPU of {}: peaks, bandwidth and links are its datasheet's, "
      "the shares of them that kernels reach another vendor's",
      gpu.vendor == "amd" ? "AMD" : gpu.vendor);
}

class datasheet_times final : public kernel_times {
 public:
  datasheet_times(const accelerator& gpu, const efficiency_catalogue& efficiencies)
      : gpu_(gpu),
        links_(usual_interconnect(gpu)),
        efficiencies_(efficiencies),
        near_(efficiencies.find(gpu, "product", "bf16")),
        curves_(gpu, efficiencies) {}

  kernel_time of(const product& p) const override {
    const auto type = compute_type_on(gpu_, p.weights);
    const auto format = product_format(p.weights, type);
    const auto curve = curve_of("product", format);
    const double cut =
        saturation(as_real(p.n), curve.half_columns) * saturation(as_real(p.k), curve.half_depth);
    const double share = cut * row_share(p, curve, fitted_bytes(format, type, p.weights), cut, type);
    return bound(demand_of(p), type, curve, share, 1);
  }
  kernel_time of(const prefill_attention& a) const override { return prefill("prefill_attention", a); }
  kernel_time of(const latent_prefill& a) const override { return prefill("latent_prefill", a); }
  kernel_time of(const decode_attention& a) const override {
    return decode("decode_attention", a, as_real(a.sequences * a.shape.kv_heads));
  }
  kernel_time of(const latent_decode& a) const override {
    return decode("latent_decode", a, as_real(a.sequences));
  }
  kernel_time of(const expert_products& e) const override {
    const auto curve = curve_of("experts", e.weights.name);
    const double rows = as_real(e.tokens * e.top_k) / as_real(std::max<std::int64_t>(e.experts, 1));
    const double share = saturation(rows, curve.half_rows) *
                         saturation(as_real(e.intermediate) / e.tensor, curve.half_columns);
    return bound(demand_of(e), compute_type_on(gpu_, e.weights), curve, share, 1);
  }
  kernel_time of(const exchange& e) const override;
  kernel_time elementwise(double bytes) const override {
    const auto curve = curve_of("elementwise", "");
    return {0, bytes / (gpu_.bandwidth_bytes_per_s * curve.bandwidth_share), curve.floor_s};
  }
  std::string source() const override;
  double relative_band() const override;

 private:
  // The format whose products stand for these weights: their own where it was fitted in the same arithmetic,
  // else that of the arithmetic alone.
  [[nodiscard]] std::string_view product_format(const number_format& weights, std::string_view type) const {
    const bool own = curves_.fitted_format("product", weights.name) == weights.name;
    return own && type == weights.compute_type ? weights.name : type;
  }
  // Bytes of a weight in the format that was fitted, where these weights are fewer bytes in its arithmetic;
  // else those of the weights.
  [[nodiscard]] double fitted_bytes(std::string_view format, std::string_view type,
                                    const number_format& weights) const {
    const auto of_curve = curves_.fitted_format("product", format);
    const auto fitted = number_format_named(of_curve.empty() ? format : of_curve);
    const bool same = fitted && fitted->compute_type == type;
    return same ? std::max(fitted->bytes_per_element, weights.bytes_per_element) : weights.bytes_per_element;
  }
  // The share of the peak that m rows reach, m / (m + half_rows). Rows too few for the bytes of the fitted
  // weights have shown no work, only that it takes no longer than those bytes. With smaller weights the work
  // of no rows is as much smaller, and grows to what was fitted where work and the fitted bytes meet.
  [[nodiscard]] double row_share(const product& p, const efficiency& curve, double fitted_bytes, double cut,
                                 std::string_view type) const {
    const double m = as_real(p.m), smaller = p.weights.bytes_per_element / fitted_bytes;
    const double as_bytes = fitted_bytes * gpu_.peak_flop_per_s(type) * curve.flop_share * cut /
                            (2 * gpu_.bandwidth_bytes_per_s * curve.bandwidth_share);
    const double meet = as_bytes - curve.half_rows, least = curve.half_rows * smaller;
    if (smaller >= 1 || m >= meet) return saturation(m, curve.half_rows);
    return saturation(m, least + m * (as_bytes - least - meet) / meet);
  }
  template <class Attention>
  kernel_time prefill(std::string_view kernel, const Attention& a) const {
    const auto curve = curve_of(kernel, format_of(a.shape.kv_element_bytes));
    const double tokens = as_real(a.tokens), seen = tokens > 0 ? a.pairs / tokens : 0;
    const double share =
        saturation(tokens * as_real(a.shape.heads), curve.half_rows) * saturation(seen, curve.half_depth);
    return bound(demand_of(a), "bf16", curve, share, 1);
  }
  // Each sequence costs as much as half_rows additional tokens; few sequences do not fill the GPU.
  template <class Attention>
  kernel_time decode(std::string_view kernel, Attention a, double parts) const {
    const auto curve = curve_of(kernel, format_of(a.shape.kv_element_bytes));
    a.context += as_real(a.sequences) * curve.half_rows;
    const double filled = saturation(parts, curve.half_columns);
    return bound(demand_of(a), "bf16", curve, filled, filled);
  }
  [[nodiscard]] efficiency curve_of(std::string_view kernel, std::string_view format) const {
    return curves_.curve_of(kernel, format);
  }
  [[nodiscard]] kernel_time bound(const demand& d, std::string_view type, const efficiency& curve,
                                  double of_flop, double of_bandwidth) const {
    if (d.bytes <= 0) return {};
    return {d.flop / (gpu_.peak_flop_per_s(type) * curve.flop_share * of_flop),
            d.bytes / (gpu_.bandwidth_bytes_per_s * curve.bandwidth_share * of_bandwidth), curve.floor_s};
  }

  accelerator gpu_;
  interconnect links_;
  const efficiency_catalogue& efficiencies_;
  efficiency_catalogue::match near_;
  curve_sources curves_;
};

// Inside the scale-up domain: the fitted curve for so many GPUs, or that of the nearest power of two with as
// many more steps. Across domains: the hierarchical formula of the links.
kernel_time datasheet_times::of(const exchange& e) const {
  if (e.ranks <= 1 || e.bytes <= 0) return {};
  constexpr int most_measured = 8;  // also over PCIe
  if (e.ranks > std::max(gpu_.scale_up_size, most_measured)) {
    switch (e.collective) {
      case collective::all_reduce:
        return {0, all_reduce_s(links_, e.bytes, e.ranks), 0};
      case collective::all_gather:
        return {0, all_gather_s(links_, e.bytes, e.ranks), 0};
      case collective::reduce_scatter:
        return {0, reduce_scatter_s(links_, e.bytes, e.ranks), 0};
      case collective::all_to_all:
        return {0, all_to_all_s(links_, e.bytes, e.ranks), 0};
      case collective::point_to_point:
        return {0, point_to_point_s(links_, e.bytes, gpu_.scale_up_size), 0};
    }
  }
  const auto measured =
      std::clamp<int>(static_cast<int>(std::bit_ceil(static_cast<unsigned>(e.ranks))), 2, most_measured);
  const auto curve = curve_of(name_of(e.collective), fmt::format("{}", measured));
  return {0,
          e.bytes * wire_share(e.collective, e.ranks) / (gpu_.scale_up_bytes_per_s * curve.bandwidth_share),
          curve.floor_s};
}

// The kernels by the table that their times stand on, in the order of their first; all-reduce by its number
// of GPUs where those stand on several.
std::string datasheet_times::source() const {
  struct named {
    std::string_view kernel, format, words;
  };
  constexpr std::array<named, 4> on_one{{{"product", "bf16", "products"},
                                         {"prefill_attention", "bf16", "prefill attention"},
                                         {"decode_attention", "bf16", "decode attention"},
                                         {"experts", "bf16", "experts"}}};
  constexpr std::array<named, 3> among{{{"all_reduce", "2", "all-reduce of 2 GPUs"},
                                        {"all_reduce", "4", "all-reduce of 4 GPUs"},
                                        {"all_reduce", "8", "all-reduce of 8 GPUs"}}};
  const auto table = [&](const named& n) { return table_of(efficiencies_.find(gpu_, n.kernel, n.format)); };
  std::vector<std::pair<std::string, std::string>> by_table;
  const auto add = [&](std::string found, std::string_view words) {
    const auto at = std::ranges::find(by_table, found, &std::pair<std::string, std::string>::first);
    if (at != by_table.end())
      at->second += fmt::format(", {}", words);
    else
      by_table.emplace_back(std::move(found), words);
  };
  for (const auto& n : on_one) add(table(n), n.words);
  if (std::ranges::all_of(among, [&](const auto& n) { return table(n) == table(among.front()); }))
    add(table(among.front()), "all-reduce");
  else
    for (const auto& n : among) add(table(n), n.words);
  const auto doubt = near_.entry == nullptr ? std::string() : doubt_of_vendor(gpu_, near_.entry->gpu);
  if (by_table.size() == 1)
    return fmt::format("{}; kernels {}{}", gpu_.source, by_table.front().first, doubt);
  auto text = gpu_.source;
  for (const auto& [found, words] : by_table) text += fmt::format("; {} {}", words, found);
  return text + doubt;
}

double datasheet_times::relative_band() const {
  using distance = efficiency_catalogue::match::distance;
  constexpr double of_generation = 0.25, of_other = 0.4;
  if (near_.nearness == distance::own) return near_.entry->p90_error;
  return near_.nearness == distance::generation ? of_generation : of_other;
}

}  // namespace

bool kernels_of_vendor(const accelerator& gpu, std::string_view lender) {
  if (gpu.vendor.empty() || gpu.name == lender) return true;
  const auto other = accelerator_named(hardware::catalogue::embedded(), lender);
  return !other || other->vendor == gpu.vendor;
}

std::string_view compute_type_on(const accelerator& gpu, const number_format& weights) {
  const auto has = [&](const accelerator::peak& p) { return p.dtype == weights.compute_type; };
  return std::ranges::any_of(gpu.peaks, has) ? weights.compute_type : std::string_view{"bf16"};
}

std::shared_ptr<const kernel_times> analytic_times(const accelerator& gpu,
                                                   const efficiency_catalogue& efficiencies) {
  return std::make_shared<datasheet_times>(gpu, efficiencies);
}

}  // namespace ridge::plan::kernels
