// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/csv_reader.hpp>

#include <iterator>

#include "single_quotes.hpp"

namespace ridge {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

bool csv_reader::next() {
  if (!to_line_with_text()) return false;
  take_cells();
  return true;
}

bool csv_reader::next_quoted() {
  while (to_line_with_text()) {
    if (text_[next_] == '"') {
      take_cells();
      return true;
    }
    skip_line();
  }
  return false;
}

void csv_reader::resume_below_first_line() {
  next_ = offset_;
  next_line_ = line_;
  skip_line();
}

std::string csv_reader::value(std::size_t index) const {
  const auto& [begin, text, quoted] = cells_[index];
  if (!quoted) return std::string(text);
  std::string value;
  value.reserve(text.size());
  copy_single_quotes(text.begin(), text.end(), std::back_inserter(value));
  return value;
}

std::size_t csv_reader::end_column() const {
  const auto last = cells_.back().text;
  return static_cast<std::size_t>(last.data() - text_.data()) + last.size() - offset_ + 1;
}

bool csv_reader::to_line_with_text() {
  while (next_ < text_.size()) {
    if (text_.substr(next_).starts_with(byte_order_mark)) next_ += byte_order_mark.size();
    const auto rest = text_.substr(next_, 2);
    if (!rest.empty() && rest[0] != '\n' && rest != "\r\n" && rest != "\r") return true;
    skip_line();
  }
  return false;
}

void csv_reader::skip_line() {
  const auto end = text_.find('\n', next_);
  next_ = end == std::string_view::npos ? text_.size() : end + 1;
  ++next_line_;
}

void csv_reader::take_cells() {
  cells_.clear();
  offset_ = next_;
  line_ = next_line_;
  closed_ = whole_ = true;
  for (bool more = true; more;) {
    if (next_ < text_.size() && text_[next_] == '"')
      take_quoted_cell();
    else
      take_plain_cell();
    more = next_ < text_.size() && text_[next_] == ',';
    if (next_ < text_.size()) ++next_;
  }
  ++next_line_;
}

void csv_reader::take_plain_cell() {
  const auto begin = next_;
  while (next_ < text_.size() && text_[next_] != ',' && text_[next_] != '\n') ++next_;
  take_text(begin, begin, false);
}

void csv_reader::take_quoted_cell() {
  const auto begin = next_++;
  const auto at_pair = [this] { return next_ + 1 < text_.size() && text_[next_ + 1] == '"'; };
  for (; next_ < text_.size(); ++next_) {
    if (text_[next_] == '"') {
      if (!at_pair()) break;
      ++next_;
    } else if (text_[next_] == '\n') {
      if (within_a_line_) break;
      ++next_line_;
    }
  }
  take_text(begin, begin + 1, true);
  if (next_ == text_.size() || text_[next_] != '"')
    closed_ = false;
  else
    ++next_;
  for (; next_ < text_.size() && text_[next_] != ',' && text_[next_] != '\n'; ++next_)
    whole_ = whole_ && (text_[next_] == ' ' || text_[next_] == '\t' || text_[next_] == '\r');
}

void csv_reader::take_text(std::size_t begin, std::size_t text_begin, bool quoted) {
  auto text = text_.substr(text_begin, next_ - text_begin);
  const bool ends_line = next_ == text_.size() || text_[next_] == '\n';
  if (ends_line && text.ends_with('\r')) text.remove_suffix(1);
  cells_.push_back({begin, text, quoted});
}

}  // namespace ridge
