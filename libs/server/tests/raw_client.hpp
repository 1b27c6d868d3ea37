// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <ridge/base/text.hpp>

namespace ridge::server {

// What a server answered, taken apart by the test itself.
struct raw_answer {
  int status = 0;  // 0: the connection ended before the header did
  std::string header{};
  std::string body{};

  // Returns the value of the first field of this name; nothing where there is none.
  [[nodiscard]] std::optional<std::string> field(std::string_view name) const {
    for (const auto line : split(header, '\n')) {
      const auto colon = line.find(':');
      if (colon != std::string_view::npos && lower_case(line.substr(0, colon)) == lower_case(name))
        return std::string(trim(line.substr(colon + 1)));
    }
    return std::nullopt;
  }
};

// A client that sends exactly the bytes that it is given.
class raw_client final {
 public:
  explicit raw_client(std::uint16_t port) : descriptor_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ = connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  explicit raw_client(const std::string& path) : descriptor_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    is_connected_ = connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  raw_client(raw_client&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        is_connected_(other.is_connected_),
        received_(std::move(other.received_)) {}
  raw_client& operator=(raw_client&&) = delete;
  ~raw_client() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  [[nodiscard]] bool is_connected() const { return is_connected_; }
  [[nodiscard]] int descriptor() const { return descriptor_; }

  // Returns whether all bytes were taken.
  bool send(std::string_view text) {
    while (!text.empty()) {
      const auto sent = ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // Reads an answer with its body: as many bytes as Content-Length says, none for HEAD.
  raw_answer answer(bool is_head = false) {
    raw_answer made;
    const auto end = read_until("\r\n\r\n");
    if (end == std::string::npos) return made;
    made.header = received_.substr(0, end);
    made.status = std::stoi(made.header.substr(9, 3));
    received_.erase(0, end + 4);
    const auto length = static_cast<std::size_t>(std::stoul(made.field("content-length").value_or("0")));
    if (is_head) return made;
    while (received_.size() < length && read_more()) {
    }
    made.body = received_.substr(0, length);
    received_.erase(0, length);
    return made;
  }

  // Reads until the text was received and returns its place in received(); npos when the connection ends or
  // five seconds pass before.
  std::size_t read_until(std::string_view text) {
    while (true) {
      const auto found = received_.find(text);
      if (found != std::string::npos) return found;
      if (!read_more()) return std::string::npos;
    }
  }

  // Returns whether the server closes the connection within this time; what arrives before is kept.
  bool is_closed_within(std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < until)
      if (!read_more(until - std::chrono::steady_clock::now())) return has_ended_;
    return false;
  }

  // Reads what arrives within this time.
  void read_for(std::chrono::milliseconds time) { is_closed_within(time); }

  [[nodiscard]] const std::string& received() const { return received_; }
  void forget() { received_.clear(); }

 private:
  bool read_more(std::chrono::nanoseconds time = std::chrono::seconds(5)) {
    pollfd waited{descriptor_, POLLIN, 0};
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
    if (poll(&waited, 1, static_cast<int>(std::max<std::int64_t>(milliseconds, 0))) <= 0) return false;
    char part[16384];
    const auto count = recv(descriptor_, part, sizeof part, 0);
    if (count <= 0) return has_ended_ = true, false;
    received_.append(part, static_cast<std::size_t>(count));
    return true;
  }

  int descriptor_;
  bool is_connected_ = false;
  bool has_ended_ = false;
  std::string received_{};
};

}  // namespace ridge::server
