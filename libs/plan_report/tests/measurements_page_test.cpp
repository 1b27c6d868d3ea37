// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan_report/measurements_page.hpp>

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ridge/hardware/hardware_catalogue.hpp>

namespace ridge::plan_report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(measurements_page, counts_what_was_asked_for_apart_from_what_is_kept_and_fits_a_terminal) {
  plan::kernels::kernel_measurements m;
  m.gpu = "H100 SXM", m.device = "NVIDIA H100 80GB HBM3", m.date = "2026-11-26";
  const model::kernel_call product{"product", "bf16", {{"m", 1}, {"n", 512}, {"k", 512}}};
  const model::kernel_call prefill{"prefill_attention", "bf16", {{"tokens", 1}}};
  const model::kernel_call missing{"product", "bf16", {{"m", 2}, {"n", 512}, {"k", 512}}};
  m.rows = {{product, 1e-5, 0, "cuBLASLt 13.1.0"},
            {prefill, 1e-5, 0, "a kernel with a long name (mma.sync)"}};
  for (const auto& row : m.rows) {
    m.curves.push_back({.gpu = m.gpu, .kernel = row.call.kernel, .format = row.call.format, .rows = 1854});
    auto& e = m.curves.back();
    e.curve = {1.234e-5, 0.901, 0.479}, e.median_error = 0.2755, e.p90_error = 1.383;
  }
  const auto gpu = plan::accelerator_named(hardware::catalogue::embedded(), "H100");
  const std::vector asked{product, missing};
  const auto text = report::text_of(measurements_page(m, *gpu, asked));
  EXPECT_THAT(text, HasSubstr("1 of 2 kernel calls asked for"));
  EXPECT_THAT(text, HasSubstr("2 are kept"));
  EXPECT_THAT(text, HasSubstr("prefill_attention"));
  EXPECT_THAT(text, HasSubstr("by a kernel with a long name (mma.sync)"));
  EXPECT_THAT(text, Not(HasSubstr("…")));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 104U) << line;  // µ is two bytes
}

}  // namespace
}  // namespace ridge::plan_report
