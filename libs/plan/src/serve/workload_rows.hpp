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

// The meaning of a column or member of a trace, and the unit of a time by the end of its name.
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
  row_field field{row_field::unknown};
  double to_ns = 0;  // nanoseconds per unit, for times
};

// Recognises a field by the usual names ("ContextTokens", "input_length", "arrival_time_ns") or those given.
[[nodiscard]] known_field field_named(std::string_view name, const workload_columns& given, bool mooncake);

// The position of a value in its file.
struct text_place {
  std::int64_t line = 0;
  std::size_t column = 0;  // from 1
};

// Collects rows as they are read, counts or refuses bad ones, and makes a workload of the good ones.
class workload_rows {
 public:
  workload_rows(std::string name, const workload_file_options& options)
      : name_(std::move(name)), options_(options) {}

  void begin(std::int64_t line);
  // Takes one value of the current row: a number, a date, a name, or an array. JSON strings without their
  // quotes.
  void take(known_field field, std::string_view field_name, std::string_view value, std::size_t column);
  void refuse(std::string fault, std::size_t column);  // marks the current row as bad
  // Ends the current row; false when it was bad and bad rows are not skipped.
  [[nodiscard]] bool end();

  [[nodiscard]] std::size_t rows() const { return made_.requests.size(); }
  [[nodiscard]] error why() const;
  [[nodiscard]] result<workload> finish(std::string_view format) &&;

  void note(std::string text) { made_.notes.push_back(std::move(text)); }
  workload& made() { return made_; }

 private:
  void take_time(const known_field& field, std::string_view name, std::string_view value, std::size_t column);
  void take_tokens(std::int64_t& count, std::string_view name, std::string_view value, std::size_t column);
  void take_hashes(std::string_view name, std::string_view value, std::size_t column);
  void take_ids(std::string_view name, std::string_view value, std::size_t column);
  void check();
  std::uint32_t session_of(std::string_view name);
  std::uint16_t tenant_of(std::string_view name);

  std::string name_;
  workload_file_options options_;
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

// The reader of each format: adds rows to `rows`. The error is that of the first bad row.
[[nodiscard]] result<void> read_csv_rows(std::string_view text, const workload_file_options& options,
                                         workload_rows& rows);
[[nodiscard]] result<void> read_json_rows(std::string_view text, const workload_file_options& options,
                                          workload_rows& rows);
[[nodiscard]] result<void> read_aiperf_rows(std::string_view text, workload_rows& rows);
[[nodiscard]] result<void> read_vllm_bench_rows(std::string_view text, workload_rows& rows);

}  // namespace ridge::plan::serve
