// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/interval.hpp>
#include <ridge/model/measured_series.hpp>
#include <ridge/report/document.hpp>

// What analyses ask of the newest results of one workload, where all variants were measured together.
namespace ridge::results {

// Returns whether a comparison of this variant with its reference is INVALID: it proves nothing.
[[nodiscard]] bool is_invalid(const model::workload_result& seen, std::string_view variant);

// Returns the first metric of each variant, which decided its verdicts, in the order of the ladder. Variants
// that are INVALID are left out: nothing is ranked or chosen by what proves nothing.
[[nodiscard]] std::vector<const model::latest_measurement*> deciding(const model::workload_result& seen);

// Returns the baseline among the deciding measurements; null when it was refused.
[[nodiscard]] const model::latest_measurement* baseline_of(const model::workload_result& seen);

// Returns the comparison of a candidate with a reference in the deciding metric, measured in pairs; null
// where the two were not compared.
[[nodiscard]] const model::comparison* compared(const model::workload_result& seen,
                                                std::string_view reference, std::string_view candidate);

// A ratio from pairs, with its interval.
struct paired_ratio {
  double ratio = 1;
  interval ci{1, 1};
};
// Returns how many times better the first is than the second in a metric, whichever of them was the
// reference; absent where the two were not compared in it.
[[nodiscard]] std::optional<paired_ratio> ratio_in(std::string_view metric,
                                                   const model::workload_result& seen, std::string_view first,
                                                   std::string_view second);
// Returns the same in the deciding metric.
[[nodiscard]] std::optional<paired_ratio> ratio_of(const model::workload_result& seen, std::string_view first,
                                                   std::string_view second);

// Returns whether two variants cannot be told apart: the interval of their ratio holds 1, or, where they were
// not compared, their own intervals overlap.
[[nodiscard]] bool tied(const model::workload_result& seen, const model::latest_measurement& first,
                        const model::latest_measurement& second);

// Returns the bytes that a call needs: the arrays of the workload and what was seen beside them. Absent where
// neither is known.
[[nodiscard]] std::optional<double> memory_of(const model::measured_point& point);

// One value of a variant with its interval; of values seen once (memory) the interval is the value.
struct ranked {
  const model::latest_measurement* measured = nullptr;
  double value = 0;
  interval ci{};
  int rank = 0;  // from 1; variants that cannot be told apart from the first of their rank share it
};

// Sorts values, the best first, and ranks them; `same` says whether two variants cannot be told apart.
void rank_values(std::vector<ranked>& values, bool less_is_better,
                 const std::function<bool(const ranked&, const ranked&)>& same);

// Returns a cell that is unknown where the number is.
[[nodiscard]] report::value known_or_unknown(double number);
[[nodiscard]] report::value known_or_unknown(std::optional<double> number);

// Says once, in the title, what all rows of a sheet have in common among these fields, and leaves their
// columns out of text and pages. JSON keeps them.
void fold_common(report::sheet& sheet, std::initializer_list<std::string_view> keys);

// "ch07.transpose rows=4096 columns=4096"
[[nodiscard]] std::string workload_text(const model::workload& w);

// Returns the fields "workload", "machine" and "backend", by which rows are grouped, followed by `others`.
[[nodiscard]] std::vector<report::field> workload_fields_and(std::vector<report::field> others);
// Returns the values of these three fields, followed by `others`.
[[nodiscard]] std::vector<report::value> workload_values_and(const model::workload& workload,
                                                             std::vector<report::value> others);
inline constexpr std::size_t workload_field_count = 3;

}  // namespace ridge::results
