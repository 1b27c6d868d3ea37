// SPDX-License-Identifier: Apache-2.0
#include "log_settings.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

namespace ridge::plan::serve {
namespace {

using nlohmann::json;

// Reads a member of meta.json; when it is absent, adds a doubt that names the assumed value.
class run_settings {
 public:
  run_settings(json meta, std::vector<std::string>& doubts) : meta_(std::move(meta)), doubts_(&doubts) {}

  template <class Value>
  Value at(const char* pointer, Value otherwise, bool doubted = true) const {
    const auto where = json::json_pointer{pointer};
    if (meta_.contains(where) && !meta_.at(where).is_null()) {
      const auto& found = meta_.at(where);
      if (fits<Value>(found)) {
        return found.template get<Value>();
      }
    }
    if (doubted) {
      doubts_->push_back(std::string{"settings do not give "} + pointer + ": " + json(otherwise).dump() +
                         " is taken");
    }
    return otherwise;
  }

 private:
  template <class Value>
  static bool fits(const json& found) {
    if constexpr (std::is_same_v<Value, bool>) {
      return found.is_boolean();
    } else if constexpr (std::is_same_v<Value, std::string>) {
      return found.is_string();
    } else if constexpr (std::is_same_v<Value, std::vector<std::uint32_t>>) {
      return found.is_array() &&
             std::ranges::all_of(found, [](const json& x) { return x.is_number_unsigned(); });
    } else {
      return found.is_number_unsigned();
    }
  }

  json meta_;
  std::vector<std::string>* doubts_;
};

// vLLM reserves one block: the null block of v1/core/block_pool.py.
std::uint32_t usable_blocks(std::uint32_t blocks) { return blocks > 1 ? blocks - 1 : blocks; }

void apply_settings(engine_log& log, const json& meta) {
  const run_settings run{meta, log.doubts};
  auto& s = log.settings;
  log.engine = "vllm " + run.at<std::string>("/vllm_version", "?");
  log.model = run.at<std::string>("/model", "");
  log.device = run.at<std::string>("/hardware/device_name", "", false);
  log.tensor_parallel = static_cast<int>(run.at<std::uint32_t>("/engine_kwargs/tensor_parallel_size", 1U));
  log.data_parallel =
      static_cast<int>(std::max(1U, run.at<std::uint32_t>("/engine_kwargs/data_parallel_size", 1U, false)));
  log.expert_parallel = run.at("/engine_kwargs/enable_expert_parallel", false, false);
  s.max_batched_tokens = run.at("/resolved_config/scheduler_config/max_num_batched_tokens",
                                run.at("/engine_kwargs/max_num_batched_tokens", s.max_batched_tokens, false));
  s.max_sequences = run.at("/resolved_config/scheduler_config/max_num_seqs",
                           run.at("/engine_kwargs/max_num_seqs", s.max_sequences, false));
  s.blocks = usable_blocks(run.at("/kv_cache/num_gpu_blocks", 0U, false));
  s.block_size = run.at("/kv_cache/block_size", s.block_size);
  s.prefix_caching = run.at("/kv_cache/enable_prefix_caching", s.prefix_caching);
  s.chunked_prefill = run.at("/resolved_config/scheduler_config/enable_chunked_prefill", s.chunked_prefill);
  s.long_prefill_tokens = run.at("/resolved_config/scheduler_config/long_prefill_token_threshold", 0U);
  s.reserve_input = run.at("/resolved_config/scheduler_config/scheduler_reserve_full_isl", s.reserve_input);
  s.async_scheduling = run.at("/resolved_config/scheduler_config/async_scheduling", s.async_scheduling);
  s.priorities = run.at<std::string>("/resolved_config/scheduler_config/policy", "fcfs") == "priority";
  s.cuda_graph_sizes =
      run.at("/resolved_config/compilation_config/cudagraph_capture_sizes", std::vector<std::uint32_t>{});
  std::ranges::sort(s.cuda_graph_sizes);
}

}  // namespace

result<void> read_log_settings(const std::filesystem::path& file, std::uint32_t blocks, engine_log& log) {
  std::ifstream in{file};
  const auto meta = json::parse(in, nullptr, false);
  if (!in || !meta.is_object()) {
    return error{file.string() + ": the run's settings cannot be read as a JSON object",
                 "give the meta.json that was written beside requests.jsonl"};
  }
  apply_settings(log, meta);
  if (blocks > 0) log.settings.blocks = blocks;
  if (log.settings.blocks == 0) {
    return error{file.string() + ": /kv_cache/num_gpu_blocks is not given",
                 "the number of blocks decides how many requests run at once: add what the engine logged at "
                 "its start, or give --blocks"};
  }
  return log.settings.check();
}

}  // namespace ridge::plan::serve
