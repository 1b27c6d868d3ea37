// SPDX-License-Identifier: Apache-2.0
#include "routing/asset_shelf.hpp"

#include <algorithm>

#include "http/compress.hpp"
#include "text/sha256.hpp"

namespace ridge::server {

bool has_hashed_name(std::string_view path) {
  const auto name = path.substr(path.rfind('/') + 1);
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  const auto stem = name.substr(0, dot);
  const auto begin = stem.find_last_of("-.");
  if (begin == std::string_view::npos || stem.size() - begin <= 8) return false;
  const auto hash = stem.substr(begin + 1);
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  // Words of eight letters are no hashes; hashes without a digit are rare, and then cached for a shorter
  // time.
  return std::ranges::all_of(hash, is_letter) && std::ranges::any_of(hash, is_digit);
}

asset_shelf::asset_shelf(const std::vector<static_asset>& assets) {
  for (const auto& one : assets) {
    shelved_asset made;
    made.content_type = one.content_type.empty() ? content_type_of(one.path) : one.content_type;
    const auto hash = hexadecimal(sha256(one.text)).substr(0, 32);
    made.tag = '"' + hash + '"';
    made.gzip_tag = '"' + hash + "-gz\"";
    made.cache = has_hashed_name(one.path) ? "public, max-age=31536000, immutable" : "no-cache";
    made.plain = std::make_shared<const std::string>(one.text);
    auto small = gzipped(one.text, 9);
    if (small.size() + 64 < one.text.size())
      made.gzip = std::make_shared<const std::string>(std::move(small));
    shelf_.insert_or_assign(one.path, std::move(made));
  }
}

const shelved_asset* asset_shelf::find(std::string_view path) const {
  const auto found = shelf_.find(path == "/" ? std::string_view("/index.html") : path);
  return found == shelf_.end() ? nullptr : &found->second;
}

}  // namespace ridge::server
