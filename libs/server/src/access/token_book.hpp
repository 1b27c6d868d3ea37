// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/server/options.hpp>

#include "text/sha256.hpp"

namespace ridge::server {

// The tokens of a server and the sessions that browsers opened with them. It holds digests, never secrets,
// and compares them in constant time. Any thread may use it.
class token_book final {
 public:
  using time = std::chrono::system_clock::time_point;

  explicit token_book(std::chrono::milliseconds session_time, const std::vector<access_token>& tokens);

  // Returns what a token grants now; nothing for one that is unknown or has expired.
  [[nodiscard]] std::optional<scope> granted(std::string_view token, time now);

  // Returns the secret of a new session for a token; nothing where the token grants nothing. Where there are
  // 1,000 sessions the oldest ends.
  [[nodiscard]] std::optional<std::string> open_session(std::string_view token, time now);

  // Returns what the session of this secret grants now; nothing when it is unknown, has expired or its token
  // has gone.
  [[nodiscard]] std::optional<scope> session_granted(std::string_view secret, time now);

  // Ends the session of this secret; nothing happens where there is none.
  void close_session(std::string_view secret);

  // Replaces all tokens. Sessions of tokens that are no longer among them end.
  void replace(const std::vector<access_token>& tokens);

  // Returns when a token was last used; nothing where it never was.
  [[nodiscard]] std::optional<time> last_used(std::string_view token);

 private:
  struct entry {
    sha256_digest digest{};
    scope granted = scope::read;
    time expires{};
    std::optional<time> used{};
  };
  struct session {
    sha256_digest digest{};
    sha256_digest token{};
    time expires{};
  };
  [[nodiscard]] entry* find(const sha256_digest& digest);

  std::mutex mutex_{};
  std::chrono::milliseconds session_time_;
  std::vector<entry> entries_{};
  std::list<session> sessions_{};
};

}  // namespace ridge::server
