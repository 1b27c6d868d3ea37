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

void echo_through_socket(const local_socket& through, waiting by) {
  short_message bytes{};
  while (receive_all(through, bytes, by) && send_all(through, bytes)) continue;
}

}  // namespace

model::ceiling round_trip(const probe::request& what, transport how, waiting by, std::string id,
                          const cpu_pair& on, const socket_maker& make) {
  const host::scoped_affinity here(on.first);
  const auto ends = connect_pair(how, make);
  partner other(
      on.second, [&](const std::stop_token&) { echo_through_socket(ends.far, by); }, [&] { ends.far.end(); });
  std::uint64_t count = 0;
  short_message sent{}, back{};
  const auto once = [&] {
    ++count;
    std::memcpy(sent.data(), &count, sizeof count);
    const auto begin = what.clock.now();
    if (!send_all(ends.near, sent) || !receive_all(ends.near, back, by)) other.lost();
    const double s = what.clock.seconds(what.clock.now() - begin);
    if (back != sent) throw failure({"a message came back other than it was sent", ""});
    return s;
  };
  const auto found = observe(what.clock, {time_of_row(what.how)}, gives_way::yes, once);
  auto row = row_of_times(
      std::move(id),
      std::string(how == transport::tcp ? "TCP" : "a Unix socket") + ", 64 B there and back, " + on.words,
      found, by == waiting::busy ? "both sides ask again and again" : "both sides sleep");
  row.threads = 2;
  row.size_bytes = sizeof(short_message);
  return row;
}

}  // namespace ridge::backends::probe_host
