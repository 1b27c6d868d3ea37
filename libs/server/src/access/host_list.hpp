// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::server {

// The hosts by which this server may be addressed. A page of another name that resolves to this machine (DNS
// rebinding) sends that name, and gets nothing.
class host_list final {
 public:
  // Allows 127.0.0.1, localhost and [::1] with this port (without one, too, where it is 80), and `further`
  // hosts as they are written. Port 0: a Unix socket, where the three stand without a port.
  host_list(std::uint16_t port, const std::vector<std::string>& further, bool behind_proxy);

  // Returns whether the value of a Host field is one of them, whatever the case of its letters.
  [[nodiscard]] bool allows_host(std::string_view host) const;

  // Returns whether an Origin is a page of this server: "http://" and an allowed host; "https://", too,
  // behind a proxy. "null" is not.
  [[nodiscard]] bool allows_origin(std::string_view origin) const;

 private:
  std::set<std::string, std::less<>> hosts_{};
  bool behind_proxy_;
};

}  // namespace ridge::server
