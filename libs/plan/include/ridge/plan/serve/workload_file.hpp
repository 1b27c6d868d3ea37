// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/plan/serve/workload.hpp>

namespace ridge::plan::serve {

enum class workload_format : std::uint8_t {
  automatic,   // by what the file holds
  azure,       // CSV: TIMESTAMP, ContextTokens, GeneratedTokens (Azure LLM inference traces)
  mooncake,    // JSONL: timestamp (ms), input_length, output_length, hash_ids of 512 tokens; also Dynamo's
  vllm_bench,  // JSON of `vllm bench serve --save-detailed`: input_lens, output_lens, start_times or ttfts
  aiperf,      // profile_export.jsonl: one record a request
  tables,      // CSV or JSONL with named columns
};

[[nodiscard]] std::string_view name_of(workload_format f);

struct workload_columns {
  std::string arrival{}, prompt{}, output{}, tenant{}, session{}, priority{};  // empty: the usual names
};

struct workload_file_options {
  workload_format format{workload_format::automatic};
  workload_columns columns{};
  bool skip_bad = false;           // count rows that cannot be read instead of refusing the file
  std::uint32_t hash_tokens = 16;  // blocks into which token ids are hashed
};

// What was asked when. Times may be seconds, milliseconds or nanoseconds by the column's name (arrival_s,
// arrival_time_ns, timestamp of Mooncake), or a date. Requests that never produced a token are bad rows. The
// error names file, line and column: "trace.csv:17: ContextTokens: \"-3\" is no number of tokens".
[[nodiscard]] result<workload> read_workload(const std::filesystem::path& file,
                                             const workload_file_options& as = {});
[[nodiscard]] result<workload> parse_workload(std::string_view text, const std::string& name,
                                              const workload_file_options& as = {});

}  // namespace ridge::plan::serve
