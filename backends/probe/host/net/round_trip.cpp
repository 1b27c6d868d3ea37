// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>

#include <ridge/base/error.hpp>
#include <ridge/host/affinity.hpp>

#include "net/loopback.hpp"
#include "os/observed.hpp"
#include "os/partner.hpp"

namespace ridge::backends::probe_host {
namespace {

using short_message = std::array<std::byte, 64>;

void echo_through_socket(const local_socket& through, waiting wait) {
  short_message bytes{};
  while (receive_all(through, bytes, wait) && send_all(through, bytes)) continue;
}

}  // namespace

model::ceiling round_trip(const probe::request& request, transport transport, waiting wait, std::string id,
                          const cpu_pair& pair, const socket_maker& make) {
  const host::scoped_affinity here(pair.first);
  const auto ends = connect_pair(transport, make);
  partner other(
      pair.second, [&](const std::stop_token&) { echo_through_socket(ends.far, wait); },
      [&] { ends.far.end(); });
  std::uint64_t count = 0;
  short_message sent{}, back{};
  const auto once = [&] {
    ++count;
    std::memcpy(sent.data(), &count, sizeof count);
    const auto begin = request.clock.now();
    if (!send_all(ends.near, sent) || !receive_all(ends.near, back, wait)) other.lost();
    const double s = request.clock.seconds(request.clock.now() - begin);
    if (back != sent) throw failure({"a message came back changed", ""});
    return s;
  };
  const auto found = observe(request.clock, {time_of_row(request.depth)}, gives_way::yes, once);
  auto row = row_of_times(std::move(id),
                          std::string(transport == transport::tcp ? "TCP" : "a Unix socket") +
                              ", 64 B there and back, " + pair.words,
                          found, wait == waiting::busy ? "both sides poll" : "both sides sleep");
  row.threads = 2;
  row.size_bytes = sizeof(short_message);
  return row;
}

}  // namespace ridge::backends::probe_host
