// SPDX-License-Identifier: Apache-2.0
#include "arithmetic/chains.hpp"

#include <cmath>

#include "arithmetic/multiply_adds.hpp"
#include "tests/on_gpu.hpp"

namespace ridge::backends::probe_cuda {
namespace {

// The sum of a thread's chains, computed on the host.
template <class Step>
float sum_of_chains(unsigned thread, int rounds) {
  float sum = 0;
  for (int chain = 0; chain < chains; ++chain) {
    auto x = Step::seed(chain_index(thread, chain));
    for (int i = 0; i < rounds * longer_steps; ++i) x = std::fma(x, Step::factor, Step::addend);
    sum += static_cast<float>(x);
  }
  return sum;
}

class chains_on_gpu : public on_gpu {
 protected:
  static std::vector<float> run(chain_op op, int rounds, double& done) {
    const gpu::device_memory results(8 * chain_threads * sizeof(float));
    done = run_chains(op, {.results = results.as<float>(), .processors = 1, .rounds = rounds},
                      chain_shapes.front());
    return read<float>(results.as<float>(), chain_threads);
  }
};

TEST_F(chains_on_gpu, do_the_multiply_adds_that_they_count) {
  constexpr int rounds = 3;
  double done = 0;
  const auto single = run(chain_op::fma_fp32, rounds, done);
  EXPECT_EQ(done, 8.0 * 256 * 4 * 64 * rounds);
  const auto twice = run(chain_op::fma_fp64, rounds, done);
  for (const unsigned thread : {0u, 1u, 100u, 255u}) {
    EXPECT_EQ(single[thread], sum_of_chains<fp32_step>(thread, rounds)) << thread;
    EXPECT_EQ(twice[thread], sum_of_chains<fp64_step>(thread, rounds)) << thread;
  }
}

TEST_F(chains_on_gpu, keep_numbers_that_cost_what_numbers_cost) {
  for (const auto& work : chain_works) {
    double done = 0;
    for (const float sum : run(work.op, 50, done)) ASSERT_TRUE(std::isfinite(sum) && sum != 0) << work.id;
  }
}

TEST(fp32_step, comes_to_a_fixed_point_as_its_closed_form_says) {
  constexpr double f = fp32_step::factor, a = fp32_step::addend;
  double x = fp32_step::seed(5);
  for (int i = 0; i < 1000; ++i) x = x * f + a;
  const double power = std::pow(f, 1000);
  EXPECT_NEAR(x, power * fp32_step::seed(5) + a * (1 - power) / (1 - f), 1e-9);
}

}  // namespace
}  // namespace ridge::backends::probe_cuda
