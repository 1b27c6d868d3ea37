// SPDX-License-Identifier: Apache-2.0
#include "decode_skew.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include <ridge/plan/packed_file.hpp>

#include "table_file.hpp"

namespace ridge::plan::kernels {
namespace {

constexpr std::size_t any = 1000;  // a cell over all means and all ratios

std::vector<double> measured_axis(std::vector<double> values) {
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  return values;
}

// The point with the nearest ratio.
std::size_t nearest(const std::vector<double>& axis, double value) {
  const auto distance = [&](double point) { return std::abs(std::log((point + 1) / (value + 1))); };
  return static_cast<std::size_t>(std::ranges::min_element(axis, {}, distance) - axis.begin());
}

std::size_t standing_out(double mean, double longest) {
  constexpr double bins = 5;
  const auto share = longest > 0 ? std::clamp((longest - mean) / longest, 0.0, 1.0) : 0.0;
  return static_cast<std::size_t>(std::min(share * bins, bins - 1));
}

std::size_t length_of(double mean) {
  constexpr double shortest = 128, most = 3;
  return static_cast<std::size_t>(std::clamp(std::log2(std::max(mean, 1.0) / shortest) / 2, 0.0, most));
}

}  // namespace

decode_skew::cell decode_skew::cell_of(const batch& step) const {
  return {nearest(chunks_, step.chunk), nearest(decodes_, step.decodes),
          standing_out(step.mean, step.longest), length_of(step.mean)};
}

result<decode_skew> decode_skew::read(const std::filesystem::path& file) {
  auto table = table_file::read(file);
  if (!table) {
    return table.why();
  }
  std::array<std::vector<double>, 7> columns;
  constexpr std::array names{"pc", "n", "kv_mean", "kv_big", "t_mean_us", "t_max_us", "t_skew_us"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto numbers = table->numbers(names[i]);
    if (!numbers) {
      return numbers.why();
    }
    columns[i] = std::move(*numbers);
  }
  const auto& [chunk, decodes, mean, longest, at_mean, at_longest, at_skew] = columns;
  decode_skew skew;
  skew.chunks_ = measured_axis(chunk);
  skew.decodes_ = measured_axis(decodes);
  for (std::size_t row = 0; row < chunk.size(); ++row) {
    auto place = skew.cell_of({chunk[row], decodes[row], mean[row], longest[row]});
    for (int coarse = 0; coarse < 2; ++coarse) {
      auto& sum = skew.cells_[place];
      sum.above_mean += at_skew[row] - at_mean[row];
      sum.to_longest += at_longest[row] - at_mean[row];
      place[2] = place[3] = any;
    }
  }
  return skew;
}

double decode_skew::share(const batch& step) const {
  if (empty() || step.decodes < 2 || step.longest <= step.mean) {
    return 0;
  }
  auto place = cell_of(step);
  auto at = cells_.find(place);
  if (at == cells_.end()) {
    place[2] = place[3] = any;
    at = cells_.find(place);
  }
  return at != cells_.end() && at->second.to_longest > 0 ? at->second.above_mean / at->second.to_longest : 0;
}

bool declares_skew(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(plain_or_packed(folder / "skew.csv"))) {
    return false;
  }
  for (const auto& place : {folder, folder.parent_path()}) {
    std::ifstream in{place / "meta.yaml"};
    bool of_skew = false;
    for (std::string line; std::getline(in, line);) {
      if (!line.empty() && line.front() != ' ') {
        of_skew = line.starts_with("skew");
      } else if (of_skew && line.find("enabled: false") != std::string::npos) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace ridge::plan::kernels
