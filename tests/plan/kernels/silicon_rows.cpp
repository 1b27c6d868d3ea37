// SPDX-License-Identifier: Apache-2.0
#include "silicon_rows.hpp"

#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include <ridge/base/csv_reader.hpp>
#include <ridge/plan/packed_file.hpp>

namespace ridge::plan_test {
namespace {

using cells = std::map<std::string, std::string>;

double number(const std::string& text) { return text.empty() ? 0 : std::strtod(text.c_str(), nullptr); }

// Formats that the rows leave out: gpt-oss is MXFP4, "-FP8" of Qwen is scaled by blocks, everything else 16
// bit.
std::string format_of(const cells& c) {
  const auto& model = c.at("model_path");
  if (model.find("gpt-oss") != std::string::npos) return "mxfp4";
  if (model.find("Qwen3-235B-A22B-FP8") != std::string::npos) return "fp8_block";
  const auto& mode = c.at("gemm_quant_mode");
  if (!mode.empty()) return mode;
  return c.at("precision").empty() ? "bf16" : c.at("precision");
}

std::string source_of(const std::string& text) {
  const auto from = text.find("source_file="), at = from == std::string::npos ? 0 : from + 12;
  return text.substr(at, text.find(';', at) - at);
}

std::int64_t clients_of(const cells& c) {
  const auto& source = c.at("silicon_data_source");
  const std::string word = "silicon_concurrency=";
  const auto at = source.find(word);
  return std::int64_t(at == std::string::npos ? number(c.at("batch_size"))
                                              : number(source.substr(at + word.size())));
}

silicon_row row_of(const cells& c) {
  silicon_row r;
  r.engine = c.at("backend"), r.version = c.at("backend_version");
  r.model = c.at("model_path"), r.gpu = c.at("system");
  r.format = format_of(c);
  r.kv_format = r.format == "fp8" ? "fp8" : "bf16";
  r.input_tokens = std::int64_t(number(c.at("isl"))), r.output_tokens = std::int64_t(number(c.at("osl")));
  r.clients = clients_of(c);
  r.tensor = std::max(1, int(number(c.at("tp_size")))),
  r.expert = std::max(1, int(number(c.at("moe_ep_size"))));
  const int shared = r.expert * std::max(1, int(number(c.at("moe_tp_size"))));
  r.data = std::max(1, shared / r.tensor);
  r.ttft_s = number(c.at("silicon_ttft_ms")) * 1e-3, r.tpot_s = number(c.at("silicon_tpot_ms")) * 1e-3;
  r.source = source_of(c.at("silicon_data_source"));
  r.random_lengths = r.source.starts_with("20");
  return r;
}

}  // namespace

bool silicon_row::held_out() const {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : configuration()) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return ((hash >> 32) & 1U) != 0;
}

result<silicon_rows> read_silicon(const std::filesystem::path& file) {
  const auto text = plan::packed_file(plan::plain_or_packed(file));
  if (!text) return error{text.why().message, "set RIDGE_DATA to the folder that has serving/silicon"};
  csv_reader reader(*text);
  std::vector<std::string> names;
  if (reader.next()) {
    for (std::size_t i = 0; i < reader.size(); ++i) names.push_back(reader.value(i));
  }
  silicon_rows all;
  while (reader.next()) {
    if (reader.size() != names.size())
      return error{fmt::format("{}:{}: {} cells where the header has {}", file.string(), reader.line(),
                               reader.size(), names.size()),
                   "fetch the file again"};
    cells c;
    for (std::size_t i = 0; i < names.size(); ++i) c[names[i]] = reader.value(i);
    if (c["mode"] == "agg")
      all.rows.push_back(row_of(c));
    else
      ++all.left_out;
  }
  return all;
}

std::filesystem::path data_folder() {
  const char* given = std::getenv("RIDGE_DATA");
  if (given != nullptr && *given != '\0') return given;
  const char* source = std::getenv("RIDGE_SOURCE_DIR");
  return std::filesystem::path(source == nullptr ? "." : source) / "../shared/data";
}

}  // namespace ridge::plan_test
