// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <ridge/cpu/sum.hpp>
#include <ridge/harness/experiment.hpp>

#include "bytes_in_flight.hpp"

namespace ridge::experiments::ch08_bytes_in_flight {
namespace {

input<float> row(const workload& w, std::size_t index) {
  const auto begin = index * row_elements;
  return w.source.subspan(begin, std::min(row_elements, w.source.size() - begin));
}

float serial_sum(std::span<const float> x) {
  float sum = 0;
  for (const float v : x) sum += v;
  return sum;
}

float eight_sums(std::span<const float> x) {
  std::array<float, 8> sums{};
  std::size_t i = 0;
  for (; i + 8 <= x.size(); i += 8)
    for (std::size_t k = 0; k < 8; ++k) sums[k] += x[i + k];
  return serial_sum(sums) + serial_sum(x.subspan(i));
}

double expected_sum(const workload& w, std::size_t index) {
  double sum = 0;
  for (const float v : row(w, index)) sum += v;
  return sum;
}

template <float (*Sum)(std::span<const float>)>
void by(workload& w, call&) {
  for (std::size_t r = 0; r < w.sums.size(); ++r) w.sums[r] = Sum(row(w, r));
}
constexpr auto vectors_at_once =
    "a vector of sums instead of one, and eight of them: no addition waits for another";

ladder<workload> on_cpu() {
  return {
      {.name = "one_sum",
       .is = role::baseline,
       .idea = "each addition waits for the one before",
       .run = by<serial_sum>},
      {.name = "eight_sums", .idea = "eight sums: eight additions on the way", .run = by<eight_sums>},
      {.name = "one_vector",
       .idea = "a vector of sums",
       .run = by<cpu::sum_by_1_vector>,
       .explanation = vectors_at_once},
      {.name = "eight_vectors",
       .idea = "eight vectors of sums",
       .run = by<cpu::sum_by_8_vectors>,
       .explanation = vectors_at_once},
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch08.bytes_in_flight",
      .title = "Loads in flight against occupancy",
      .question = "Can low occupancy with more loads per thread win?",
      .answers = {"occupancy_tuning.cu", "occupancy_pytorch.py", "K8.1", "K8.2", "B2.4", "B8.3"},
      .tags = {"memory", "occupancy", "ilp"},
      .axes = {on_cuda(values("elements", {1 << 18, 1 << 24}, {0, 1, 3, 4095, 4096, 4097, 81923}),
                       {1 << 30})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<float>(n, normal{}), m.out<float>((n + row_elements - 1) / row_elements)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(n), writes<float>((n + row_elements - 1) / row_elements))
                .with_flop(p.real("elements"));
          },
      .oracle = each_element(&workload::sums, expected_sum),
      .element = expected_sum,
      .within = accumulation(row_elements, 0x1p-24),
      .cpu = on_cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch08_bytes_in_flight
