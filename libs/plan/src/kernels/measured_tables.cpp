// SPDX-License-Identifier: Apache-2.0
#include "measured_tables.hpp"

#include <algorithm>
#include <set>

#include "table_file.hpp"

namespace ridge::plan::kernels {
namespace {

namespace fs = std::filesystem;

constexpr double seconds_per_ms = 1e-3;

// Names of formats in the tables, and ours.
std::string format_of(std::string_view word) {
  static const std::map<std::string_view, std::string> ours{
      {"bfloat16", "bf16"}, {"half", "bf16"}, {"w4a16_mxfp4", "mxfp4"}, {"int4_wo", "int4_g128"}};
  const auto at = ours.find(word);
  return at == ours.end() ? std::string(word) : at->second;
}

// Reads the numeric columns of a file by name, and text columns on request.
struct table_columns {
  std::vector<std::vector<double>> numbers{};
  std::vector<std::vector<std::string_view>> texts{};
};

result<table_columns> columns(const table_file& f, std::initializer_list<std::string_view> numbers,
                              std::initializer_list<std::string_view> texts) {
  table_columns c;
  for (const auto name : numbers) {
    auto column = f.numbers(name);
    if (!column) return column.why();
    c.numbers.push_back(std::move(*column));
  }
  for (const auto name : texts) {
    auto column = f.texts(name);
    if (!column) return column.why();
    c.texts.push_back(std::move(*column));
  }
  return c;
}

result<void> read_products(const table_file& f, measured_tables& tables) {
  const auto c = columns(f, {"m", "n", "k", "latency"}, {"gemm_dtype"});
  if (!c) return c.why();
  const auto& n = c->numbers;
  std::map<std::string, std::pair<std::set<double>, std::set<double>>> grid;
  for (std::size_t r = 0; r < f.rows(); ++r) {
    const auto format = format_of(c->texts[0][r]);
    tables.products[format].by_shape[{n[1][r], n[2][r]}].add(n[0][r], n[3][r] * seconds_per_ms);
    grid[format].first.insert(n[1][r]);
    grid[format].second.insert(n[2][r]);
  }
  for (auto& [format, table] : tables.products) {
    table.columns.assign(grid[format].first.begin(), grid[format].first.end());
    table.depths.assign(grid[format].second.begin(), grid[format].second.end());
    for (auto& [shape, curve] : table.by_shape) curve.finish();
  }
  return {};
}

using attention_tables = std::map<std::string, std::map<attention_key, measured_surface>>;

// Kernels with a window are skipped: callers reduce the context to the window.
result<void> read_attention(const table_file& f, attention_tables& tables) {
  const auto c = columns(
      f,
      {"batch_size", "isl", "num_heads", "num_key_value_heads", "head_dim", "step", "window_size", "latency"},
      {"kv_cache_dtype", "attn_dtype"});
  if (!c) return c.why();
  const auto& n = c->numbers;
  for (std::size_t r = 0; r < f.rows(); ++r) {
    if (n[6][r] != 0 || c->texts[1][r] != "bfloat16") continue;
    auto& surface = tables[format_of(c->texts[0][r])][{n[2][r], n[3][r], n[4][r]}];
    surface.row(n[0][r]).add(n[1][r] + n[5][r], n[7][r] * seconds_per_ms);
  }
  for (auto& [format, shapes] : tables)
    for (auto& [shape, surface] : shapes) surface.finish();
  return {};
}

using latent_tables = std::map<std::string, std::map<double, measured_surface>>;

result<void> read_latent(const table_file& f, latent_tables& tables) {
  const auto c = columns(f, {"batch_size", "isl", "num_heads", "step", "latency"}, {"kv_cache_dtype"});
  if (!c) return c.why();
  const auto& n = c->numbers;
  for (std::size_t r = 0; r < f.rows(); ++r)
    tables[format_of(c->texts[0][r])][n[2][r]].row(n[0][r]).add(n[1][r] + n[3][r], n[4][r] * seconds_per_ms);
  for (auto& [format, heads] : tables)
    for (auto& [count, surface] : heads) surface.finish();
  return {};
}

// Routing as unequal as in real models (popularity follows a power law with exponent 1.01).
result<void> read_experts(const table_file& f, measured_tables& tables) {
  const auto c = columns(f,
                         {"num_tokens", "hidden_size", "inter_size", "topk", "num_experts", "moe_tp_size",
                          "moe_ep_size", "latency"},
                         {"moe_dtype", "distribution"});
  if (!c) return c.why();
  const auto& n = c->numbers;
  for (std::size_t r = 0; r < f.rows(); ++r) {
    if (c->texts[1][r] != "power_law_1.01") continue;
    const expert_key key{n[1][r], n[2][r], n[3][r], n[4][r], n[5][r], n[6][r]};
    tables.experts[format_of(c->texts[0][r])][key].add(n[0][r], n[7][r] * seconds_per_ms);
  }
  for (auto& [format, shapes] : tables.experts)
    for (auto& [shape, curve] : shapes) curve.finish();
  return {};
}

// Sizes are elements of 16 bits. When both were measured, times inside CUDA graphs are used.
result<void> read_all_reduce(const table_file& f, measured_tables& tables) {
  const auto how = f.has("backend") ? "backend" : "implementation";
  const auto c = columns(f, {"num_gpus", "message_size", "latency"}, {how});
  if (!c) return c.why();
  for (std::size_t r = 0; r < f.rows(); ++r) {
    if (c->texts[0][r].ends_with("_eager")) continue;
    tables.all_reduce[static_cast<int>(c->numbers[0][r])].add(2 * c->numbers[1][r],
                                                              c->numbers[2][r] * seconds_per_ms);
  }
  for (auto& [ranks, curve] : tables.all_reduce) curve.finish();
  return {};
}

result<void> read_nccl(const table_file& f, measured_tables& tables) {
  const auto c = columns(f, {"num_gpus", "message_size", "latency"}, {"op_name", "nccl_dtype"});
  if (!c) return c.why();
  for (std::size_t r = 0; r < f.rows(); ++r) {
    if (c->texts[1][r] != "half") continue;
    auto& curve = tables.collectives[std::string(c->texts[0][r])][static_cast<int>(c->numbers[0][r])];
    curve.add(2 * c->numbers[1][r], c->numbers[2][r] * seconds_per_ms);
  }
  for (auto& [name, by_ranks] : tables.collectives)
    for (auto& [ranks, curve] : by_ranks) curve.finish();
  return {};
}

result<void> read_kernel(const std::string& kernel, const table_file& f, measured_tables& tables) {
  if (kernel == "gemm") return read_products(f, tables);
  if (kernel == "context_attention") return read_attention(f, tables.prefill);
  if (kernel == "generation_attention") return read_attention(f, tables.decode);
  if (kernel == "context_mla") return read_latent(f, tables.latent_prefill);
  if (kernel == "generation_mla") return read_latent(f, tables.latent_decode);
  if (kernel == "moe") return read_experts(f, tables);
  if (kernel == "custom_allreduce") return read_all_reduce(f, tables);
  if (kernel == "nccl") return read_nccl(f, tables);
  return {};
}

// "vllm_0.24.0_gemm_perf.csv.gz" -> "gemm"; empty when the name has another form.
std::string kernel_of(const std::string& name, const std::string& engine) {
  static constexpr std::string_view tail = "_perf.csv";
  const auto end = name.find(tail);
  const auto version = name.find('_'),
             after = version == std::string::npos ? version : name.find('_', version + 1);
  if (!name.starts_with(engine + "_") || end == std::string::npos || after == std::string::npos ||
      after >= end)
    return {};
  return name.substr(after + 1, end - after - 1);
}

}  // namespace

result<measured_tables> read_tables(const fs::path& folder, const std::string& engine) {
  measured_tables t;
  t.engine = engine;
  std::map<std::string, fs::path> latest;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const auto kernel = kernel_of(entry.path().filename().string(), engine);
    if (!kernel.empty() && latest[kernel] < entry.path()) latest[kernel] = entry.path();
  }
  for (const auto& [kernel, path] : latest) {
    const auto file = table_file::read(path);
    if (!file) return file.why();
    if (const auto bad = read_kernel(kernel, *file, t); !bad) return bad.why();
    t.files.push_back(path.filename().string());
  }
  return t;
}

}  // namespace ridge::plan::kernels
