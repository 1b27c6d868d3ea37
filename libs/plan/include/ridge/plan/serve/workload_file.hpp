// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/plan/serve/workload.hpp>

namespace ridge::plan::serve {

// The format of a file of requests.
enum class workload_format : std::uint8_t {
  automatic,   // recognised by the content of the file
  azure,       // CSV: TIMESTAMP, ContextTokens, GeneratedTokens (Azure LLM inference traces)
  mooncake,    // JSONL: timestamp (ms), input_length, output_length, hash_ids of 512 tokens; also Dynamo's
  vllm_bench,  // JSON of `vllm bench serve --save-detailed`: input_lens, output_lens, start_times or ttfts
  aiperf,      // profile_export.jsonl: one record per request
  tables,      // CSV or JSONL with named columns
};

// Its name in reports, options and JSON files.
[[nodiscard]] std::string_view name_of(workload_format f);

// Names of the columns of a table; empty: the usual names.
struct workload_columns {
  std::string arrival{}, prompt{}, output{}, tenant{}, session{}, priority{};
};

// How a file is read.
struct workload_file_options {
  workload_format format{workload_format::automatic};
  workload_columns columns{};
  bool skip_bad = false;           // skip and count rows that cannot be read instead of refusing the file
  std::uint32_t hash_tokens = 16;  // tokens per block when token ids are hashed
};

// Reads requests and their times. Times may be seconds, milliseconds or nanoseconds by the column's name
// (arrival_s, arrival_time_ns, timestamp of Mooncake), or a date. Requests without an output token are bad
// rows. The error names file, line and column: "trace.csv:17: ContextTokens: \"-3\" is not a number of
// tokens".
[[nodiscard]] result<workload> read_workload(const std::filesystem::path& file,
                                             const workload_file_options& options = {});
[[nodiscard]] result<workload> parse_workload(std::string_view text, const std::string& name,
                                              const workload_file_options& options = {});

}  // namespace ridge::plan::serve
