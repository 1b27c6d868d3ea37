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
  // Closes both directions, which wakes whoever waits on either side.
  void end() const { shutdown(descriptor_, SHUT_RDWR); }

 private:
  int descriptor_ = -1;
};

struct socket_pair {
  local_socket near{}, far{};
};

// Makes a socket as socket(2) does; a test replaces it to simulate a refusal.
using socket_maker = std::function<int(int domain, int type)>;
[[nodiscard]] int make_socket(int domain, int type);

enum class transport : bool { tcp, unix_stream };

// Returns two connected sockets: through 127.0.0.1 (on a port that the kernel chooses, listening for this
// connection only) or as a pair of Unix stream sockets. Every wait ends after patience_s. Throws unavailable
// where sockets are forbidden.
[[nodiscard]] socket_pair connect_pair(transport transport, const socket_maker& make = make_socket);

enum class waiting : bool { asleep, busy };

// Send or receive all bytes; return false where the other side closed or did not answer within patience_s.
// `busy` polls instead of sleeping.
[[nodiscard]] bool send_all(const local_socket& target, std::span<const std::byte> bytes);
[[nodiscard]] bool receive_all(const local_socket& source, std::span<std::byte> bytes,
                               waiting wait = waiting::asleep);

}  // namespace ridge::backends::probe_host
