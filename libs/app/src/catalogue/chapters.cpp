// SPDX-License-Identifier: Apache-2.0
#include "catalogue/chapters.hpp"

namespace ridge::app {

const std::vector<chapter>& chapters() {
  static const std::vector<chapter> all{
      {"ch01", "Performance basics"},
      {"ch02", "Hardware overview"},
      {"ch03", "System setup"},
      {"ch04", "Distributed networking"},
      {"ch05", "Storage and I/O"},
      {"ch06", "CUDA kernels"},
      {"ch07", "Memory access patterns"},
      {"ch08", "Occupancy and instruction-level parallelism"},
      {"ch09", "Arithmetic intensity and kernel fusion"},
      {"ch10", "Tensor cores and intra-kernel pipelining"},
      {"ch11", "Streams and concurrency"},
      {"ch12", "Graphs and dynamic parallelism"},
      {"ch13", "Training: profile, tune, scale"},
      {"ch14", "Compilers and kernel generation"},
      {"ch15", "Disaggregated and parallel inference"},
      {"ch16", "Inference optimization"},
      {"ch17", "Routing and disaggregated scaling"},
      {"ch18", "Attention and KV-cache decoding"},
      {"ch19", "Adaptive engine and low-precision training"},
      {"ch20", "Search and generated kernels"},
      {"labs.async_input_pipeline", "Loading that truly overlaps"},
      {"labs.blackwell_matmul", "GEMM beyond the square"},
      {"labs.distributed_training", "Sharding, pipelines and low-precision exchange"},
      {"labs.kv_optimization", "Fewer bytes per cached token"},
      {"labs.speculative_decode", "Draft and verify, exactly"},
      {"labs.ultimate_moe_inference", "One MoE model, every technique at once"},
      {"labs.engine", "A small transformer that trains and serves"},
      {"labs.flash_attention", "Backward and other head sizes"},
      {"labs.recsys_ranking", "Embedding tables"},
      {"labs.cpp_concurrency", "The host side of every engine"},
  };
  return all;
}

std::string_view chapter_of(std::string_view experiment_id) {
  const auto first = experiment_id.find('.');
  if (!experiment_id.starts_with("labs.")) return experiment_id.substr(0, first);
  return experiment_id.substr(0, experiment_id.find('.', first + 1));
}

}  // namespace ridge::app
