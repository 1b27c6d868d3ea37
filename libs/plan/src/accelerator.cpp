// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/accelerator.hpp>

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include <ridge/plan/gpu_name.hpp>

namespace ridge::plan {
namespace {

constexpr int rack_gpus = 72;  // NVL72 of GB200 and GB300
constexpr int quad_gpus = 4;   // quad GH200 node
constexpr int node_gpus = 8;   // HGX and OAM boards

struct widening {
  std::string_view type{};
  std::array<std::string_view, 5>
      next{};  // the type itself, then types that represent all its values, narrowest first
};

// bf16 and fp16 replace each other: engines load bf16 models as fp16 when the units lack bf16 (T4).
constexpr std::array<widening, 8> widenings{{{"fp4", {"fp4", "fp8", "bf16", "fp16", "fp32"}},
                                             {"fp8", {"fp8", "bf16", "fp16", "tf32", "fp32"}},
                                             {"int8", {"int8", "bf16", "fp16", "tf32", "fp32"}},
                                             {"bf16", {"bf16", "fp16", "tf32", "fp32", ""}},
                                             {"fp16", {"fp16", "bf16", "tf32", "fp32", ""}},
                                             {"tf32", {"tf32", "fp32", "", "", ""}},
                                             {"fp32", {"fp32", "", "", "", ""}},
                                             {"fp64", {"fp64", "", "", "", ""}}}};

bool is_scale_up(const hardware::link& l) {
  return l.kind == "nvlink" || l.kind == "xgmi" || l.kind == "ici";
}

int domain_of(const hardware::gpu& g) {
  if (g.name.starts_with("GB")) return rack_gpus;
  return g.name.starts_with("GH") ? quad_gpus : node_gpus;
}

double rate_of(const hardware::gpu& g, std::string_view kind) {
  const auto* link = g.link_of(kind);
  return link != nullptr ? link->bytes_per_s : 0;
}

// Dense peaks only. Types that vector lanes multiply (fp32, fp64) have the peak of those.
std::vector<accelerator::peak> dense_peaks(const hardware::gpu& g) {
  std::vector<accelerator::peak> all;
  for (const auto& p : g.peaks) {
    const bool only_lanes = p.unit == hardware::unit::vector && (p.dtype == "fp32" || p.dtype == "fp64") &&
                            g.peak(p.dtype, hardware::unit::matrix) == nullptr;
    if (p.dense_flop_per_s && (p.unit == hardware::unit::matrix || only_lanes))
      all.push_back({p.dtype, *p.dense_flop_per_s});
  }
  return all;
}

void set_links(accelerator& gpu, const hardware::gpu& g) {
  const auto at = std::ranges::find_if(g.links, is_scale_up);
  const bool alone = at == g.links.end();
  gpu.scale_up_bytes_per_s = alone ? rate_of(g, "pcie") : at->bytes_per_s;
  gpu.scale_up_size = alone ? 1 : domain_of(g);
  gpu.host_bytes_per_s = std::max(rate_of(g, "c2c"), rate_of(g, "pcie"));
}

std::string source_of(const hardware::catalogue& catalogue, const hardware::gpu& g) {
  const auto& id = g.bandwidth_bytes_per_s->source;
  const auto* source = catalogue.find_source(id);
  return source == nullptr ? fmt::format("{}: {}", g.name, id)
                           : fmt::format("{}: {} ({})", g.name, id, source->date);
}

error lacking(const hardware::gpu& g, std::string_view figure) {
  return {fmt::format("the catalogue has no {} of {}", figure, g.name),
          "add it with its source to a catalogue of your own and give that as --hardware"};
}

}  // namespace

double accelerator::peak_flop_per_s(std::string_view compute_type) const {
  const auto row = std::ranges::find(widenings, compute_type, &widening::type);
  if (row == widenings.end()) return 0;
  for (const auto type : row->next) {
    const auto at = std::ranges::find(peaks, type, &peak::dtype);
    if (at != peaks.end()) return at->flop_per_s;
  }
  return 0;
}

result<accelerator> accelerator_named(const hardware::catalogue& catalogue, std::string_view name) {
  const auto found = gpu_called(catalogue, name);
  if (!found) return found.why();
  const auto& g = **found;
  if (!g.memory_bytes) return lacking(g, "memory size");
  if (!g.bandwidth_bytes_per_s) return lacking(g, "memory bandwidth");
  accelerator made;
  made.name = g.name;
  made.generation = generation_of(g);
  made.vendor = g.vendor;
  made.peaks = dense_peaks(g);
  made.bandwidth_bytes_per_s = g.bandwidth_bytes_per_s->value;
  made.memory_bytes = g.memory_bytes->value;
  made.power_w = g.power_w ? g.power_w->value : 0;
  made.multiprocessors = g.multiprocessors ? static_cast<int>(g.multiprocessors->value) : 0;
  set_links(made, g);
  made.source = source_of(catalogue, g);
  return made;
}

}  // namespace ridge::plan
