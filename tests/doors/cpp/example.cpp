// SPDX-License-Identifier: Apache-2.0
#include <ridge/bench.hpp>

#include <numeric>
#include <vector>

int main() {
  const std::vector<double> x(4096, 1.5);
  double sum = 0;
  const auto one_by_one = [&] { sum = std::accumulate(x.begin(), x.end(), 0.0); };
  const auto in_pairs = [&] {
    sum = std::inner_product(x.begin(), x.begin() + 2048, x.begin() + 2048, 0.0, std::plus{}, std::plus{});
  };
  const auto result =
      ridge::compare("one by one", one_by_one, "in pairs", in_pairs, {.check = [&] { return sum == 6144; }});
  return result.worse() || result.invalid();
}
