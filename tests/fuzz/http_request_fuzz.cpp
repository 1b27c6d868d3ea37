// SPDX-License-Identifier: Apache-2.0
// Any bytes where a request's header is expected. What is let through has one meaning for every reader: each
// line ends in CR LF, none continues another, and a target has a path that leads nowhere else.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <ridge/base/text.hpp>

#include "http/header_check.hpp"
#include "http/request_target.hpp"

namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

void look_at_header(std::string_view text) {
  if (const auto refused = ridge::server::header_refusal(text)) {
    expect(refused->status >= 400 && !refused->why.message.empty());
    return;
  }
  expect(text.ends_with("\r\n\r\n"));
  expect(text.find("\r\n\r\n") == text.size() - 4);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = static_cast<unsigned char>(text[i]);
    expect(code >= 0x20 || text[i] == '\r' || text[i] == '\n' || text[i] == '\t');
    if (text[i] == '\n')
      expect(i > 0 && text[i - 1] == '\r' &&
             (i + 1 == text.size() || (text[i + 1] != ' ' && text[i + 1] != '\t')));
    if (text[i] == '\r') expect(i + 1 < text.size() && text[i + 1] == '\n');
  }
}

void look_at_target(std::string_view text) {
  const auto target = ridge::server::read_target(text);
  if (!target) return expect(!target.why().message.empty());
  expect(target->path.starts_with('/') && target->path.find('\\') == std::string::npos);
  const auto segments = ridge::split(std::string_view(target->path).substr(1), '/');
  for (const auto segment : segments)
    expect(segment != "." && segment != ".." && (!segment.empty() || segments.size() == 1));
  for (const auto& parameter : target->query) expect(!parameter.name.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  look_at_header(text);
  const auto begin = text.find(' ');
  if (begin != std::string_view::npos)
    look_at_target(text.substr(begin + 1, text.find(' ', begin + 1) - begin - 1));
  look_at_target(text);
  return 0;
}
