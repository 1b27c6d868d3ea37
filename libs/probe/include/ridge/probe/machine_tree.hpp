// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/model/machine_tree.hpp>
#include <ridge/probe/machine_facts.hpp>

namespace ridge::probe {

// Returns one tree of a whole machine. Its kinds, each below the one it is indented under:
//   machine
//     package            a socket
//       numa_node        its memory, distances; one that spans sockets stands below the machine
//         l3             CPUs that share a last-level cache; its cores, when they are all of one sort
//           cores        those of one sort: threads, private caches
//         root_port, switch   only where several devices share one
//           gpu, network, disk, disks, device    what is attached to the PCI bus, with its link
//     numa_node, devices the same where the firmware names no socket or no node
//     gpu_model          what the GPUs of one model can do, and the state of each (gpu_state)
//     matrix             how GPUs reach each other and the network
//     network            interfaces without a PCI device
//     disks              disks without a PCI device; file systems from elsewhere
//     system             kernel, container, limits, settings
//     instructions       of the CPU
//     software           drivers, libraries, tools
// Devices of no use to computing (USB, timers ...) are left out. What is unknown is left out, never guessed.
[[nodiscard]] model::machine_node machine_tree(const machine_facts& machine);

}  // namespace ridge::probe
