// SPDX-License-Identifier: Apache-2.0
#include "http/message.hpp"

#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "http/compress.hpp"

namespace ridge::server {
namespace {

// What keeps a page of another origin from reading, framing or scripting this one. `wasm` and inline code are
// left out on purpose: everything runs from files of this server.
constexpr std::string_view policy =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: "
    "blob:; connect-src 'self'; font-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'\r\n";
constexpr std::string_view protection =
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Permissions-Policy: accelerometer=(), camera=(), geolocation=(), microphone=(), payment=(), usb=()\r\n";

void append_number(std::string& text, std::size_t number) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

void append_field(std::string& text, std::string_view name, std::string_view value) {
  constexpr std::string_view ends{"\r\n\0", 3};
  if (name.find_first_of(ends) != std::string_view::npos ||
      value.find_first_of(ends) != std::string_view::npos)
    return;
  text.append(name).append(": ").append(value).append("\r\n");
}

std::string tag_of(std::string_view body) {
  const auto hash = XXH3_128bits(body.data(), body.size());
  return fmt::format("\"{:016x}{:016x}\"", hash.high64, hash.low64);
}

constexpr std::size_t worth_compressing = 1400;  // what fits one packet anyway

}  // namespace

message message_of(response answer, const answer_form& form) {
  const framing frame{.keep_alive = form.keep_alive};
  const bool is_readable = answer.status == 200 && form.reads;
  if (is_readable) {
    const auto tag = tag_of(answer.body);
    answer.fields.push_back({"ETag", "W/" + tag});  // weak: compressed or not, it is the same
    answer.fields.push_back({"Vary", "Accept-Encoding, Authorization, Cookie"});
    if (!form.if_none_match.empty() && names_tag(form.if_none_match, tag)) {
      answer.status = 304;
      answer.body.clear();
    }
  }
  if (form.gzip && answer.body.size() > worth_compressing) {
    answer.body = gzipped(answer.body, 2);
    answer.fields.push_back({"Content-Encoding", "gzip"});
  }
  message made{.status = answer.status, .closes = !form.keep_alive};
  made.header = header_text(answer, answer.body.size(), frame);
  if (!form.is_head && !answer.body.empty())
    made.body = std::make_shared<const std::string>(std::move(answer.body));
  return made;
}

void close_with(message& last) {
  constexpr std::string_view goes_on = "Connection: keep-alive\r\n\r\n";
  if (last.header.ends_with(goes_on))
    last.header.replace(last.header.size() - goes_on.size(), goes_on.size(), "Connection: close\r\n\r\n");
  last.closes = true;
}

std::string header_text(const response& answer, std::size_t bytes, const framing& frame) {
  std::string text;
  text.reserve(1024);
  text += "HTTP/1.1 ";
  append_number(text, static_cast<std::size_t>(answer.status));
  text.append(" ").append(status_words(answer.status)).append("\r\n");
  if (!answer.content_type.empty() && answer.status != 304 && answer.status != 204)
    append_field(text, "Content-Type", answer.content_type);
  if (!frame.until_closed && answer.status != 204 && answer.status != 304) {
    text += "Content-Length: ";
    append_number(text, bytes);
    text += "\r\n";
  }
  append_field(text, "Cache-Control", frame.cache);
  for (const auto& field : answer.fields) append_field(text, field.name, field.value);
  // A file that is shown by itself has a stricter one of its own.
  if (!value_of(answer.fields, "Content-Security-Policy")) text += policy;
  text += protection;
  text += frame.keep_alive && !frame.until_closed ? "Connection: keep-alive\r\n\r\n"
                                                  : "Connection: close\r\n\r\n";
  return text;
}

}  // namespace ridge::server
