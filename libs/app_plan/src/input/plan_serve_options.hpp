// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>
#include <ridge/plan/serve/objective.hpp>
#include <ridge/plan/serve/replica_plan.hpp>
#include <ridge/plan/serve/simulated_cluster.hpp>
#include <ridge/plan/serve/workload.hpp>

#include "input/plan_adapters.hpp"
#include "input/plan_input.hpp"

namespace ridge::app_plan {

// The workload: a trace, or the settings of a generator.
struct workload_choice {
  std::string trace{}, format{"auto"};
  std::vector<std::string> columns{};
  bool skip_bad = false;
  std::optional<double> rate{};
  std::string process{"poisson"};
  double burstiness = 1;
  int concurrency = 0;
  std::string think{"0"};
  std::int64_t requests = 1000;
  std::string input{"512"}, output{"128"};
  double turns = 1;
  std::string pause{"10"};
  int system_prompt = 0, tenants = 1;
  int repeat = 1;
  double scale_rate = 1, thin = 1;
  std::int64_t limit = 0;
};

// The service that is simulated.
struct service_choice {
  model_choice model{};
  gpu_choice gpu{};
  std::vector<std::string> pools{};
  int tp = 1, pp = 1, dp = 1, ep = 1, replicas = 1;
  std::string engine{"vllm"}, router{"shortest-queue"};
  double overlap_weight = 1;
  int max_batched_tokens = 0, max_sequences = 0;  // 0: the engine's default
  int block_size = 0;                             // 0: as in the trace, else 16
  std::int64_t blocks = 0;
  double utilization = 0;
  std::string kv_dtype{"bf16"}, weights_dtype{};
  double kv_cpu_gib = 0, kv_ssd_gib = 0;
  std::optional<double> kv_cpu_gbs{}, kv_ssd_gbs{};  // none: the GPU's link; unknown
  adapter_options adapters{};
  std::int64_t images = 0;
  std::string image_size{};  // empty: 1024x1024
  bool no_prefix_caching = false, no_chunked_prefill = false, priorities = false, async_scheduling = false;
  std::string speculative{}, draft_model{}, disaggregate{}, prefill{}, decode{};
  double draft_share = 0;
  std::string link{"50"};
  std::int64_t remote_prefill_from = 0;
  std::string autoscale{}, failures{}, admission{};
  std::string reject_ttft{}, deadlines{};
  std::string profile{}, tables{}, calibration{}, kernels{};
  bool any_calibration = false;
  // Without options: what fits and left-out judgements use instead of what ships; null: that.
  std::optional<plan::kernels::engine_profile> constants{};
  const plan::kernels::efficiency_catalogue* efficiencies = nullptr;
  double price = 0, busy_watts = 0, idle_watts = 0;
};

// Add the options of either to the command.
void add_workload_choice(app::command& command, workload_choice& choice);
void add_service_choice(app::command& command, service_choice& choice);

// The replica that the options describe. The error names the option that is wrong.
[[nodiscard]] result<plan::serve::replica_question> replica_of(const service_choice& c);

// The requests for one seed. The error names the option that is wrong.
[[nodiscard]] result<plan::serve::workload> workload_of(const workload_choice& c, std::uint64_t seed);

// Sets a block size that is not given: that of the trace, so that one id is looked up per block, else 16.
void take_block_size(service_choice& choice, plan::serve::workload& asked);

// Notes the requests that engines refuse because they are longer than the model's context, `longest` tokens
// (0: unknown). The error says that all are.
[[nodiscard]] result<void> name_too_long(plan::serve::workload& asked, std::int64_t longest);

// A service that can be simulated.
struct service {
  plan::serve::cluster_settings cluster{};
  plan::derivation derivation{};
  std::string text{};   // "2 x meta-llama/Llama-3.1-8B on H100 SXM, vllm"
  std::string times{};  // source of the step times
  plan::serve::prediction_bands bands{};
  int gpus = 0;
  double usd_per_gpu_hour = 0;
  std::vector<std::string> doubts{};  // of the model
};
// The service that the options describe. The error names the option that is wrong.
[[nodiscard]] result<service> service_of(const service_choice& c, std::uint64_t seed);
// Whether service_of() fails because a model leaves no room for a KV cache on its GPUs.
[[nodiscard]] bool lacks_memory(const service_choice& c);

}  // namespace ridge::app_plan
