// SPDX-License-Identifier: Apache-2.0
#include "http/compress.hpp"

#include <limits>

#include <zlib.h>

#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>

namespace ridge::server {
namespace {

// Takes the weight out of "gzip;q=0.5": whether it is zero.
bool is_refused(std::string_view parameters) {
  const auto weight = lower_case(parameters);
  const auto begin = weight.find("q=");
  if (begin == std::string::npos) return false;
  return trim(std::string_view(weight).substr(begin + 2)).find_first_not_of("0.") == std::string_view::npos;
}

}  // namespace

std::string gzipped(std::string_view text, int level) {
  z_stream stream{};
  constexpr int gzip_window = 15 + 16;
  if (deflateInit2(&stream, level, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw failure({"zlib could not begin to compress an answer", "free some memory"});
  std::string made(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(made.data());
  stream.avail_out = static_cast<uInt>(made.size());
  const int ended =
      text.size() <= std::numeric_limits<uInt>::max() ? deflate(&stream, Z_FINISH) : Z_BUF_ERROR;
  made.resize(made.size() - stream.avail_out);
  deflateEnd(&stream);
  if (ended != Z_STREAM_END) throw failure({"zlib could not compress an answer", "ask for less at once"});
  return made;
}

bool accepts_gzip(std::string_view accept_encoding) {
  for (const auto part : split(accept_encoding, ',')) {
    const auto semicolon = part.find(';');
    const auto coding = lower_case(trim(part.substr(0, semicolon)));
    if (coding != "gzip" && coding != "*") continue;
    return semicolon == std::string_view::npos || !is_refused(part.substr(semicolon));
  }
  return false;
}

bool names_tag(std::string_view if_none_match, std::string_view tag) {
  for (auto part : split(if_none_match, ',')) {
    part = trim(part);
    if (part == "*") return true;
    if (part.starts_with("W/")) part.remove_prefix(2);
    if (part == tag) return true;
  }
  return false;
}

}  // namespace ridge::server
