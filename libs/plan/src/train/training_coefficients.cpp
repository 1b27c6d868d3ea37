// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/train/training_coefficients.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <plan_data.hpp>
#include <ridge/base/expects.hpp>

namespace ridge::plan::train {
namespace {

// Generations without measurements, and the generations whose shares they use.
struct loan {
  std::string_view generation{}, lender{};
  double band = 0;
};
constexpr double same_generation_band =
    0.3;  // measured GB300 steps are 28 % faster than the shares of GB200 predict
constexpr std::array<loan, 8> loans{{{"ampere", "A100 SXM 80 GB", same_generation_band},
                                     {"hopper", "H100 SXM", same_generation_band},
                                     {"blackwell", "GB200", same_generation_band},
                                     {"ada", "H100 SXM", 0.4},
                                     {"turing", "A100 SXM 80 GB", 0.4},
                                     {"cdna3", "H100 SXM", 0.4},
                                     {"cdna4", "GB200", 0.4},
                                     {"", "H100 SXM", 0.5}}};

const training_coefficients& of_gpu(std::string_view name) {
  const auto& all = embedded_training_coefficients();
  const auto at = std::ranges::find(all, name, &training_coefficients::gpu);
  expects(at != all.end(), "training.json lacks a GPU that others borrow from");
  return *at;
}

training_coefficients borrowed(const accelerator& gpu) {
  auto at = std::ranges::find(loans, gpu.generation, &loan::generation);
  if (at == loans.end()) at = std::prev(loans.end());
  auto c = of_gpu(at->lender);
  c.source = fmt::format("no measurement of {}: the shares of {} ({})", gpu.name, c.gpu, c.source);
  c.band = std::max(c.band, at->band);
  return c;
}

}  // namespace

const std::vector<training_coefficients>& embedded_training_coefficients() {
  static const auto all = [] {
    const auto files = embedded::plan_data();
    const auto at = std::ranges::find(files, "training.json", &embedded::embedded_file::name);
    expects(at != files.end(), "training.json is not embedded");
    auto read = parse_training_coefficients(at->text, at->name);
    expects(read.ok(), read.ok() ? "" : read.why().text());
    return std::move(read).value();
  }();
  return all;
}

training_coefficients training_coefficients_of(const accelerator& gpu) {
  const auto& all = embedded_training_coefficients();
  const auto at = std::ranges::find(all, gpu.name, &training_coefficients::gpu);
  return at != all.end() ? *at : borrowed(gpu);
}

}  // namespace ridge::plan::train
