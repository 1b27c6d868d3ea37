// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/machine_facts.hpp>

#include <ridge/host/container.hpp>

namespace ridge::probe {

machine_facts read_machine_facts(const std::filesystem::path& root) {
  machine_facts facts;
  facts.topology = host::read_topology(root);
  facts.identity = host::read_machine_identity(root);
  facts.container = host::container_kind(root);
  facts.isa = host::isa_names();
  facts.pci = host::read_pci_devices(root);
  facts.network = host::read_network_interfaces(root);
  facts.rdma = host::read_rdma_devices(root);
  facts.disks = host::read_block_devices(root);
  facts.mounts = host::read_mounts(root);
  facts.limits = host::read_process_limits(root);
  return facts;
}

}  // namespace ridge::probe
