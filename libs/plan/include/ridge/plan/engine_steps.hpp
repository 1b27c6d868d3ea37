// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/engine_budget.hpp>
#include <ridge/plan/parallel_layout.hpp>

namespace ridge::plan {

// What an engine chooses for its steps and its memory where its operator says nothing.
struct engine_steps {
  std::int64_t max_batched_tokens = 0;  // of a step: --max-num-batched-tokens (vLLM), --chunked-prefill-size
                                        // (SGLang), --max_num_tokens (TensorRT-LLM)
  std::int64_t max_sequences = 0;       // at once: --max-num-seqs, --max-running-requests, --max_batch_size
  double memory_share = 0;              // as default_share()
  std::string_view source{};            // version, file and rule
};

// The choice of an engine that serves over HTTP, on a GPU of this memory:
// vLLM 0.27 (vllm/engine/arg_utils.py, get_batch_defaults): from 70 GiB on, A100 excepted, 8192 tokens and
// 1024 sequences, else 2048 and 256; 92 % of the memory.
// SGLang 0.5 (srt/server_args.py, _handle_gpu_memory_settings): 2048 tokens below 35 GiB, 4096 below 60, 8192
// below 160, else 16384, divided among ranks with data-parallel attention; its share is what 1.5 MiB a token,
// 2 MiB a sequence of its largest CUDA graph, 0.5 GiB and 1/8 GiB a GPU leave, at least 10 GiB above 60;
// sequences as running_requests() says. TensorRT-LLM 1.3 (llmapi/llm_args.py): 8192 tokens, 2048 sequences,
// 90 % of the free memory.
[[nodiscard]] engine_steps engine_steps_of(cache_engine e, const accelerator& gpu,
                                           const parallel_layout& layout = {});

// Sequences that run at once in SGLang: 512 for each request of the model's whole context that the KV cache
// holds, from 2048 to 4096 (srt/model_executor/model_runner.py); 2048 where the context is unknown (0).
[[nodiscard]] std::int64_t running_requests(std::int64_t cache_tokens, std::int64_t context_tokens);

}  // namespace ridge::plan
