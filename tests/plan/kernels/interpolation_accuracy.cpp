// SPDX-License-Identifier: Apache-2.0
// Errors of the interpolation of measured kernel tables: each measurement is predicted from the others.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/measured_lookup.hpp"
#include "silicon_rows.hpp"

namespace {

using namespace ridge;
using namespace ridge::plan::kernels;
namespace plan = ridge::plan;

void print(const std::string& gpu, const std::string& label, std::vector<double> off) {
  if (off.empty()) return;
  std::ranges::sort(off);
  fmt::print("{:<10} {:<44} {:>7} {:>8.1f} {:>8.1f}\n", gpu, label, off.size(), 100 * off[off.size() / 2],
             100 * off[off.size() * 9 / 10]);
}

// Along one size: predicts a measurement from its two neighbours.
void along(const measured_curve& c, std::vector<double>& off) {
  const light none = [](double) { return 0.0; };
  for (std::size_t i = 1; i + 1 < c.size(); ++i)
    off.push_back(std::abs(c.without(i, none) / c.points()[i].seconds - 1));
}

template <class Surfaces>
std::vector<double> along_all(const Surfaces& tables) {
  std::vector<double> off;
  for (const auto& [format, shapes] : tables)
    for (const auto& [shape, surface] : shapes)
      for (const auto& row : surface.rows()) along(row.curve, off);
  return off;
}

// Predicts all measurements of one product shape from the neighbouring shapes.
std::vector<double> borrowed(const measured_lookup& lookup, const std::string& format,
                             const product_table& table) {
  std::vector<double> off;
  const auto weights = plan::number_format_named(format).value();
  for (const auto& [shape, curve] : table.by_shape) {
    const bool inner = shape.second > table.depths.front() && shape.second < table.depths.back();
    if (!inner) continue;
    for (const auto& p : curve.points()) {
      const auto found = lookup.borrowed(
          {std::llround(p.size), std::llround(shape.first), std::llround(shape.second), weights});
      if (found) off.push_back(std::abs(*found / p.seconds - 1));
    }
  }
  return off;
}

result<void> judge(const std::filesystem::path& folder, const std::string& engine) {
  const auto gpu = plan::accelerator_named(hardware::catalogue::embedded(), folder.filename().string());
  if (!gpu) return gpu.why();
  auto read = read_tables(folder, engine);
  if (!read) return read.why();
  const measured_lookup by(std::move(*read), *gpu);
  const auto& t = by.tables();
  for (const auto& [format, table] : t.products) {
    std::vector<double> off;
    for (const auto& [shape, curve] : table.by_shape) along(curve, off);
    print(gpu->name, engine + " product " + format + ", rows", std::move(off));
    print(gpu->name, engine + " product " + format + ", shape left out", borrowed(by, format, table));
  }
  print(gpu->name, engine + " prefill attention, length", along_all(t.prefill));
  print(gpu->name, engine + " decode attention, context", along_all(t.decode));
  print(gpu->name, engine + " latent prefill, length", along_all(t.latent_prefill));
  print(gpu->name, engine + " latent decode, context", along_all(t.latent_decode));
  std::vector<double> experts, reduce;
  for (const auto& [format, shapes] : t.experts)
    for (const auto& [shape, curve] : shapes) along(curve, experts);
  for (const auto& [ranks, curve] : t.all_reduce) along(curve, reduce);
  print(gpu->name, engine + " experts, tokens", std::move(experts));
  print(gpu->name, engine + " all-reduce, bytes", std::move(reduce));
  return {};
}

}  // namespace

int main() {
  const auto folder = plan_test::data_folder() / "serving/kernels";
  std::vector<std::filesystem::path> gpus;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.is_directory()) gpus.push_back(entry.path());
  std::ranges::sort(gpus);
  if (gpus.empty()) {
    fmt::print("skipped: no tables in {}\n", folder.string());
    return 77;
  }
  fmt::print(
      "Each measurement predicted without itself: |predicted / measured - 1|\n{:<10} {:<44} {:>7} {:>8} "
      "{:>8}\n",
      "GPU", "kernel, axis", "rows", "median %", "p90 %");
  for (const auto& gpu : gpus)
    for (const std::string engine : {"vllm", "trtllm"})
      if (const auto bad = judge(gpu, engine); !bad) {
        fmt::print("{}\n", bad.why().text());
        return 1;
      }
  return 0;
}
