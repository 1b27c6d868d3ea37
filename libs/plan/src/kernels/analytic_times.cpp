// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <ridge/plan/kernels/efficiency.hpp>

#include "speed_of_light.hpp"

namespace ridge::plan::kernels {
namespace {

double saturation(double size, double half) { return size <= 0 ? 1 : size / (size + half); }

class datasheet_times final : public kernel_times {
 public:
  datasheet_times(const accelerator& gpu, const efficiency_catalogue& with) : gpu_(gpu), with_(with) {}

  kernel_time of(const product& p) const override {
    const auto curve = curve_of("product", p.weights.name);
    const double share = saturation(static_cast<double>(p.m), curve.half_rows) *
                         saturation(static_cast<double>(p.n), curve.half_columns) *
                         saturation(static_cast<double>(p.k), curve.half_depth);
    return bound(demand_of(p), compute_type_on(gpu_, p.weights), curve, share);
  }
  kernel_time of(const prefill_attention& a) const override { return prefill("prefill_attention", a); }
  kernel_time of(const latent_prefill& a) const override { return prefill("latent_prefill", a); }
  kernel_time of(const decode_attention& a) const override {
    return bound(demand_of(a), "bf16", curve_of("decode_attention", format_of(a.shape.kv_element_bytes)), 1);
  }
  kernel_time of(const latent_decode& a) const override {
    return bound(demand_of(a), "bf16", curve_of("latent_decode", format_of(a.shape.kv_element_bytes)), 1);
  }
  kernel_time of(const expert_products& e) const override {
    const auto curve = curve_of("experts", e.weights.name);
    const double rows =
        static_cast<double>(e.tokens * e.top_k) / static_cast<double>(std::max<std::int64_t>(e.experts, 1));
    return bound(demand_of(e), compute_type_on(gpu_, e.weights), curve, saturation(rows, curve.half_rows));
  }
  kernel_time of(const exchange& e) const override {
    if (e.ranks <= 1 || e.bytes <= 0) return {};
    const auto curve = curve_of(e.what == collective::all_reduce ? "all_reduce" : "all_to_all", "");
    return {0, e.bytes * wire_share(e.what, e.ranks) / (gpu_.scale_up_bytes_per_s * curve.bandwidth_share),
            curve.floor_s};
  }
  kernel_time elementwise(double bytes) const override {
    const auto curve = curve_of("elementwise", "");
    return {0, bytes / (gpu_.bandwidth_bytes_per_s * curve.bandwidth_share), curve.floor_s};
  }
  std::string source() const override { return gpu_.source + "; shares of it assumed"; }
  double relative_band() const override { return 0.3; }

 private:
  static std::string_view format_of(double bytes) { return bytes > 1.5 ? "bf16" : "fp8"; }

  template <class Attention>
  kernel_time prefill(std::string_view kernel, const Attention& a) const {
    const auto curve = curve_of(kernel, format_of(a.shape.kv_element_bytes));
    const double tokens = static_cast<double>(a.tokens), seen = tokens > 0 ? a.pairs / tokens : 0;
    const double share = saturation(tokens * static_cast<double>(a.shape.heads), curve.half_rows) *
                         saturation(seen, curve.half_depth);
    return bound(demand_of(a), "bf16", curve, share);
  }
  efficiency curve_of(std::string_view kernel, std::string_view format) const {
    const auto found = with_.find(gpu_, kernel, format);
    return found.entry == nullptr ? efficiency{} : found.entry->curve;
  }
  kernel_time bound(const demand& d, std::string_view type, const efficiency& curve, double share) const {
    if (d.flop <= 0) return {};
    return {d.flop / (gpu_.peak_flop_per_s(type) * curve.flop_share * share),
            d.bytes / (gpu_.bandwidth_bytes_per_s * curve.bandwidth_share), curve.floor_s};
  }

  accelerator gpu_;
  const efficiency_catalogue& with_;
};

}  // namespace

std::string_view compute_type_on(const accelerator& gpu, const number_format& weights) {
  const auto has = [&](const accelerator::peak& p) { return p.dtype == weights.compute_type; };
  return std::ranges::any_of(gpu.peaks, has) ? weights.compute_type : std::string_view{"bf16"};
}

std::shared_ptr<const kernel_times> analytic_times(const accelerator& gpu, const efficiency_catalogue& with) {
  return std::make_shared<datasheet_times>(gpu, with);
}

}  // namespace ridge::plan::kernels
