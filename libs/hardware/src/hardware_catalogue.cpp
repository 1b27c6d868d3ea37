// SPDX-License-Identifier: Apache-2.0
#include <ridge/hardware/hardware_catalogue.hpp>

#include <algorithm>
#include <cmath>

#include <ridge/base/expects.hpp>
#include <ridge/base/text.hpp>

#include <hardware_data.hpp>

namespace ridge::hardware {
namespace {

// Drivers reserve some memory, and ECC takes a sixteenth of it when it is stored with the data.
constexpr double memory_tolerance = 0.1;

bool agrees(const std::optional<figure>& specified, double reported, double tolerance) {
  if (!specified || reported <= 0) return true;
  return std::abs(reported - specified->value) <= tolerance * specified->value;
}

bool fits(const gpu& g, const gpu_identity& reported) {
  const bool same_capability = g.compute_capability.empty() || reported.compute_capability.empty() ||
                               g.compute_capability == reported.compute_capability;
  return same_capability && agrees(g.multiprocessors, reported.multiprocessors, 0) &&
         agrees(g.memory_bytes, reported.memory_bytes, memory_tolerance);
}

bool named(const processor& p, std::string_view model) {
  return std::ranges::any_of(
      p.models, [&](const std::string& glob) { return glob_matches(lower_case(glob), lower_case(model)); });
}

template <class T>
const T* find_by_name(const std::vector<T>& all, std::string_view name) {
  const auto at = std::ranges::find(all, name, &T::name);
  return at == all.end() ? nullptr : &*at;
}

}  // namespace

const compute_peak* gpu::peak(std::string_view dtype, hardware::unit unit) const {
  const auto at =
      std::ranges::find_if(peaks, [&](const compute_peak& p) { return p.dtype == dtype && p.unit == unit; });
  return at == peaks.end() ? nullptr : &*at;
}

const link* gpu::link_of(std::string_view kind) const {
  const auto at = std::ranges::find(links, kind, &link::kind);
  return at == links.end() ? nullptr : &*at;
}

const catalogue& catalogue::embedded() {
  static const catalogue one = [] {
    const auto file = hardware_data().front();
    auto read = parse(file.text, file.name);
    expects(read.ok(), read.ok() ? "" : read.why().text());
    return std::move(read).value();
  }();
  return one;
}

const source* catalogue::find_source(std::string_view id) const {
  const auto at = std::ranges::find(data_.sources, id, &source::id);
  return at == data_.sources.end() ? nullptr : &*at;
}

const gpu* catalogue::find_gpu(const gpu_identity& reported) const {
  for (const auto& g : data_.gpus) {
    if (std::ranges::find(g.reported, reported.name) != g.reported.end() && fits(g, reported)) return &g;
  }
  if (reported.multiprocessors <= 0 || reported.memory_bytes <= 0) return nullptr;
  for (const auto& g : data_.gpus) {
    const bool decidable = !g.pattern.empty() && g.multiprocessors && g.memory_bytes;
    if (decidable && glob_matches(g.pattern, reported.name) && fits(g, reported)) return &g;
  }
  return nullptr;
}

const gpu* catalogue::gpu_named(std::string_view name) const { return find_by_name(data_.gpus, name); }

const processor* catalogue::find_processor(std::string_view vendor, std::string_view model,
                                           processor_identity identity) const {
  for (const auto& p : data_.processors) {
    const bool known = std::ranges::find(p.identities, identity) != p.identities.end();
    if (p.vendor == vendor && (known || named(p, model))) return &p;
  }
  return nullptr;
}

std::vector<price> catalogue::prices_of(std::string_view hardware) const {
  std::vector<price> all;
  std::ranges::copy_if(data_.prices, std::back_inserter(all),
                       [&](const price& p) { return p.hardware == hardware; });
  return all;
}

}  // namespace ridge::hardware
