// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/prediction_band.hpp>

#include <array>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>

#include "kernels/json_members.hpp"

namespace ridge::plan::serve {
namespace {

constexpr std::string_view bands_schema = "ridge.plan.serving_bands/1";

band_entry read_entry(kernels::json_members& members, std::string& origin) {
  band_entry e;
  members.text("latency", e.latency, true);
  members.text("kernels", origin, true);
  members.number("low", e.band.low, 1e-6, 1);
  members.number("high", e.band.high, 1, 1e6);
  members.number("coverage", e.band.coverage, 0, 1);
  members.count("rows", e.band.rows);
  members.count("groups", e.band.groups);
  return e;
}

prediction_bands bands_for(const std::vector<band_entry>& all, kernel_origin origin) {
  prediction_bands made;
  for (const auto& e : all) {
    if (e.kernels != origin) continue;
    (e.latency == "ttft" ? made.ttft : e.latency == "tpot" ? made.tpot : made.e2e) = e.band;
  }
  return made;
}

}  // namespace

std::string_view name_of(kernel_origin origin) {
  return origin == kernel_origin::measured ? "measured" : "borrowed";
}

const prediction_bands& embedded_bands(kernel_origin origin) {
  static const auto both = [] {
    auto all = parse_bands(kernels::embedded_text("serving_bands.json"), "serving_bands.json");
    expects(all.ok(), all.ok() ? "" : all.why().message);
    return std::array{bands_for(*all, kernel_origin::measured), bands_for(*all, kernel_origin::borrowed)};
  }();
  return both[static_cast<std::size_t>(origin)];
}

result<std::vector<band_entry>> parse_bands(std::string_view text, std::string_view name) {
  const auto whole = kernels::parse_document(text, name, bands_schema);
  if (!whole) return whole.why();
  const auto list = whole->find("bands");
  if (list == whole->end() || !list->is_array())
    return error{fmt::format("{}: /bands: is not an array", name), "correct the file"};
  std::vector<band_entry> all;
  for (const auto& one : *list) {
    const auto place = fmt::format("/bands/{}", all.size());
    kernels::json_members from(one, std::string(name), place);
    std::string origin;
    all.push_back(read_entry(from, origin));
    if (from.wrong()) return *from.wrong();
    if (origin != name_of(kernel_origin::measured) && origin != name_of(kernel_origin::borrowed))
      return error{fmt::format("{}: {}/kernels: is neither measured nor borrowed", name, place),
                   "correct the file"};
    all.back().kernels =
        origin == name_of(kernel_origin::measured) ? kernel_origin::measured : kernel_origin::borrowed;
  }
  return all;
}

std::string bands_json(const std::vector<band_entry>& all, std::string_view source, std::string_view date) {
  nlohmann::ordered_json whole{{"schema", bands_schema},
                               {"source", source},
                               {"date", date},
                               {"bands", nlohmann::ordered_json::array()}};
  for (const auto& e : all)
    whole["bands"].push_back({{"latency", e.latency},
                              {"kernels", name_of(e.kernels)},
                              {"low", e.band.low},
                              {"high", e.band.high},
                              {"coverage", e.band.coverage},
                              {"rows", e.band.rows},
                              {"groups", e.band.groups}});
  return whole.dump(1);
}

prediction_band band_of_median(double median_error) {
  constexpr double of_normal = 1.645 / 0.6745;  // the 90 % interval's half over the median of magnitudes
  const double half = std::exp(of_normal * median_error);
  return {.low = 1 / half, .high = half};
}

}  // namespace ridge::plan::serve
