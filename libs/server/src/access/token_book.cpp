// SPDX-License-Identifier: Apache-2.0
#include "access/token_book.hpp"

#include <ridge/server/server.hpp>

namespace ridge::server {
namespace {

constexpr std::size_t most_sessions = 1000;

}  // namespace

token_book::token_book(std::chrono::milliseconds session_time, const std::vector<access_token>& tokens)
    : session_time_(session_time) {
  replace(tokens);
}

token_book::entry* token_book::find(const sha256_digest& digest) {
  entry* found = nullptr;
  for (auto& one : entries_)
    if (same_digest(one.digest, digest)) found = &one;  // all are looked at, whichever matches
  return found;
}

std::optional<scope> token_book::granted(std::string_view token, time now) {
  const auto digest = sha256(token);
  const std::lock_guard guard(mutex_);
  auto* found = find(digest);
  if (found == nullptr || now >= found->expires) return std::nullopt;
  found->used = now;
  return found->granted;
}

std::optional<std::string> token_book::open_session(std::string_view token, time now) {
  if (!granted(token, now)) return std::nullopt;
  auto secret = drawn_token();
  const std::lock_guard guard(mutex_);
  std::erase_if(sessions_, [now](const session& one) { return now >= one.expires; });
  if (sessions_.size() >= most_sessions) sessions_.pop_front();
  sessions_.push_back({sha256(secret), sha256(token), now + session_time_});
  return secret;
}

std::optional<scope> token_book::session_granted(std::string_view secret, time now) {
  const auto digest = sha256(secret);
  const std::lock_guard guard(mutex_);
  const session* found = nullptr;
  for (const auto& one : sessions_)
    if (same_digest(one.digest, digest)) found = &one;
  if (found == nullptr || now >= found->expires) return std::nullopt;
  auto* token = find(found->token);
  if (token == nullptr || now >= token->expires) return std::nullopt;
  token->used = now;
  return token->granted;
}

void token_book::close_session(std::string_view secret) {
  const auto digest = sha256(secret);
  const std::lock_guard guard(mutex_);
  std::erase_if(sessions_, [&](const session& one) { return same_digest(one.digest, digest); });
}

void token_book::replace(const std::vector<access_token>& tokens) {
  std::vector<entry> made;
  for (const auto& one : tokens) made.push_back({sha256(one.text), one.granted, one.expires, {}});
  const std::lock_guard guard(mutex_);
  for (auto& one : made)
    if (const auto* before = find(one.digest)) one.used = before->used;
  entries_ = std::move(made);
  std::erase_if(sessions_, [&](const session& one) { return find(one.token) == nullptr; });
}

std::optional<token_book::time> token_book::last_used(std::string_view token) {
  const auto digest = sha256(token);
  const std::lock_guard guard(mutex_);
  const auto* found = find(digest);
  return found == nullptr ? std::nullopt : found->used;
}

}  // namespace ridge::server
