// SPDX-License-Identifier: Apache-2.0
// Compares the simulation of an engine with its log, request by request; nothing is fitted.
//   rtx4090_accuracy [REQUESTS.jsonl PROFILE_FOLDER [TOKENS.jsonl]]
// By default Llama-3.1-8B on an RTX 4090 under vLLM 0.19 (serving/vllm_rtx4090 of tests/data or RIDGE_DATA).
#include <string>

#include <fmt/format.h>

#include <ridge/plan/kernels/layer_profile.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan/serve/engine_log.hpp>

#include "measured_data.hpp"

namespace ridge::plan::serving_programs {
namespace {

struct question {
  serve::engine_log_files files{};
  std::filesystem::path profile{};
};

int fail(const error& why) {
  fmt::print(stderr, "rtx4090_accuracy: {}\n", why.text());
  return 1;
}

void print(const serve::engine_log& log, const serve::twin_accuracy& accuracy) {
  fmt::print("{} on {}, {}: {} requests, {} blocks of {}\n\n", log.model, log.device, log.engine,
             log.requests.size(), log.settings.blocks, log.settings.block_size);
  fmt::print("{:<14} {:>12} {:>12} {:>8}\n", "", "measured ms", "twin ms", "error");
  for (const auto& m : accuracy.metrics) {
    fmt::print("{:<14} {:>12.1f} {:>12.1f} {:>+7.1f} %\n", m.name, 1e3 * m.measured_s, 1e3 * m.simulated_s,
               100 * m.relative_error());
  }
  fmt::print("\ncorrelation over requests: latency {:.4f}, TTFT {:.4f}, TPOT {:.4f}\n",
             accuracy.latency_correlation, accuracy.ttft_correlation, accuracy.tpot_correlation);
  fmt::print("{} steps, {} preemptions, {:.1f} % of the prompts' tokens were cached\n", accuracy.steps,
             accuracy.preemptions,
             100 * static_cast<double>(accuracy.prompt_hits) / static_cast<double>(accuracy.prompt_tokens));
  for (const auto& doubt : log.doubts) {
    fmt::print("doubt: {}\n", doubt);
  }
}

int run(const question& q) {
  const auto log = serve::read_engine_log(q.files);
  if (!log) {
    return fail(log.why());
  }
  const auto model = model_named(log->model);
  if (!model) {
    return fail(model.why());
  }
  const auto folder = kernels::find_layer_profile(q.profile, log->tensor_parallel);
  if (!folder) {
    return fail(folder.why());
  }
  const auto timer = kernels::read_layer_profile(*folder, kernels::profile_shape_of(*model));
  if (!timer) {
    return fail(timer.why());
  }
  const auto accuracy = serve::compare_with_log(*log, **timer);
  if (!accuracy) {
    return fail(accuracy.why());
  }
  print(*log, *accuracy);
  return 0;
}

}  // namespace
}  // namespace ridge::plan::serving_programs

int main(int argc, char** argv) {
  using namespace ridge::plan::serving_programs;
  using ridge::plan::measured_data;
  const auto folder = measured_data("serving/vllm_rtx4090");
  question q{.files = {.requests = folder / "Llama-3.1-8B/vllm/requests.jsonl",
                       .settings = {},
                       .tokens = measured_data("serving/vllm_rtx4090/sharegpt-llama-3.1-8b-300-sps10.jsonl")},
             .profile = folder / "profile"};
  if (argc > 2) {
    q = {.files = {.requests = argv[1], .settings = {}, .tokens = argc > 3 ? argv[3] : ""},
         .profile = argv[2]};
  }
  return run(q);
}
