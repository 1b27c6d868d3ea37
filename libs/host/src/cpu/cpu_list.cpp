// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/cpu_list.hpp>

#include <algorithm>
#include <optional>
#include <string>

#include <ridge/base/text.hpp>
#include <ridge/host/text_file.hpp>

namespace ridge::host {
namespace {

constexpr long long most_cpus = 8192;

bool append_range(std::string_view part, std::vector<int>& cpus) {
  const auto dash = part.find('-');
  const auto first = to_number(part.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : to_number(part.substr(dash + 1));
  if (!first || !last || *first < 0 || *last < *first || *last >= most_cpus) return false;
  for (auto cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<int>(cpu));
  return true;
}

}  // namespace

result<std::vector<int>> parse_cpu_list(std::string_view text) {
  std::vector<int> cpus;
  if (trim(text).empty()) return cpus;
  for (const auto part : split(trim(text), ',')) {
    if (!append_range(trim(part), cpus)) {
      return error{"'" + std::string(text) + "' is not a CPU list", "write it as 0-3,8"};
    }
  }
  std::ranges::sort(cpus);
  const auto repeated = std::ranges::unique(cpus);
  cpus.erase(repeated.begin(), repeated.end());
  return cpus;
}

std::string format_cpu_list(std::span<const int> cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    auto last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(cpus[i]);
    if (last > i) text += '-' + std::to_string(cpus[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace ridge::host
