// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <functional>
#include <span>
#include <utility>

namespace ridge::backends::probe_host {

// Owns a socket and closes it.
class local_socket final {
 public:
  local_socket() = default;
  explicit local_socket(int descriptor) : descriptor_(descriptor) {}
  ~local_socket();
  local_socket(local_socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  local_socket& operator=(local_socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  // Both directions end: who waits on either side wakes.
  void end() const { shutdown(descriptor_, SHUT_RDWR); }

 private:
  int descriptor_ = -1;
};

struct socket_pair {
  local_socket near{}, far{};
};

// As socket(2); what a test takes away.
using socket_maker = std::function<int(int domain, int type)>;
[[nodiscard]] int make_socket(int domain, int type);

enum class transport : bool { tcp, unix_stream };

// Connected through 127.0.0.1 (a port the kernel chooses, listened on for this connection alone), or as a
// pair of Unix stream sockets. Every wait ends after patience_s. Throws unavailable where sockets are
// forbidden.
[[nodiscard]] socket_pair connect_pair(transport transport, const socket_maker& make = make_socket);

enum class waiting : bool { asleep, busy };

// All of it; false where the other side ended or did not answer within patience_s. `busy` asks again and
// again instead of sleeping.
[[nodiscard]] bool send_all(const local_socket& target, std::span<const std::byte> bytes);
[[nodiscard]] bool receive_all(const local_socket& source, std::span<std::byte> bytes,
                               waiting wait = waiting::asleep);

}  // namespace ridge::backends::probe_host
