// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/length_classes.hpp>

#include <ridge/plan/serve/workload_generator.hpp>
#include <ridge/stats/special.hpp>

namespace ridge::plan {
namespace {

// Enough classes that the top one represents the 95th percentile.
constexpr int input_parts = 10, output_parts = 6;

// Values at the middle of classes of equal weight.
std::vector<double> quantiles(const serve::length_distribution& d, int parts) {
  if (d.kind == serve::length_distribution::shape::fixed) parts = 1;
  std::vector<double> all;
  for (int i = 0; i < parts; ++i) {
    const double u = (i + 0.5) / parts;
    all.push_back(static_cast<double>(d.at(u, stats::normal_quantile(u))));
  }
  return all;
}

}  // namespace

result<std::vector<length_class>> length_classes_of(std::string_view input, std::string_view output) {
  const auto prompts = serve::parse_lengths(input), answers = serve::parse_lengths(output);
  if (!prompts) return prompts.why();
  if (!answers) return answers.why();
  std::vector<length_class> all;
  for (const double in : quantiles(*prompts, input_parts)) {
    for (const double out : quantiles(*answers, output_parts)) all.push_back({in, out, 1});
  }
  return all;
}

}  // namespace ridge::plan
