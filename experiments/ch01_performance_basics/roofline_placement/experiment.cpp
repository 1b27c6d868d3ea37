// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <ridge/harness/experiment.hpp>

#include "roofline_placement.hpp"

namespace ridge::experiments::ch01_roofline_placement {
namespace {

// The oracles of the six kernels compute in double precision and round each element once.
void expect_softmax_row(input<float> source, output<float> target) {
  const double most = *std::ranges::max_element(source);
  std::vector<double> exponential(source.size());
  double sum = 0;
  for (std::size_t i = 0; i < source.size(); ++i) sum += exponential[i] = std::exp(source[i] - most);
  for (std::size_t i = 0; i < source.size(); ++i) target[i] = as_float(exponential[i] / sum);
}

void expect_norm_row(input<float> source, output<float> target) {
  const auto count = as_real(source.size());
  double sum = 0, squares = 0;
  for (const float x : source) sum += x;
  const double mean = sum / count;
  for (const float x : source) squares += (x - mean) * (x - mean);
  const double scale = 1 / std::sqrt(squares / count + double{norm_epsilon});
  for (std::size_t i = 0; i < source.size(); ++i) target[i] = as_float((source[i] - mean) * scale);
}

double sum_element(const workload& w, std::size_t i) { return w.a[i] + w.b[i]; }

void expect_dot(workload& w) {
  double sum = 0;
  for (std::size_t i = 0; i < w.a.size(); ++i) sum += double{w.a[i]} * double{w.b[i]};
  w.c[0] = as_float(sum);
}

void expect_softmax(workload& w) {
  for (std::size_t i = 0; i < w.n; ++i)
    expect_softmax_row(w.a.subspan(i * w.n, w.n), w.c.subspan(i * w.n, w.n));
}

void expect_norm(workload& w) {
  for (std::size_t i = 0; i < w.n; ++i) expect_norm_row(w.a.subspan(i * w.n, w.n), w.c.subspan(i * w.n, w.n));
}

double gemv_element(const workload& w, std::size_t i) {
  double sum = 0;
  for (std::size_t j = 0; j < w.n; ++j) sum += double{w.a[i * w.n + j]} * double{w.b[j]};
  return sum;
}

// Returns one element of the product.
double gemm_element(const workload& w, std::size_t index) {
  double sum = 0;
  for (std::size_t p = 0; p < w.n; ++p)
    sum += double{w.a[index / w.n * w.n + p]} * double{w.b[p * w.n + index % w.n]};
  return sum;
}

// One kernel of the experiment: what it reads, writes and computes for n×n matrices.
struct kernel {
  std::string name{};
  std::string intensity{};                           // at n = 4096
  axis sizes{};                                      // the largest first that a plain loop does in 0.2 s
  std::function<std::size_t(std::size_t)> second{};  // elements of b
  std::function<std::size_t(std::size_t)> result{};  // elements of c
  std::function<double(double)> flop{};
  std::function<void(workload&)> oracle{};
  std::function<double(const workload&, std::size_t)> element{};
  std::function<tolerance(const problem&)> within{};
  ladder_of<workload> cpu{};
  ladder_of<workload> cuda{};
};

std::size_t none(std::size_t) { return 0; }
std::size_t one(std::size_t) { return 1; }
std::size_t row(std::size_t n) { return n; }
std::size_t square(std::size_t n) { return product(n, n); }
std::function<double(double)> per_element(double flop) {
  return [flop](double n) { return flop * n * n; };
}
tolerance row_sums(const problem& p) { return accumulation(p.real("n"), 0x1p-24); }
tolerance long_sum(const problem& p) { return accumulation(p.real("n") * p.real("n"), 0x1p-24); }
tolerance elementary(const problem&) { return {.abs = 2e-6, .rel = 2e-5}; }

experiment placed(const kernel& k) {
  return experiment_of<workload>{
      .id = "ch01.roofline_placement",
      .title = "Six kernels on the roofline: " + k.name + ", " + k.intensity + " FLOP/byte at n = 4096",
      .question = "On which side of the ridge do six kernels fall?",
      .answers = {"roofline_analysis.py", "B6.6"},
      .tags = {"roofline", "memory", "compute"},
      .axes = {choice("kernel", {k.name}), k.sizes},
      .make =
          [k](const problem& p, memory& m) {
            const auto n = p.count("n");
            return workload{n, m.in<float>(square(n), normal{}), m.in<float>(k.second(n), normal{}),
                            m.out<float>(k.result(n))};
          },
      .work =
          [k](const problem& p) {
            const auto n = p.count("n");
            return work::streaming(reads<float>(n, n) + reads<float>(k.second(n)), writes<float>(k.result(n)))
                .with_flop(k.flop(p.real("n")));
          },
      .oracle = k.oracle,
      .element = k.element,
      .within = k.within,
      .informational = true,
      .cpu = k.cpu,
      .cuda = k.cuda,
  };
}

axis sides(std::vector<std::int64_t> on_cpu, std::vector<std::int64_t> on_gpu) {
  return on_cuda(values("n", std::move(on_cpu), {0, 1, 3, 17, 65, 68}), std::move(on_gpu));
}

std::vector<kernel> kernels() {
  // On a GPU the matrices take 256 MiB, several times its second-level cache.
  const auto matrices = sides({2048, 4096, 256}, {8192, 4096});
  const auto products = sides({1024, 512, 256}, {2048, 4096, 1024});
  return {
      {"vector_add", "0.0833", matrices, square, square, per_element(1),
       each_element(&workload::c, sum_element), sum_element, [](const problem&) { return exact(); },
       vector_add_cpu, vector_add_cuda},
      {"dot", "0.25", matrices, square, one, per_element(2), expect_dot, {}, long_sum, dot_cpu, dot_cuda},
      // Per element: a comparison, a difference, an exponential, a sum and a quotient.
      {"softmax",
       "0.625",
       matrices,
       none,
       square,
       per_element(5),
       expect_softmax,
       {},
       elementary,
       softmax_cpu,
       softmax_cuda},
      // Per element: a sum; a difference, a square and a sum; a difference and a product.
      {"norm",
       "0.75",
       matrices,
       none,
       square,
       per_element(6),
       expect_norm,
       {},
       elementary,
       norm_cpu,
       norm_cuda},
      {"gemv", "0.5", matrices, row, row, per_element(2), each_element(&workload::c, gemv_element),
       gemv_element, row_sums, gemv_cpu, gemv_cuda},
      {"gemm", "682.67", products, square, square, [](double n) { return 2 * n * n * n; },
       each_element(&workload::c, gemm_element), gemm_element, row_sums, gemm_cpu, gemm_cuda},
  };
}

}  // namespace

std::vector<experiment> make() {
  std::vector<experiment> all;
  for (const auto& k : kernels()) all.push_back(placed(k));
  return all;
}

}  // namespace ridge::experiments::ch01_roofline_placement
