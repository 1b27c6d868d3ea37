// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/report/document.hpp>
#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>
#include <ridge/trace_report/pages.hpp>

// The parts that pages are built from.
namespace ridge::trace_report {

// Returns a document about one trace with schema "ridge.trace.<verb>/1", a title that names the file, and its
// main facts.
[[nodiscard]] document page_about(const scope& s, std::string_view verb);

// Describes a trace: "resnet.json.gz, PyTorch Kineto, rank 0 of 8, 68 692 events".
[[nodiscard]] std::string headline(const trace::trace& t);

// Returns a name that is short enough for a table: template arguments and parameters of C++ are left out, and
// what is still too wide is cut in the middle. Frames of the interpreter keep file, line and function.
[[nodiscard]] std::string short_name(std::string_view kernel, std::size_t columns = 60);

// Returns a field of names of kernels, operators or frames, whose texts fit the terminal unless full names
// are wanted. A table has one such field.
[[nodiscard]] report::field name_field(bool full_names, std::string key = "name",
                                       std::string header = "name");
// Replaces a field's names by ones of so many columns that stay different: for a table's second field of
// names.
void shorten_texts(sheet& made, std::string_view key, std::size_t columns);
// Fills the field "short_name" of a table from its field "name": names of 56 columns that stay different.
void give_short_names(sheet& made);

[[nodiscard]] std::string device_name(const trace::trace& t, std::int32_t device);

// Returns a thread's name: "thread 1234", "main (1234)".
[[nodiscard]] std::string thread_name(const trace::trace& t, trace::track_id track);

// Returns a time as text: "12.5 ms".
[[nodiscard]] std::string seconds_text(trace::nanoseconds duration);

// Returns the command with `{file}` replaced by the files' names, separated by blanks.
[[nodiscard]] std::string command_with_files(std::string command, const std::vector<std::string>& files);

// Returns the windows of the chosen steps; empty where the whole trace is shown.
[[nodiscard]] std::vector<trace::time_range> step_windows_of(const scope& shown);

// Returns a table's cell: the value, or a blank where there is none.
template <class T>
[[nodiscard]] value value_or_blank(const std::optional<T>& known) {
  return known ? value(*known) : value();
}

[[nodiscard]] value whole(std::uint64_t n);
[[nodiscard]] value percent_of(double part, double all);  // empty where `all` is 0

// Returns the first `rows` of a list, or all where rows is 0; a note of the sheet says how many are left out.
[[nodiscard]] std::size_t shown_rows(std::size_t there_are, std::size_t rows, sheet& table);

// Adds what of the input was lost or repaired.
[[nodiscard]] sheet defects_sheet(const trace::trace& t);

}  // namespace ridge::trace_report
