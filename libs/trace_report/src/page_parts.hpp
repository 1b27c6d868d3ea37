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

// What pages are put together from.
namespace ridge::trace_report {

// A document about one trace: schema "ridge.trace.<verb>/1", a title that names the file, its first facts.
[[nodiscard]] document page_about(const scope& s, std::string_view verb);

// "resnet.json.gz, PyTorch Kineto, rank 0 of 8, 68 692 events"
[[nodiscard]] std::string headline(const trace::trace& t);

// A name short enough for a table: template arguments and parameters of C++ cut in the middle.
[[nodiscard]] std::string short_name(std::string_view kernel, std::size_t columns = 60);

[[nodiscard]] std::string device_name(const trace::trace& t, std::int32_t device);

// "thread 1234", "main (1234)"
[[nodiscard]] std::string thread_name(const trace::trace& t, trace::track_id track);

// "12.5 ms"
[[nodiscard]] std::string seconds_text(trace::nanoseconds duration);

// The command with `{file}` replaced by the files' names, apart by blanks.
[[nodiscard]] std::string command_with_files(std::string command, const std::vector<std::string>& files);

// Windows of the steps that were chosen; empty: the whole trace is shown.
[[nodiscard]] std::vector<trace::time_range> step_windows_of(const scope& shown);

// A table's cell: the value, or blank where there is none.
template <class T>
[[nodiscard]] value value_or_blank(const std::optional<T>& known) {
  return known ? value(*known) : value();
}

[[nodiscard]] value whole(std::uint64_t n);
[[nodiscard]] value percent_of(double part, double all);  // nothing of nothing

// The first `rows` of a list, all where rows is 0; the rest is named by a note of the sheet.
[[nodiscard]] std::size_t shown_rows(std::size_t there_are, std::size_t rows, sheet& in);

// What of the input was lost or mended.
[[nodiscard]] sheet defects_sheet(const trace::trace& t);

}  // namespace ridge::trace_report
