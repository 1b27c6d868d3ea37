// SPDX-License-Identifier: Apache-2.0
#include "access/host_list.hpp"

#include <ridge/base/text.hpp>

namespace ridge::server {

host_list::host_list(std::uint16_t port, const std::vector<std::string>& further, bool behind_proxy)
    : behind_proxy_(behind_proxy) {
  for (const std::string host : {"127.0.0.1", "localhost", "[::1]"}) {
    if (port == 0 || port == 80) hosts_.insert(host);
    if (port != 0) hosts_.insert(host + ":" + std::to_string(port));
  }
  for (const auto& host : further) hosts_.insert(lower_case(host));
}

bool host_list::allows_host(std::string_view host) const { return hosts_.contains(lower_case(host)); }

bool host_list::allows_origin(std::string_view origin) const {
  const auto small = lower_case(origin);
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!small.starts_with(scheme)) continue;
    if (scheme == "https://" && !behind_proxy_) return false;
    return hosts_.contains(small.substr(scheme.size()));
  }
  return false;
}

}  // namespace ridge::server
