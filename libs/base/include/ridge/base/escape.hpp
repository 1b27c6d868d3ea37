// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Any text as part of a text that has a syntax.
namespace ridge {

// Returns the text for XML, SVG and HTML, between tags or in a quoted attribute: & < > " ' are references,
// and control characters that XML 1.0 does not allow are left out.
[[nodiscard]] std::string markup_escaped(std::string_view text);

// Returns the text as a cell of comma-separated values (RFC 4180): in quotes where it needs them.
[[nodiscard]] std::string csv_cell(std::string_view text);

// Returns the text for a terminal: control characters but line feed and tab, and bytes that are no UTF-8, as
// \xNN; beyond `most` bytes it is cut and ends in "...".
[[nodiscard]] std::string terminal_escaped(std::string_view text, std::size_t most = 2000);

// Returns the text as Markdown that shows it as it is, on one line, in a cell of a table as well.
[[nodiscard]] std::string markdown_escaped(std::string_view text);

// Returns the text as a code span of Markdown on one line, with longer fences where it holds backticks; empty
// for an empty text.
[[nodiscard]] std::string markdown_code(std::string_view text);
// Returns the same for a cell of a table, which a bare | would end (GitHub Flavored Markdown, section 4.10).
[[nodiscard]] std::string markdown_code_cell(std::string_view text);

}  // namespace ridge
