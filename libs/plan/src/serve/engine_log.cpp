// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/engine_log.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include <ridge/plan/packed_file.hpp>

#include "log_settings.hpp"
#include "text_lines.hpp"

namespace ridge::plan::serve {
namespace {

using nlohmann::json;

error at_line(const std::filesystem::path& file, std::size_t line, const std::string& fault) {
  return {file.string() + ":" + std::to_string(line) + ": " + fault,
          "one JSON object a line: input_toks, output_toks, arrival_time, queued_ts, first_token_ts, "
          "last_token_ts"};
}

struct logged_request {
  std::uint32_t input = 0, output = 0;
  double arrival_s = 0;
  request_timing timing{};
};

std::optional<double> row_number(const json& row, const char* name) {
  const auto at = row.find(name);
  return at != row.end() && at->is_number() ? std::optional{at->get<double>()} : std::nullopt;
}

result<logged_request> parse_request(const json& row, const std::filesystem::path& file, std::size_t line) {
  const auto input = row_number(row, "input_toks");
  const auto output = row_number(row, "output_toks");
  const auto first = row_number(row, "first_token_ts");
  const auto last = row_number(row, "last_token_ts");
  const auto queued = row_number(row, "queued_ts");
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
  r.arrival_s = row_number(row, "arrival_time").value_or(*queued);
  r.timing = {.queued_s = *queued, .first_token_s = *first, .last_token_s = *last, .output_tokens = r.output};
  return r;
}

// Calls `each` for every line of a file of JSON objects, plain or gzipped.
template <class Each>
result<void> each_line(const std::filesystem::path& file, const Each& each) {
  const auto text = packed_file(file);
  if (!text) {
    return text.why();
  }
  for (text_lines lines(*text); lines.next();) {
    const auto line = static_cast<std::size_t>(lines.number());
    if (lines.line().find_first_not_of(" \t\r") == std::string_view::npos) {
      continue;
    }
    const auto row = json::parse(lines.line(), nullptr, false);
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
    rows.push_back(*r);
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
      return at_line(file, line, "input_tok_ids is not a list of token ids");
    }
    rows.push_back(ids->get<std::vector<std::uint32_t>>());
    return {};
  });
  if (!good) {
    return good.why();
  }
  return rows;
}

result<token_rows> tokens_of(const engine_log_files& files, const std::vector<logged_request>& rows) {
  if (files.tokens.empty()) {
    return token_rows{};
  }
  auto tokens = read_tokens(files.tokens);
  if (!tokens) {
    return tokens.why();
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (r >= tokens->size() || (*tokens)[r].size() != rows[r].input) {
      return error{files.tokens.string() + ": request " + std::to_string(r) + " has not the " +
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

result<engine_log> read_engine_log(const engine_log_files& files) {
  engine_log log;
  const auto settings = files.settings.empty() ? files.requests.parent_path() / "meta.json" : files.settings;
  if (auto good = read_log_settings(settings, files.blocks, log); !good) {
    return good.why();
  }
  const auto rows = read_requests(files.requests);
  if (!rows) {
    return rows.why();
  }
  const auto tokens = tokens_of(files, *rows);
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
