// SPDX-License-Identifier: Apache-2.0
#include "rule_case.hpp"

namespace ridge::trace::fixtures {
namespace {

// An operator that launches one kernel.
struct made_op {
  std::string_view name{}, dims{}, types{}, kernel = "gemm_kernel";
  nanoseconds length = 0;
  std::array<std::uint32_t, 3> grid{1024, 1, 1};
};

constexpr std::string_view two_bf16 = R"(["c10::BFloat16", "c10::BFloat16"])",
                           two_fp32 = R"(["float", "float"])";
constexpr std::string_view squares = "[[4096, 4096], [4096, 4096]]";  // 137 GFLOP as a product

// These operators, one after the other, twenty times on Ridge One.
std::vector<trace> running(const std::vector<made_op>& ops) {
  scene s;
  s.device(ridge_one_facts());
  nanoseconds host = 0, device = 2'000'000;
  for (int round = 0; round < 20; ++round) {
    for (const auto& o : ops) {
      s.op(o.name, host, 15'000, {.input_dims = s.name(o.dims), .input_types = s.name(o.types)});
      s.kernel(o.kernel, device, o.length, 7, {.call_ns = host + 5'000, .call_length_ns = 5'000},
               {.grid = o.grid, .block = {256, 1, 1}});
      host += 20'000;
      device += o.length;
    }
  }
  return one(s);
}

std::vector<trace> product(nanoseconds length, std::string_view dims = squares,
                           std::string_view types = two_bf16,
                           std::array<std::uint32_t, 3> grid = {1024, 1, 1}) {
  return running({{"aten::mm", dims, types, "ampere_gemm_128x128_nn", length, grid}});
}

// 805 MB: 805 us at 1 TB/s.
std::vector<trace> sum(nanoseconds length) {
  return running(
      {{"aten::add", "[[8192, 8192], [8192, 8192]]", two_fp32, "vectorized_elementwise_kernel", length}});
}

std::vector<trace> experts(std::string_view tokens) {
  const auto dims = "[[" + std::string(tokens) + ", 4096], [64, 22016, 4096], [64, 4096, 11008], [" +
                    std::string(tokens) + ", 2]]";
  return running({{"vllm::rocm_aiter_fused_moe", dims, R"(["BFloat16", "BFloat16", "BFloat16", "Float"])",
                   "fused_moe_kernel", 20'000'000}});
}

constexpr std::string_view one_fp32 = R"(["float"])", wide = "[[4096, 4096]]";

std::vector<trace> chain(bool fused) {
  const made_op mul{"aten::sigmoid", wide, one_fp32, "sigmoid_kernel", 200'000},
      add{"aten::relu", wide, one_fp32, "relu_kernel", 200'000},
      gemm{"aten::mm", squares, two_bf16, "ampere_gemm_128x128_nn", 200'000};
  return running(fused ? std::vector{gemm, mul, gemm} : std::vector{mul, add, gemm});
}

std::vector<trace> attention(bool fused) {
  if (fused)
    return running({{"aten::_scaled_dot_product_flash_attention",
                     "[[1, 32, 1024, 64], [1, 32, 1024, 64], [1, 32, 1024, 64]]",
                     R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16"])", "flash_fwd_kernel", 50'000}});
  return running({{"aten::bmm", "[[32, 1024, 64], [32, 64, 1024]]", two_bf16, "gemm_qk_kernel", 100'000},
                  {"aten::_softmax", "[[32, 1024, 1024], [], []]", R"(["c10::BFloat16", "Scalar", "Scalar"])",
                   "softmax_warp_forward", 150'000},
                  {"aten::bmm", "[[32, 1024, 1024], [32, 1024, 64]]", two_bf16, "gemm_pv_kernel", 100'000}});
}

diagnose_options knowing_peaks() {
  diagnose_options options;
  options.devices = {ridge_one()};
  return options;
}

rule_case operator_case(const char* rule, std::function<std::vector<trace>()> fires,
                        std::function<std::vector<trace>()> quiet) {
  return {.rule = rule, .fires = std::move(fires), .quiet = std::move(quiet), .options = knowing_peaks()};
}

}  // namespace

std::vector<rule_case> operator_cases() {
  constexpr std::string_view smaller = "[[2048, 2048], [2048, 2048]]", odd = "[[4097, 4097], [4097, 4097]]";
  return {
      operator_case(
          "K1", [] { return sum(900'000); }, [] { return sum(2'000'000); }),
      operator_case(
          "K2", [] { return product(170'000); }, [] { return product(400'000); }),
      operator_case(
          "K6", [] { return product(400'000); }, [] { return product(170'000); }),
      operator_case(
          "K4",
          [=] {
            return product(60'000, smaller, two_bf16, {16, 1, 1});
          },
          [=] {
            return product(60'000, smaller, two_bf16, {400, 1, 1});
          }),
      operator_case(
          "K5",
          [=] {
            return product(60'000, smaller, two_bf16, {120, 1, 1});
          },
          [=] {
            return product(60'000, smaller, two_bf16, {400, 1, 1});
          }),
      operator_case(
          "K12", [] { return product(2'000'000, squares, two_fp32); }, [] { return product(400'000); }),
      operator_case(
          "K13", [=] { return product(400'000, odd); }, [] { return product(400'000); }),
      operator_case(
          "K18", [] { return chain(false); }, [] { return chain(true); }),
      operator_case(
          "K20", [] { return attention(false); }, [] { return attention(true); }),
      operator_case(
          "K21", [] { return experts("16"); }, [] { return experts("8192"); }),
      operator_case(
          "T8", [] { return product(50'000); }, [] { return product(170'000); }),
  };
}

}  // namespace ridge::trace::fixtures
