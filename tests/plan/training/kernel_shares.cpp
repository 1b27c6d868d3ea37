// SPDX-License-Identifier: Apache-2.0
#include "kernel_shares.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <zlib.h>

#include <ridge/base/expects.hpp>
#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/stats/quantile.hpp>

#include "run.hpp"

namespace ridge::plan::train {
namespace {

using row = std::map<std::string, std::string>;

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at <= line.size();) {
    const auto comma = std::min(line.find(',', at), line.size());
    all.emplace_back(line.substr(at, comma - at));
    at = comma + 1;
  }
  return all;
}

std::string unpacked(const std::filesystem::path& file) {
  std::string text;
  const auto in = gzopen(file.c_str(), "rb");
  if (in == nullptr) return text;
  char block[1 << 16];
  for (int n = 0; (n = gzread(in, block, sizeof block)) > 0;) text.append(block, static_cast<std::size_t>(n));
  gzclose(in);
  std::erase(text, '\r');
  return text;
}

std::vector<row> rows_of(const std::filesystem::path& file) {
  const auto text = unpacked(file);
  std::vector<std::string> header;
  std::vector<row> all;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto fields = fields_of(std::string_view(text).substr(at, end - at));
    at = end + 1;
    if (fields.size() == 1) continue;
    if (header.empty()) {
      header = fields;
      continue;
    }
    row r;
    for (std::size_t i = 0; i < std::min(header.size(), fields.size()); ++i) r[header[i]] = fields[i];
    all.push_back(std::move(r));
  }
  return all;
}

double number(const row& r, const char* column) {
  const auto at = r.find(column);
  expects(at != r.end() && !at->second.empty(), "a kernel table lacks a column");
  return std::stod(at->second);
}

double seconds(const row& r) { return number(r, "latency") * 1e-3; }

std::vector<double> product_shares(const std::vector<row>& rows, std::string_view dtype, double peak) {
  constexpr double least_side = 1024;
  std::vector<double> all;
  for (const auto& r : rows) {
    const double m = number(r, "m"), n = number(r, "n"), k = number(r, "k");
    if (r.at("gemm_dtype") != dtype || std::min({m, n, k}) < least_side) continue;
    all.push_back(2 * m * n * k / seconds(r) / peak);
  }
  return all;
}

bool is_plain_bf16(const row& r) {
  return r.at("attn_dtype") == "bfloat16" && r.at("kv_cache_dtype") == "bfloat16" &&
         number(r, "window_size") == 0 && number(r, "head_dim") == 128;
}

std::vector<double> attention_shares(const std::vector<row>& rows, double peak) {
  constexpr double least_tokens = 4096;
  std::vector<double> all;
  for (const auto& r : rows) {
    const double s = number(r, "isl");
    if (!is_plain_bf16(r) || s < least_tokens) continue;
    const double flop = 2 * number(r, "batch_size") * s * s * number(r, "num_heads") * number(r, "head_dim");
    all.push_back(flop / seconds(r) / peak);
  }
  return all;
}

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : stats::sorted_quantile(values, 0.5);
}

kernels::efficiency measured_products(std::string_view gpu, std::string_view format) {
  const auto found = kernels::embedded_efficiencies().find(catalogue_gpu(gpu), "product", format);
  expects(found.entry != nullptr, "efficiency.json lacks products in a format");
  return found.entry->curve;
}

}  // namespace

double measured_half_size(std::string_view gpu, std::string_view format) {
  const auto c = measured_products(gpu, format);
  return c.half_rows + c.half_columns + c.half_depth;
}

double measured_floor_s(std::string_view gpu, std::string_view format) {
  return measured_products(gpu, format).floor_s;
}

std::optional<kernel_shares> read_kernel_shares(const std::filesystem::path& data, std::string_view folder,
                                                const accelerator& gpu) {
  const auto from = data / "serving" / "kernels" / folder;
  const auto products = rows_of(from / "vllm_0.24.0_gemm_perf.csv.gz");
  const auto attentions = rows_of(from / "vllm_0.24.0_context_attention_perf.csv.gz");
  if (products.empty() || attentions.empty()) return {};
  const double bf16 = gpu.peak_flop_per_s("bf16");
  const auto in_bf16 = product_shares(products, "bfloat16", bf16);
  const auto in_fp8 = product_shares(products, "fp8", gpu.peak_flop_per_s("fp8"));
  const auto attention = attention_shares(attentions, bf16);
  return kernel_shares{.bf16 = median_of(in_bf16),
                       .fp8 = median_of(in_fp8),
                       .attention = median_of(attention),
                       .products = static_cast<int>(in_bf16.size() + in_fp8.size()),
                       .attentions = static_cast<int>(attention.size())};
}

}  // namespace ridge::plan::train
