// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge {

// Copies the text of a quoted cell to `output`, with one quote for each pair of quotes (RFC 4180, section 2);
// a quote that stands alone is copied. Reads each character once and looks back at none, so that iterators of
// a single pass do.
template <class Iterator, class Sentinel, class Output>
void copy_single_quotes(Iterator first, Sentinel last, Output output) {
  bool after_quote = false;
  for (; first != last; ++first) {
    const char letter = *first;
    after_quote = letter == '"' && !after_quote;
    if (letter != '"' || after_quote) *output++ = letter;
  }
}

}  // namespace ridge
