// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <ridge/report/table.hpp>

namespace ridge::report {

// How a column's numbers read to people. JSON and CSV give the plain number.
enum class unit : std::uint8_t {
  text,
  count,
  nanoseconds,
  seconds,
  bytes,
  bytes_per_s,
  flop,
  flop_per_s,
  percent,  // already times 100
  dollars,  // US dollars
  watts,
  joules,
  rate,  // a second
  number,
  long_number  // six significant digits
};

struct field {
  std::string key{};     // in JSON and CSV, with its unit: "exposed_ns"; "pct.idle" nests
  std::string header{};  // in text; empty: the field is not shown there
  unit as = unit::text;
};

// Nothing known: blank in text and CSV, null in JSON.
using value = std::variant<std::monostate, std::int64_t, double, std::string, bool>;

struct row {
  std::vector<value> values{};  // one a field
  tone look = tone::plain;
  std::string note{};  // a line below it, in text only
};

// Rows of one kind.
struct sheet {
  std::string key{};    // in JSON: "kernels"
  std::string title{};  // in text: a line above it
  std::vector<field> fields{};
  std::vector<row> rows{};
  bool keyed = false;                // JSON: an object by the first field's value, not an array
  bool single = false;               // JSON: one object; text: a line a field
  std::vector<std::string> notes{};  // below it
  std::vector<std::string>
      prose{};          // in text only, instead of a table: paragraphs whose lines keep their indent
  bool spaced = false;  // an empty line behind each paragraph
  std::string empty{};  // what text says where there is no row; empty: the sheet is left out
};

// What one command has to say, once: as text, JSON or CSV.
struct document {
  std::string schema{};                                // "ridge.trace.kernels/1"
  std::string title{};                                 // text only
  std::vector<std::pair<std::string, value>> facts{};  // of the whole: JSON members
  std::vector<sheet> sheets{};
  std::vector<std::string> notes{};
};

[[nodiscard]] std::string text_of(const document& d, const report::layout& layout = {});
// Pretty-printed, keys in the order given, times as whole nanoseconds.
[[nodiscard]] std::string json_of(const document& d);
// Several documents of one kind ("a folder of traces"): {"schema": ..., MEMBER: [...]}.
[[nodiscard]] std::string json_of(const std::string& schema, const std::string& member,
                                  const std::vector<document>& all);
// Sheets one after another, a header line each, an empty line between; RFC 4180.
[[nodiscard]] std::string csv_of(const document& d);

// A value as text shows it: 1234567 ns -> "1.23 ms".
[[nodiscard]] std::string shown(const value& v, unit kind);

}  // namespace ridge::report
