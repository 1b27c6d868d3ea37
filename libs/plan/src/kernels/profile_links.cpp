// SPDX-License-Identifier: Apache-2.0
#include "profile_links.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/read_file.hpp>
#include <ridge/base/units.hpp>
#include <ridge/plan/interconnect.hpp>
#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/packed_file.hpp>

#include "measured_curve.hpp"
#include "profile_facts.hpp"
#include "table_file.hpp"

namespace ridge::plan::kernels {
namespace {

constexpr std::array<std::pair<std::string_view, collective>, 5> collective_names{
    {{"all_reduce", collective::all_reduce},
     {"all_gather", collective::all_gather},
     {"reduce_scatter", collective::reduce_scatter},
     {"all_to_all", collective::all_to_all},
     {"point_to_point", collective::point_to_point}}};

using measured_collectives = std::map<std::pair<collective, int>, measured_curve>;

result<measured_collectives> read_collectives(const std::filesystem::path& file) {
  const auto table = table_file::read(file);
  if (!table) return table.why();
  const auto kinds = table->texts("collective");
  if (!kinds) return kinds.why();
  const auto ranks = table->numbers("ranks", 2, 1 << 20);
  if (!ranks) return ranks.why();
  const auto bytes = table->numbers("bytes", 1, 1e15);
  if (!bytes) return bytes.why();
  const auto times = table->numbers("time_us", 0, 1e9);
  if (!times) return times.why();
  measured_collectives all;
  for (std::size_t row = 0; row < kinds->size(); ++row) {
    const auto* const name =
        std::ranges::find(collective_names, (*kinds)[row], [](const auto& n) { return n.first; });
    if (name == collective_names.end())
      return error{fmt::format("{}: collective: \"{}\" is none", file.string(), (*kinds)[row]),
                   "there are: all_reduce, all_gather, reduce_scatter, all_to_all, point_to_point"};
    all[{name->second, static_cast<int>((*ranks)[row])}].add((*bytes)[row], (*times)[row] * 1e-6);
  }
  for (auto& [what, curve] : all) {
    curve.finish();
    if (curve.size() < 2)
      return error{fmt::format("{}: bytes: 1 of at least 2 sizes was measured with {} ranks", file.string(),
                               what.second),
                   "time cannot be interpolated along it; measure more of them"};
  }
  return all;
}

struct ring_link {
  double bytes_per_s = 0, latency_s = 0;
};

double ring_s(const ring_link& link, const exchange& e) {
  if (e.ranks <= 1 || e.bytes <= 0) return 0;
  if (e.collective == collective::point_to_point) return link.latency_s + e.bytes / link.bytes_per_s;
  const double hops = (e.collective == collective::all_reduce ? 2 : 1) * (e.ranks - 1.0);
  return hops * (link.latency_s + e.bytes / e.ranks / link.bytes_per_s);
}

class hardware_file {
 public:
  hardware_file(std::string name, const std::string& text)
      : name_(std::move(name)), scalars_(yaml_scalars(text)) {}

  // The link that a key of the file describes, `common` where it says nothing.
  result<ring_link> link(const std::string& key, const ring_link& common) const {
    constexpr double gibibyte = 1 << 30, nanosecond = 1e-9;
    const auto bandwidth = number(key + "/link_bw", 1e-6, 1e6);
    if (!bandwidth) return bandwidth.why();
    const auto latency = number(key + "/link_latency", 0, 1e9);
    if (!latency) return latency.why();
    return ring_link{bandwidth->has_value() ? **bandwidth * gibibyte : common.bytes_per_s,
                     latency->has_value() ? **latency * nanosecond : common.latency_s};
  }

 private:
  // Nothing where the file has no such key, or null.
  [[nodiscard]] result<std::optional<double>> number(const std::string& key, double least,
                                                     double most) const {
    auto at = scalars_.find(key);
    if (at == scalars_.end()) at = scalars_.find(key + "/value");
    if (at == scalars_.end() || at->second == "null" || at->second == "~") return std::optional<double>{};
    const auto& text = at->second;
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code == std::errc{} && end == text.data() + text.size() && value >= least && value <= most)
      return std::optional<double>{value};
    return error{fmt::format("{}: {}: \"{}\" is not a number between {:.6g} and {:.6g}", name_, key, text,
                             least, most),
                 "give GiB/s and ns, or leave it out"};
  }

  std::string name_;
  std::map<std::string, std::string> scalars_;
};

// Nothing where the file names no link.
result<std::optional<profile_links>> links_of_hardware(const std::filesystem::path& folder) {
  const auto file = file_above(folder, "hardware.yaml");
  if (file.empty()) return std::optional<profile_links>{};
  const auto text = read_file(file);
  if (!text) return text.why();
  const hardware_file hardware{file.string(), *text};
  const auto common = hardware.link("defaults", {});
  if (!common) return common.why();
  std::map<collective, ring_link> links;
  for (const auto& [name, kind] : collective_names) {
    const auto link = hardware.link(fmt::format("defaults/collective_links/{}", name), *common);
    if (!link) return link.why();
    if (link->bytes_per_s > 0) links[kind] = *link;
  }
  if (links.size() < collective_names.size()) return std::optional<profile_links>{};
  return std::optional<profile_links>{
      {[links](const exchange& e) { return ring_s(links.at(e.collective), e); }, file.string()}};
}

double pcie_s(const interconnect& links, const exchange& e) {
  switch (e.collective) {
    case collective::all_reduce:
      return all_reduce_s(links, e.bytes, e.ranks);
    case collective::all_gather:
      return all_gather_s(links, e.bytes, e.ranks);
    case collective::reduce_scatter:
      return reduce_scatter_s(links, e.bytes, e.ranks);
    case collective::all_to_all:
      return all_to_all_s(links, e.bytes, e.ranks);
    case collective::point_to_point:
      break;
  }
  return point_to_point_s(links, e.bytes, 1);
}

profile_links links_of_catalogue(const accelerator& gpu) {
  using distance = efficiency_catalogue::match::distance;
  const bool measured = embedded_efficiencies().find(gpu, "all_reduce", "2").nearness == distance::own;
  if (measured || gpu.scale_up_size > 1) {
    auto times = analytic_times(gpu);
    return {[times](const exchange& e) { return times->of(e).seconds(); }, times->source()};
  }
  const auto links = usual_interconnect(gpu);
  return {[links](const exchange& e) { return e.bytes > 0 && e.ranks > 1 ? pcie_s(links, e) : 0; },
          fmt::format("{} a direction of PCIe: {}", format_quantity(gpu.scale_up_bytes_per_s, "B/s"),
                      links.tiers.front().source)};
}

}  // namespace

result<profile_links> links_of_profile(const std::filesystem::path& folder, const accelerator& gpu) {
  const auto hardware = links_of_hardware(folder);
  if (!hardware) return hardware.why();
  auto links = hardware->has_value() ? **hardware : links_of_catalogue(gpu);
  const auto file = plain_or_packed(folder / "collectives.csv");
  if (!std::filesystem::exists(file)) return links;
  const auto measured = read_collectives(file);
  if (!measured) return measured.why();
  auto other = std::move(links.seconds);
  links.seconds = [all = *measured, other = std::move(other)](const exchange& e) {
    const auto at = all.find({e.collective, e.ranks});
    if (at == all.end() || e.bytes <= 0) return other(e);
    return at->second.at(e.bytes, [](double bytes) { return bytes; });
  };
  links.source = fmt::format("{}; others: {}", file.string(), links.source);
  return links;
}

}  // namespace ridge::plan::kernels
