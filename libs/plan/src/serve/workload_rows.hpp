// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/serve/workload_file.hpp>

namespace ridge::plan::serve {

// What a column or member of a trace says; the unit of times by the name's end.
enum class row_field : std::uint8_t {
  unknown,
  arrival,
  prompt,
  output,
  session,
  tenant,
  priority,
  hashes,
  prompt_ids,
  output_ids
};

struct known_field {
  row_field what{row_field::unknown};
  double to_ns = 0;  // of times
};

// By the usual names ("ContextTokens", "input_length", "arrival_time_ns") or those given.
[[nodiscard]] known_field field_named(std::string_view name, const workload_columns& given, bool mooncake);

// Where a value stands in its file.
struct text_place {
  std::int64_t line = 0;
  std::size_t column = 0;  // from 1
};

// Collects rows as they are read, keeps or refuses the bad ones, and makes a workload of the good ones.
class workload_rows {
 public:
  workload_rows(std::string name, const workload_file_options& as) : name_(std::move(name)), as_(as) {}

  void begin(std::int64_t line);
  // One value of the row begun: a number, a date, a name, or an array. JSON strings without their quotes.
  void take(known_field field, std::string_view field_name, std::string_view value, std::size_t column);
  void refuse(std::string what, std::size_t column);  // the row begun is bad
  // Ends the row begun. False: it was bad, and bad rows are not skipped.
  [[nodiscard]] bool end();

  [[nodiscard]] std::size_t rows() const { return made_.requests.size(); }
  [[nodiscard]] error why() const;
  [[nodiscard]] result<workload> finish(std::string_view format) &&;

  void note(std::string text) { made_.notes.push_back(std::move(text)); }
  workload& made() { return made_; }

 private:
  void take_time(const known_field& field, std::string_view name, std::string_view value, std::size_t column);
  void take_tokens(std::int64_t& into, std::string_view name, std::string_view value, std::size_t column);
  void take_hashes(std::string_view name, std::string_view value, std::size_t column);
  void take_ids(std::string_view name, std::string_view value, std::size_t column);
  void check();
  std::uint32_t session_of(std::string_view name);
  std::uint16_t tenant_of(std::string_view name);

  std::string name_;
  workload_file_options as_;
  workload made_{};
  std::unordered_map<std::string, std::uint32_t> sessions_{}, tenants_{};
  std::optional<double> base_ns_{};
  // the row begun
  std::int64_t line_ = 0;
  workload_request row_{};
  std::int64_t prompt_ = -1, output_ = -1, ids_prompt_ = -1, ids_output_ = -1;
  bool timed_ = false, bad_ = false;
  std::size_t hash_mark_ = 0;
  std::vector<std::uint32_t> ids_{};
  std::string complaint_{};
  std::size_t bad_column_ = 0;
};

// The readers of each format: rows into `to`. The error is the first bad row's.
[[nodiscard]] result<void> read_csv_rows(std::string_view text, const workload_file_options& as,
                                         workload_rows& to);
[[nodiscard]] result<void> read_json_rows(std::string_view text, const workload_file_options& as,
                                          workload_rows& to);
[[nodiscard]] result<void> read_aiperf_rows(std::string_view text, workload_rows& to);
[[nodiscard]] result<void> read_vllm_bench_rows(std::string_view text, workload_rows& to);

}  // namespace ridge::plan::serve
