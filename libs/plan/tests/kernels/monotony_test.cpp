// SPDX-License-Identifier: Apache-2.0
// What no measurement may contradict: a successor is not slower, more work takes no less time, and NVLink is
// not slower than PCIe.
#include <array>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/kernels/engine_profile.hpp>
#include <ridge/plan/kernels/step_timer.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan/number_format.hpp>

namespace ridge::plan::kernels {
namespace {

accelerator catalogued_gpu(const char* name) {
  return accelerator_named(hardware::catalogue::embedded(), name).value();
}

constexpr std::array served_models{"meta-llama/Llama-3.1-8B", "Qwen/Qwen3-32B", "openai/gpt-oss-120b",
                                   "deepseek-ai/DeepSeek-V3", "Qwen/Qwen3-235B-A22B"};

std::unique_ptr<step_timer> vllm_timer(const char* gpu, const char* model, int tensor,
                                       const char* weights = "fp8") {
  step_request r{.model = model_named(model).value(), .gpu = catalogued_gpu(gpu)};
  r.layout.tensor = tensor;
  r.weight_format = weights;
  r.max_sequences = 256, r.max_context = 16384;
  apply(engine_named("vllm").value(), r);
  return make_step_timer(r, *analytic_times(r.gpu)).value();
}

serve::iteration equal_sequences(std::int64_t sequences, std::int64_t context) {
  return {.decode_sequences = sequences,
          .decode_tokens = sequences,
          .decode_context = sequences * context,
          .decode_context_max = context,
          .sampled = sequences};
}

serve::iteration one_prompt(std::int64_t tokens) {
  const auto n = static_cast<double>(tokens);
  return {.prefill_tokens = tokens, .prefill_sequences = 1, .prefill_pairs = n * (n + 1) / 2, .sampled = 1};
}

// Fits of two GPUs with the same compute units differ by a few percent.
constexpr double scatter = 1.05;

class successor : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(successor, is_not_slower_at_any_step) {
  const auto [older, newer] = GetParam();
  for (const auto* model : served_models) {
    const auto before = vllm_timer(older, model, 8), after = vllm_timer(newer, model, 8);
    for (const std::int64_t sequences : {1, 8, 64, 256})
      for (const std::int64_t context : {128, 2048, 8192}) {
        const auto step = equal_sequences(sequences, context);
        EXPECT_LE(after->seconds(step), scatter * before->seconds(step))
            << fmt::format("{}, {} sequences of {}", model, sequences, context);
      }
    for (const std::int64_t tokens : {16, 256, 2048, 8192})
      EXPECT_LE(after->seconds(one_prompt(tokens)), scatter * before->seconds(one_prompt(tokens)))
          << fmt::format("{}, a prompt of {}", model, tokens);
  }
}

INSTANTIATE_TEST_SUITE_P(gpus, successor,
                         testing::Values(std::pair("A100 SXM 80 GB", "H100 SXM"),
                                         std::pair("H100 SXM", "H200 SXM"), std::pair("H200 SXM", "B200 SXM"),
                                         std::pair("B200 SXM", "B300 SXM"),
                                         std::pair("H100 PCIe", "H100 SXM")));

TEST(monotony, more_work_never_takes_less_time) {
  for (const auto* gpu : {"A100 SXM 80 GB", "H100 SXM", "H200 SXM", "B200 SXM", "L40S", "MI300X"})
    for (const auto* model : served_models) {
      const auto timer = vllm_timer(gpu, model, 8);
      double last = 0;
      for (std::int64_t sequences = 1; sequences <= 256; sequences += sequences < 16 ? 1 : 13) {
        const double now = timer->seconds(equal_sequences(sequences, 1024));
        EXPECT_GE(now, last * (1 - 1e-9)) << gpu << ", " << model << ", sequences " << sequences;
        last = now;
      }
      last = 0;
      for (std::int64_t context = 1; context <= 16384; context += 1 + context / 7) {
        const double now = timer->seconds(equal_sequences(16, context));
        EXPECT_GE(now, last * (1 - 1e-9)) << gpu << ", " << model << ", context " << context;
        last = now;
      }
      last = 0;
      for (std::int64_t tokens = 1; tokens <= 8192; tokens += 1 + tokens / 7) {
        const double now = timer->seconds(one_prompt(tokens));
        EXPECT_GE(now, last * (1 - 1e-9)) << gpu << ", " << model << ", prompt of " << tokens;
        last = now;
      }
    }
}

TEST(monotony, a_link_of_gpus_is_not_slower_than_pcie) {
  const auto linked = analytic_times(catalogued_gpu("H100 SXM")),
             pcie = analytic_times(catalogued_gpu("L40S"));
  for (const auto kind :
       {collective::all_reduce, collective::all_gather, collective::reduce_scatter, collective::all_to_all})
    for (const int ranks : {2, 4, 8})
      for (double bytes = 1024; bytes < 1e9; bytes *= 4) {
        const exchange e{kind, bytes, ranks};
        EXPECT_LE(linked->of(e).seconds(), scatter * pcie->of(e).seconds())
            << fmt::format("{} bytes, {} ranks", bytes, ranks);
      }
}

// One sequence waits for the bytes of the weights alone: a format that was fitted on another GPU, or for
// other arithmetic, must not make fewer of them slower. Formats within a tenth of each other differ by their
// kernels.
TEST(monotony, fewer_bytes_of_weights_are_not_slower_for_one_sequence) {
  constexpr double less = 0.9;
  const auto layer_s = [](const kernel_times& times, const number_format& weights) {
    double sum = 0;  // the products of a layer of Llama 3.1 8B
    for (const auto& [n, k] :
         {std::pair(6144, 4096), std::pair(4096, 4096), std::pair(28672, 4096), std::pair(4096, 14336)})
      sum += times.of(product{.m = 1, .n = n, .k = k, .weights = weights}).seconds();
    return sum;
  };
  for (const auto* gpu : {"L40S", "L4", "RTX 4090", "RTX 5090", "RTX PRO 6000", "A100 SXM 80 GB", "T4",
                          "H100 SXM", "H200 SXM", "B200 SXM", "MI300X"}) {
    const auto times = analytic_times(catalogued_gpu(gpu));
    for (const auto& large : number_formats())
      for (const auto& small : number_formats()) {
        if (small.bytes_per_element >= less * large.bytes_per_element) continue;
        EXPECT_LE(layer_s(*times, small), layer_s(*times, large))
            << fmt::format("{}, {} and {}", gpu, small.name, large.name);
      }
  }
}

// Where products are bound by work, weights that are unpacked to 16 bits gain nothing.
TEST(monotony, fewer_bytes_of_weights_are_not_faster_for_many_rows) {
  for (const auto* gpu : {"L40S", "RTX 4090", "A100 SXM 80 GB"}) {
    const auto times = analytic_times(catalogued_gpu(gpu));
    const product wide{.m = 4096, .n = 8192, .k = 8192, .weights = number_format_named("bf16").value()};
    auto packed = wide;
    packed.weights = number_format_named("int4_g128").value();
    EXPECT_NEAR(times->of(packed).seconds(), times->of(wide).seconds(), 0.01 * times->of(wide).seconds())
        << gpu;
  }
}

// A launch of 150 us, measured with the kernel, made Blackwell slower than Hopper.
TEST(monotony, latent_attention_has_the_floor_of_a_kernel) {
  for (const auto* gpu : {"H100 SXM", "H200 SXM", "B200 SXM", "L40S"}) {
    const latent_decode one{{16, 512, 64, 128, 128, 2.0}, 1, 128, 1};
    EXPECT_LT(analytic_times(catalogued_gpu(gpu))->of(one).seconds(), 30e-6) << gpu;
  }
}

}  // namespace
}  // namespace ridge::plan::kernels
