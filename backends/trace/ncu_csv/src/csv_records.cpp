// SPDX-License-Identifier: Apache-2.0
#include "csv_records.hpp"

namespace ridge::backends::trace_ncu_csv {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

// Moves to the start of the next line that begins with a quote.
bool csv_records::to_record() {
  while (at_ < text_.size()) {
    if (text_.substr(at_).starts_with(byte_order_mark)) at_ += byte_order_mark.size();
    if (at_ < text_.size() && text_[at_] == '"') return true;
    resume_below(at_);
  }
  return false;
}

// Reads a field up to what ends it.
std::string csv_records::field() {
  std::string value;
  if (at_ >= text_.size() || text_[at_] != '"') {
    const auto end = std::min(text_.find_first_of(",\n", at_), text_.size());
    value = text_.substr(at_, end - at_);
    at_ = end;
    if (value.ends_with('\r')) value.pop_back();
    return value;
  }
  for (++at_; at_ < text_.size(); ++at_) {
    if (text_[at_] != '"') {
      value += text_[at_];
    } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
      value += text_[at_++];
    } else {
      ++at_;
      return value;
    }
  }
  ended_ = false;
  return value;
}

std::optional<csv_record> csv_records::next() {
  if (!to_record()) return std::nullopt;
  csv_record record{.offset = at_};
  ended_ = true;
  while (true) {
    record.fields.push_back(field());
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ >= text_.size() || text_[at_] != ',') break;
    ++at_;
  }
  // Text between the last field and the line's end does not belong to the record.
  resume_below(at_);
  record.ended = ended_;
  return record;
}

void csv_records::resume_below(std::uint64_t offset) {
  const auto line = text_.find('\n', offset);
  at_ = line == std::string_view::npos ? text_.size() : line + 1;
}

}  // namespace ridge::backends::trace_ncu_csv
