// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "rules/operators_that.hpp"
#include "rules/rules_by_name.hpp"
#include "rules/rules_kernels.hpp"
#include "rules/rules_products.hpp"

// Rules about operators whose work and bytes a model tells, and about kernels with counters where both say
// the same thing.
namespace ridge::trace {
namespace {

std::string known_share(const std::optional<double>& x) { return x ? share_text(*x) : "an unknown part"; }

// Returns a candidate for the time to gain in a kernel that reaches the share `reached` of its limit.
candidate improvable(const evidence& e, const judged_kernel& k, double reached) {
  const auto left = std::clamp(1 - reached, 0.0, 1.0);
  return about_kernel(e, k, static_cast<nanoseconds>(static_cast<double>(k.time_ns) * left));
}

outcome k1_memory(const evidence& e, const rule& r) {
  return each_kernel(e, r, kernel_limit::dram, &verdict_figures::d, "dram", [&](const judged_kernel& k) {
    const auto d = k.verdict.figures.d.value_or(0);
    auto c = improvable(e, k, d);
    const bool at_ceiling = d >= r.limit("ceiling");
    c.alarm = false;
    c.words["reached"] = share_text(d);
    c.words["ceiling"] = at_ceiling ? ": it is at the ceiling, and only less traffic makes it faster" : "";
    c.words["advice"] =
        at_ceiling ? "Leave this kernel alone; fuse it, use a narrower type, or do not run it."
                   : "Fuse it with its neighbours, use a narrower type, recompute less, block for the cache.";
    return c;
  });
}

outcome k2_arithmetic(const evidence& e, const rule& r) {
  return each_kernel(e, r, kernel_limit::compute, &verdict_figures::f, "compute",
                     [&](const judged_kernel& k) {
                       const auto f = k.verdict.figures.f.value_or(0);
                       auto c = improvable(e, k, f);
                       c.alarm = false;
                       c.words["reached"] = share_text(f);
                       c.words["dtype"] = k.cost ? std::string(name(k.cost->model->type)) : "this type";
                       return c;
                     });
}

std::string advice_for(const std::string& stall) {
  static const std::map<std::string, std::string> by_stall{
      {"long_scoreboard",
       "It waits for memory: coalesce, reuse what is in the caches, load ahead with cp.async or TMA."},
      {"short_scoreboard", "It waits for shared memory or special functions: look for bank conflicts."},
      {"barrier", "Its warps wait for each other: even out their work, use smaller blocks."},
      {"mio_throttle",
       "Its memory instructions queue up: use wider loads and fewer shared-memory operations."},
      {"lg_throttle", "Its loads and stores queue up: use wider ones."},
      {"math_pipe_throttle", "One pipe is full: use another, or tensor cores."},
      {"wait", "Its instructions depend on each other: let each thread do several things at once."},
      {"no_instruction", "It waits for its code: unroll less."},
      {"drain", "It ends with many stores: write them earlier."},
  };
  const auto at = by_stall.find(stall);
  return at != by_stall.end()
             ? at->second
             : "More bytes in flight and more independent work per thread; counters would name the reason.";
}

// Kernels below both roofs: the nearer roof bounds the gain.
outcome k6_latency(const evidence& e, const rule& r) {
  return each_kernel(e, r, kernel_limit::latency, nullptr, "", [&](const judged_kernel& k) {
    const auto& figures = k.verdict.figures;
    auto c = improvable(e, k, std::max(figures.f.value_or(0), figures.d.value_or(0)));
    // A model tells that a kernel is far from both roofs, counters alone that latency is why.
    if (!k.counters) c.title = "Far below both roofs";
    c.words["compute"] = known_share(figures.f);
    c.words["dram"] = known_share(figures.d);
    c.words["stall"] =
        k.verdict.top_stall.empty() ? "" : fmt::format("; warps mostly wait for {}", k.verdict.top_stall);
    c.words["advice"] = advice_for(k.verdict.top_stall);
    return c;
  });
}

outcome t8_above_peak(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& k : e.kernels) {
    const auto f = k.verdict.figures.f.value_or(0), d = k.verdict.figures.d.value_or(0);
    const auto most = std::max(f, d);
    if (most <= r.limit("peak_share")) continue;
    auto c = about_kernel(e, k, 0);
    c.words["kernel"] = k.subject;
    c.words["reached"] = share_text(most);
    c.words["which"] = f > d ? "arithmetic" : "memory";
    out.found.push_back(std::move(c));
  }
  if (e.kernels.empty()) out.missing.emplace_back("shapes");
  return out;
}

// fp32 products that TF32 or bf16 would speed up. Half types are not considered: their kernels' names do not
// show reliably whether they use matrix units.
outcome k12_tensor_cores(const evidence& e, const rule& r) {
  auto out = operators_that(
      e, r,
      [&](const device_evidence& d, const op_cost& c) -> std::optional<double> {
        if (!c.matrix_eligible) return std::nullopt;
        // A product that its arithmetic does not bound is no faster in another type of the same width.
        const bool knows_arithmetic = c.place && c.place->compute_s > 0;
        if (knows_arithmetic && c.place->compute_share < r.limit("arithmetic_share")) return std::nullopt;
        auto half = *c.model;
        half.type = number_type::bf16;
        half.bytes /= 2;
        const auto expected = expected_ns(half, d.peaks);
        const auto least = 1 / r.limit("gain");
        if (expected == 0 || c.median_call_ns == 0) return least;
        return std::max(least, static_cast<double>(expected) / static_cast<double>(c.median_call_ns));
      },
      [](const device_evidence&, const op_cost&, candidate& c) {
        c.words["fit"] = "in shapes that matrix units take";
      });
  for (const auto& d : e.devices) {
    if (auto c = fp32_products_by_name(e, d, r)) out.found.push_back(std::move(*c));
  }
  if (!has(e, "shapes")) out.missing.emplace_back("shapes");
  return out;
}

// Depthwise and grouped convolutions that take several times what their bytes and arithmetic ask.
outcome k22_grouped(const evidence& e, const rule& r) {
  return operators_that(
      e, r,
      [&](const device_evidence& d, const op_cost& c) -> std::optional<double> {
        if (!c.model->convolution || c.model->convolution->groups <= 1) return std::nullopt;
        const auto expected = expected_ns(*c.model, d.peaks);
        if (expected == 0) return r.limit("left");
        const auto left = static_cast<double>(expected) / static_cast<double>(c.median_call_ns);
        return left <= 1 / r.limit("times") ? std::optional(left) : std::nullopt;
      },
      [](const device_evidence&, const op_cost& longest, candidate& c) {
        const auto& shape = *longest.model->convolution;
        c.words["kind"] = shape.depthwise() ? "depthwise" : "grouped";
        c.words["groups"] = std::to_string(shape.groups);
      });
}

struct misfit {
  const char* dimension;
  std::int64_t value;
};

std::optional<misfit> misfit_of(const gemm_shape& s, std::int64_t multiple) {
  for (const auto d : {misfit{"n", s.n}, misfit{"k", s.k}, misfit{"m", s.m}})
    if (d.value % multiple != 0) return d;
  return std::nullopt;
}

std::int64_t padded(std::int64_t x, std::int64_t multiple) {
  return multiple > 0 ? (x + multiple - 1) / multiple * multiple : x;
}

// Returns the share of the tiles' work that the result needs, with tiles of 128 x 128 where the kernel's name
// gives none.
double useful(const gemm_shape& s, const std::optional<tile_estimate>& tiles) {
  if (tiles) return tiles->padding_share;
  constexpr std::int64_t usual = 128;
  const double needs = static_cast<double>(s.m) * static_cast<double>(s.n);
  return needs / (static_cast<double>(padded(s.m, usual)) * static_cast<double>(padded(s.n, usual)));
}

// Returns what is left of a misaligned product's time once its dimensions are padded; nullopt for products
// that padding does not help: too thin for tiles at all, one group of channels at a time, or fast already.
std::optional<double> left_when_padded(const rule& r, const op_cost& c) {
  if (!c.model->matrix || !c.model->gemm || c.model->attention || c.model->moe) return std::nullopt;
  if (c.model->convolution && c.model->convolution->groups > 1) return std::nullopt;
  const auto& s = *c.model->gemm;
  constexpr std::int64_t thin = 16;
  if (std::min(s.m, s.n) < thin && !c.model->convolution) return std::nullopt;
  if (!misfit_of(s, static_cast<std::int64_t>(r.limit("multiple")))) return std::nullopt;
  if (!c.place) return useful(s, c.tiles);
  const auto reached = c.place->share, could = c.aligned_neighbour_share.value_or(0);
  if (reached >= r.limit("efficiency")) return std::nullopt;
  return reached / (could > 0 ? could : r.limit("efficiency"));
}

outcome k13_misaligned(const evidence& e, const rule& r) {
  return operators_that(
      e, r, [&](const device_evidence&, const op_cost& c) { return left_when_padded(r, c); },
      [&](const device_evidence&, const op_cost& longest, candidate& c) {
        const auto& s = *longest.model->gemm;
        const auto bad = misfit_of(s, static_cast<std::int64_t>(r.limit("multiple")));
        const auto use = useful(s, longest.tiles);
        c.words["dimension"] = bad->dimension;
        c.words["value"] = std::to_string(bad->value);
        c.words["tile"] = longest.tiles ? fmt::format("{} x {}", longest.tiles->tile.m, longest.tiles->tile.n)
                                        : "128 x 128";
        c.words["padded"] = share_text(use > 0 ? 1 / use - 1 : 0);
      });
}

// Returns how many tokens an expert needs so that reading its weights reaches the device's ridge; the rule's
// threshold where the device is not known.
double enough_tokens(const evidence& e, const judged_kernel& k, double at_least) {
  const auto d = std::ranges::find(e.devices, k.pool, &device_evidence::pool);
  if (d == e.devices.end() || d->peaks.bytes_per_s <= 0) return at_least;
  const auto type = k.cost->model->type;
  const auto intensity = d->peaks.flop_per_s(type, true) / d->peaks.bytes_per_s;
  return std::max(at_least, intensity * bytes_of(type) / 2);
}

outcome k21_experts(const evidence& e, const rule& r) {
  outcome out;
  for (const auto& k : e.kernels) {
    if (!k.cost || !k.cost->model->moe || k.share < r.limit("share")) continue;
    const auto& moe = *k.cost->model->moe;
    const auto tokens = moe.tokens_per_expert();
    if (tokens >= r.limit("tokens")) continue;
    auto c = improvable(e, k, tokens / enough_tokens(e, k, r.limit("tokens")));
    c.words["operator"] = k.subject;
    c.words["tokens"] = fmt::format("{:g}", tokens);
    c.words["experts"] = std::to_string(moe.experts);
    out.found.push_back(std::move(c));
  }
  return out;
}

constexpr bound_detector operator_rules[] = {
    {"K1", k1_memory},     {"K2", k2_arithmetic},     {"K6", k6_latency},
    {"T8", t8_above_peak}, {"K12", k12_tensor_cores}, {"K13", k13_misaligned},
    {"K21", k21_experts},  {"K22", k22_grouped},      {"K23", k23_narrow_products},
    {"K26", k26_routed}};

}  // namespace

std::span<const bound_detector> operator_detectors() { return operator_rules; }

}  // namespace ridge::trace
