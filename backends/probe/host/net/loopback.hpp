// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/model/ceiling.hpp>
#include <ridge/probe/prober.hpp>

#include "net/sockets.hpp"
#include "os/cpu_pair.hpp"

// Probes between threads of this process, never to another machine. Each throws unavailable where sockets are
// forbidden and failure where the other thread does not answer or a message arrives wrong.
namespace ridge::backends::probe_host {

// Returns the bytes per second through `cpus.size() / 2` connections at once: senders run on the CPUs with
// even index, receivers on those with odd index.
[[nodiscard]] model::ceiling stream_through(const probe::request& request, transport transport,
                                            std::string id, const std::vector<int>& cpus,
                                            const socket_maker& make = make_socket);

// Returns the time of 64 bytes to the other thread and back.
[[nodiscard]] model::ceiling round_trip(const probe::request& request, transport transport, waiting wait,
                                        std::string id, const cpu_pair& pair,
                                        const socket_maker& make = make_socket);

// Returns the same through a ring in shared memory while both sides spin: the rate of 4 KiB messages and the
// round trip of 64 bytes.
[[nodiscard]] std::vector<model::ceiling> through_ring(const probe::request& request, const cpu_pair& pair);

}  // namespace ridge::backends::probe_host
