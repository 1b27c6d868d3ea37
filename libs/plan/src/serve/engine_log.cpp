// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/engine_log.hpp>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace ridge::plan::serve {
namespace {

using nlohmann::json;

error at_line(const std::filesystem::path& file, std::size_t line, const std::string& what) {
  return {file.string() + ":" + std::to_string(line) + ": " + what,
          "one JSON object a line: input_toks, output_toks, arrival_time, queued_ts, first_token_ts, "
          "last_token_ts"};
}

struct logged_request {
  std::uint32_t input = 0, output = 0;
  double arrival_s = 0;
  request_timing timing{};
};

std::optional<double> number(const json& row, const char* name) {
  const auto at = row.find(name);
  return at != row.end() && at->is_number() ? std::optional{at->get<double>()} : std::nullopt;
}

result<logged_request> parse_request(const json& row, const std::filesystem::path& file, std::size_t line) {
  const auto input = number(row, "input_toks");
  const auto output = number(row, "output_toks");
  const auto first = number(row, "first_token_ts");
  const auto last = number(row, "last_token_ts");
  const auto queued = number(row, "queued_ts");
  for (const auto& [name, value] : {std::pair{"input_toks", input},
                                    {"output_toks", output},
                                    {"first_token_ts", first},
                                    {"last_token_ts", last},
                                    {"queued_ts", queued}}) {
    if (!value) {
      return at_line(file, line, std::string{"no number "} + name);
    }
  }
  constexpr double most = std::numeric_limits<std::uint32_t>::max() / 4.0;
  if (!(*input >= 1 && *input <= most && *output >= 1 && *output <= most)) {
    return at_line(file, line, "input_toks and output_toks are not both from 1 to " + std::to_string(most));
  }
  logged_request r{.input = static_cast<std::uint32_t>(*input),
                   .output = static_cast<std::uint32_t>(*output)};
  r.arrival_s = number(row, "arrival_time").value_or(*queued);
  r.timing = {.queued_s = *queued, .first_token_s = *first, .last_token_s = *last, .output_tokens = r.output};
  return r;
}

// Every line of a file of JSON objects.
template <class Each>
result<void> each_line(const std::filesystem::path& file, const Each& each) {
  std::ifstream in{file};
  if (!in) {
    return error{file.string() + ": cannot be read", "give a file that exists"};
  }
  std::size_t line = 0;
  for (std::string text; std::getline(in, text);) {
    ++line;
    if (text.find_first_not_of(" \t\r") == std::string::npos) {
      continue;
    }
    const auto row = json::parse(text, nullptr, false);
    if (!row.is_object()) {
      return at_line(file, line, "no JSON object");
    }
    if (auto good = each(row, line); !good) {
      return good;
    }
  }
  return {};
}

result<std::vector<logged_request>> read_requests(const std::filesystem::path& file) {
  std::vector<logged_request> rows;
  const auto good = each_line(file, [&](const json& row, std::size_t line) -> result<void> {
    auto r = parse_request(row, file, line);
    if (!r) {
      return r.why();
    }
    rows.push_back(std::move(*r));
    return {};
  });
  if (!good) {
    return good.why();
  }
  if (rows.empty()) {
    return error{file.string() + ": no requests", "give a log with at least one request"};
  }
  return rows;
}

using token_rows = std::vector<std::vector<std::uint32_t>>;

result<token_rows> read_tokens(const std::filesystem::path& file) {
  token_rows rows;
  const auto good = each_line(file, [&](const json& row, std::size_t line) -> result<void> {
    const auto ids = row.find("input_tok_ids");
    const bool numbers = ids != row.end() && ids->is_array() &&
                         std::ranges::all_of(*ids, [](const json& id) { return id.is_number_unsigned(); });
    if (!numbers) {
      return at_line(file, line, "input_tok_ids is no list of token ids");
    }
    rows.push_back(ids->get<std::vector<std::uint32_t>>());
    return {};
  });
  if (!good) {
    return good.why();
  }
  return rows;
}

// A member of meta.json, or a doubt that says what stands in for it.
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

// vLLM keeps one block for itself: the null block of v1/core/block_pool.py.
std::uint32_t usable_blocks(std::uint32_t blocks) { return blocks > 1 ? blocks - 1 : blocks; }

void apply_settings(engine_log& log, const json& meta) {
  const run_settings run{meta, log.doubts};
  auto& s = log.settings;
  log.engine = "vllm " + run.at<std::string>("/vllm_version", "?");
  log.model = run.at<std::string>("/model", "");
  log.device = run.at<std::string>("/hardware/device_name", "", false);
  log.tensor_parallel = static_cast<int>(run.at<std::uint32_t>("/engine_kwargs/tensor_parallel_size", 1U));
  s.max_batched_tokens = run.at("/resolved_config/scheduler_config/max_num_batched_tokens",
                                run.at("/engine_kwargs/max_num_batched_tokens", s.max_batched_tokens, false));
  s.max_sequences = run.at("/resolved_config/scheduler_config/max_num_seqs",
                           run.at("/engine_kwargs/max_num_seqs", s.max_sequences, false));
  s.blocks = usable_blocks(run.at("/kv_cache/num_gpu_blocks", 0U));
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

result<void> read_settings(engine_log& log, const std::filesystem::path& file) {
  std::ifstream in{file};
  const auto meta = json::parse(in, nullptr, false);
  if (!in || !meta.is_object()) {
    return error{file.string() + ": the run's settings cannot be read as a JSON object",
                 "give the meta.json that was written beside requests.jsonl"};
  }
  apply_settings(log, meta);
  if (log.settings.blocks == 0) {
    return error{file.string() + ": /kv_cache/num_gpu_blocks is not given",
                 "the number of blocks decides how many requests run at once: add what the engine logged at "
                 "its start"};
  }
  return log.settings.check();
}

result<token_rows> tokens_of(const engine_log_files& from, const std::vector<logged_request>& rows) {
  if (from.tokens.empty()) {
    return token_rows{};
  }
  auto tokens = read_tokens(from.tokens);
  if (!tokens) {
    return tokens.why();
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r >= tokens->size() || (*tokens)[r].size() != rows[r].input) {
      return error{from.tokens.string() + ": request " + std::to_string(r) + " has not the " +
                       std::to_string(rows[r].input) + " input tokens of the log",
                   "give the dataset that the log was made with, in its order"};
    }
  }
  return tokens;
}

void fill_requests(engine_log& log, const std::vector<logged_request>& rows, const token_rows& tokens) {
  log.requests = request_table{tokens.empty() ? 0 : log.settings.block_size};
  const auto first_s = std::ranges::min(rows, {}, &logged_request::arrival_s).arrival_s;
  std::vector<std::uint64_t> blocks;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    blocks.clear();
    if (!tokens.empty()) {
      chain_blocks(tokens[r], log.settings.block_size, blocks);
    }
    log.requests.add({.arrival_s = rows[r].arrival_s - first_s,
                      .input_tokens = rows[r].input,
                      .output_tokens = rows[r].output},
                     blocks);
    log.measured.push_back(rows[r].timing);
  }
}

}  // namespace

double request_timing::tpot_s() const {
  return output_tokens > 1 ? (last_token_s - first_token_s) / (output_tokens - 1.0) : 0;
}

result<engine_log> read_engine_log(const engine_log_files& from) {
  engine_log log;
  const auto settings = from.settings.empty() ? from.requests.parent_path() / "meta.json" : from.settings;
  if (auto good = read_settings(log, settings); !good) {
    return good.why();
  }
  const auto rows = read_requests(from.requests);
  if (!rows) {
    return rows.why();
  }
  const auto tokens = tokens_of(from, *rows);
  if (!tokens) {
    return tokens.why();
  }
  if (tokens->empty() && log.settings.prefix_caching) {
    log.doubts.emplace_back("token ids are not given: no two prompts are taken to share a prefix");
  }
  fill_requests(log, *rows, *tokens);
  return log;
}

}  // namespace ridge::plan::serve
