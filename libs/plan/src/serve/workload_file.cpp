// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/workload_file.hpp>

#include <fmt/format.h>

#include <ridge/plan/packed_file.hpp>

#include "json_scan.hpp"
#include "text_lines.hpp"
#include "workload_rows.hpp"

namespace ridge::plan::serve {
namespace {

workload_format format_of_object(std::string_view text) {
  const auto object = text.substr(0, json_value_length(text));
  if (json_member(object, "input_lens")) return workload_format::vllm_bench;
  if (json_member(object, "metadata") && json_member(object, "metrics")) return workload_format::aiperf;
  const bool mooncake = json_member(object, "timestamp") && json_member(object, "input_length");
  return mooncake ? workload_format::mooncake : workload_format::tables;
}

workload_format format_of(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == std::string_view::npos) return workload_format::tables;
  if (text[first] == '{') return format_of_object(text.substr(first));
  text_lines lines(text);
  const bool azure = lines.next() && lines.line().starts_with("TIMESTAMP,ContextTokens,GeneratedTokens");
  return azure ? workload_format::azure : workload_format::tables;
}

bool is_json(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string_view::npos && text[first] == '{';
}

result<void> read_rows(std::string_view text, const workload_file_options& options, workload_rows& rows) {
  switch (options.format) {
    case workload_format::vllm_bench:
      return read_vllm_bench_rows(text, rows);
    case workload_format::aiperf:
      return read_aiperf_rows(text, rows);
    case workload_format::mooncake:
      return read_json_rows(text, options, rows);
    case workload_format::azure:
      return read_csv_rows(text, options, rows);
    case workload_format::tables:
    case workload_format::automatic:
      break;
  }
  return is_json(text) ? read_json_rows(text, options, rows) : read_csv_rows(text, options, rows);
}

}  // namespace

std::string_view name_of(workload_format f) {
  switch (f) {
    case workload_format::automatic:
      return "automatic";
    case workload_format::azure:
      return "Azure LLM trace";
    case workload_format::mooncake:
      return "Mooncake trace";
    case workload_format::vllm_bench:
      return "vllm bench serve";
    case workload_format::aiperf:
      return "aiperf";
    case workload_format::tables:
      return "table";
  }
  return "?";
}

result<workload> parse_workload(std::string_view text, const std::string& name,
                                const workload_file_options& options) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return error{fmt::format("{}: the file is empty", name),
                 "give a trace with a time, prompt tokens and answer tokens in each row"};
  auto known = options;
  if (known.format == workload_format::automatic) known.format = format_of(text);
  workload_rows rows(name, known);
  if (const auto read = read_rows(text, known, rows); !read) {
    const auto& why = read.why();
    return why.message.starts_with(name) ? why : error{fmt::format("{}: {}", name, why.message), why.remedy};
  }
  return std::move(rows).finish(name_of(known.format));
}

result<workload> read_workload(const std::filesystem::path& file, const workload_file_options& options) {
  const auto text = packed_file(file);
  if (!text) return text.why();
  return parse_workload(*text, file.filename().string(), options);
}

}  // namespace ridge::plan::serve
