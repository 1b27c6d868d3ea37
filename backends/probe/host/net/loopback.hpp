// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/ceiling.hpp>
#include <ridge/probe/prober.hpp>

#include "net/sockets.hpp"
#include "os/cpu_pair.hpp"

// Between threads of this process, never to another machine. Each throws unavailable where sockets are
// forbidden and failure where the other thread does not answer or a message came out wrong.
namespace ridge::backends::probe_host {

// Bytes per second through `cpus.size() / 2` connections at once: senders on the even ones of them, receivers
// on the odd ones.
[[nodiscard]] model::ceiling stream_through(const probe::request& request, transport transport,
                                            std::string id, const std::vector<int>& cpus,
                                            const socket_maker& make = make_socket);

// There and back, 64 bytes.
[[nodiscard]] model::ceiling round_trip(const probe::request& request, transport transport, waiting wait,
                                        std::string id, const cpu_pair& pair,
                                        const socket_maker& make = make_socket);

// The same through a ring in shared memory, both sides spinning: rate of 4 KiB messages, round trip of 64
// bytes.
[[nodiscard]] std::vector<model::ceiling> through_ring(const probe::request& request, const cpu_pair& pair);

}  // namespace ridge::backends::probe_host
