// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>

#include "arithmetic/fp64_chains.hpp"
#include "matrix_units/fp64_operands.hpp"
#include "matrix_units/matrix_kernels.hpp"
#include "tests/on_gpu.hpp"

namespace ridge::backends::probe_cuda {
namespace {

using fp64_on_gpu = on_gpu;

float sum_of_chains(const fp64_chain_shape& shape, unsigned thread, int rounds) {
  const double factor = fp64_factor(shape.form);
  double sum = 0;
  for (int chain = 0; chain < shape.chains; ++chain) {
    double x = fp64_step::seed(static_cast<unsigned>(shape.chains) * thread + static_cast<unsigned>(chain));
    for (int i = 0; i < rounds * fp64_steps; ++i)
      x = std::fma(x, factor, adds_itself(shape.form) ? x : fp64_step::addend);
    sum += x;
  }
  return static_cast<float>(sum);
}

TEST_F(fp64_on_gpu, chains_do_the_multiply_adds_that_they_count) {
  constexpr int rounds = 3;
  const gpu::device_memory results(1024 * sizeof(float));
  for (const auto& shape : fp64_chain_shapes) {
    const double done =
        run_fp64_chains({.results = results.as<float>(), .processors = 1, .rounds = rounds}, shape);
    EXPECT_EQ(done, 1.0 * shape.chains * 64 * shape.threads * shape.blocks_per_processor * rounds)
        << shape.name;
    const auto sums = read<float>(results.as<float>(), static_cast<std::size_t>(shape.threads));
    for (const unsigned thread : {0u, 1u, 127u})
      EXPECT_EQ(sums[thread], sum_of_chains(shape, thread, rounds)) << shape.name;
  }
}

double fp64_operand(unsigned index) { return std::bit_cast<double>(fp64_bits(index)) - 3; }

// The total of all sums of the first warp's product: for each term the sum of the rows times the sum of the
// columns. Of a first operand of 16 x 16 a lane holds two rows and one of every four terms, of a second
// operand of 16 x 8 one column and the same terms (PTX ISA, fragments of mma.m16n8k16 for .f64).
double sum_of_product() {
  double all = 0;
  for (unsigned term = 0; term < 16; ++term) {
    double first = 0, second = 0;
    for (unsigned lane = term % 4; lane < 32; lane += 4) {
      first += fp64_operand(16 * lane + term / 4 * 2) + fp64_operand(16 * lane + term / 4 * 2 + 1);
      second += fp64_operand(16 * lane + 8 + term / 4);
    }
    all += first * second;
  }
  return all;
}

TEST_F(fp64_on_gpu, matrix_units_multiply) {
  if (major_ != 9) GTEST_SKIP() << "m16n8k16 is of compute capability 9.0";
  constexpr int rounds = 2, products = 16 * rounds;
  const gpu::device_memory results(block_threads * sizeof(float));
  const double done = multiply_fp64_by_warps(
      {.results = results.as<float>(), .processors = 1, .rounds = rounds}, fp64_shapes.front());
  EXPECT_EQ(done, 2.0 * 16 * 8 * 16 * products * 8);
  double sum = 0;
  for (const float one : read<float>(results.as<float>(), 32)) sum += one;
  EXPECT_NEAR(sum, products * sum_of_product(), 1e-2);
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
