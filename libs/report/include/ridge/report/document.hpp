// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/report/table.hpp>

namespace ridge::report {

// How the numbers of a column are shown to people. JSON and CSV contain the plain number.
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
  rate,  // per second
  number,
  long_number  // six significant digits
};

// A column of a sheet.
struct field {
  std::string key{};     // in JSON and CSV, with its unit: "exposed_ns"; "pct.idle" nests
  std::string header{};  // in text; empty: the field is not shown there
  report::unit unit = report::unit::text;
  // Text only: makes long texts fit the columns that the other fields leave; all texts of the field at once,
  // so that different ones can stay different. Empty: texts stay whole.
  std::function<std::vector<std::string>(const std::vector<std::string>& texts, std::size_t columns)> fit{};
};

// A value of a row; monostate stands for an unknown one: blank in text and CSV, null in JSON.
using value = std::variant<std::monostate, std::int64_t, double, std::string, bool>;

// One row of a sheet.
struct row {
  std::vector<value> values{};  // one per field
  tone look = tone::plain;
  std::string note{};  // a line below it, in text only
};

// Rows of one kind.
struct sheet {
  std::string key{};    // in JSON: "kernels"
  std::string title{};  // in text: a line above it
  std::vector<field> fields{};
  std::vector<row> rows{};
  // Text only: so many of the first fields are no columns; they stand in a line above the rows that share
  // them.
  std::size_t grouped_by = 0;
  bool keyed = false;                // JSON: an object by the first field's value, not an array
  bool single = false;               // JSON: one object; text: one line per field
  std::vector<std::string> notes{};  // below it
  std::vector<std::string>
      prose{};          // in text only, instead of a table: paragraphs whose lines keep their indent
  bool spaced = false;  // an empty line behind each paragraph
  std::string empty{};  // what text says where there is no row; empty: the sheet is left out
};

// Everything that one command reports, written once and shown as text, JSON or CSV.
struct document {
  std::string schema{};                                // "ridge.trace.kernels/1"
  std::string title{};                                 // text only
  std::vector<std::pair<std::string, value>> facts{};  // about the whole document: JSON members
  std::vector<sheet> sheets{};
  std::vector<std::string> notes{};
};

// Returns the document as aligned tables for a terminal.
[[nodiscard]] std::string text_of(const document& d, const report::layout& layout = {});
// Returns indented JSON: keys in the order given, times as whole nanoseconds.
[[nodiscard]] std::string json_of(const document& d);
// Returns several documents of one kind ("a folder of traces") as {"schema": ..., MEMBER: [...]}.
[[nodiscard]] std::string json_of(const std::string& schema, const std::string& member,
                                  const std::vector<document>& all);
// Returns one table as CSV (RFC 4180): the sheets of that key, or the first with rows where `key` is empty,
// of all documents under one header, because no reader of CSV takes several tables. Of several documents, the
// column "trace" in front says which (their fact "path"). An error names the sheets that there are.
[[nodiscard]] result<std::string> csv_table_of(const std::vector<document>& all, const std::string& key = {});
// Returns the sheets one after another as CSV (RFC 4180): a header line each, an empty line between.
[[nodiscard]] std::string csv_of(const document& d);

// Returns a value as text shows it: 1234567 ns -> "1.23 ms".
[[nodiscard]] std::string shown(const value& v, unit kind);

}  // namespace ridge::report
