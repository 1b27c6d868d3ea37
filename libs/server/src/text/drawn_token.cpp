// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstddef>
#include <string>

#include <sys/random.h>

#include <ridge/base/error.hpp>
#include <ridge/server/server.hpp>

#include "text/base64url.hpp"

namespace ridge::server {

std::string drawn_token() {
  std::string bytes(32, '\0');
  for (std::size_t drawn = 0; drawn < bytes.size();) {
    const auto got = getrandom(bytes.data() + drawn, bytes.size() - drawn, 0);
    if (got > 0)
      drawn += static_cast<std::size_t>(got);
    else if (errno != EINTR)
      throw io_failure("draw random bytes", "getrandom", errno);
  }
  return base64url(bytes);
}

}  // namespace ridge::server
