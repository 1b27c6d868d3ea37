// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fmt/format.h>

#include <ridge/probe/machine_facts.hpp>

// Machines that were never built, for looking at their trees.
namespace ridge::probe {

inline constexpr std::size_t kib = 1024, mib = 1024 * kib, gib = 1024 * mib;

inline std::vector<int> range(int first, int count) {
  std::vector<int> all;
  for (int i = 0; i < count; ++i) all.push_back(first + i);
  return all;
}

inline void add_cache(host::topology& machine, int level, host::cache_kind kind, std::size_t bytes,
                      std::vector<int> cpus) {
  machine.caches.push_back(
      {.level = level, .kind = kind, .bytes = bytes, .line_bytes = 64, .cpus = std::move(cpus)});
}

// Two sockets of 56 cores with two threads each, a node a socket.
inline host::topology two_sockets() {
  constexpr int per_socket = 56, cores = 2 * per_socket;
  host::topology t;
  t.allowed = range(0, 2 * cores);
  for (int c = 0; c < cores; ++c) {
    const std::vector cpus{c, c + cores};
    t.cores.push_back({c / per_socket, c % per_socket, cpus});
    add_cache(t, 1, host::cache_kind::data, 48 * kib, cpus);
    add_cache(t, 1, host::cache_kind::instruction, 32 * kib, cpus);
    add_cache(t, 2, host::cache_kind::unified, 2 * mib, cpus);
  }
  for (int s = 0; s < 2; ++s) {
    auto cpus = range(s * per_socket, per_socket);
    const auto second = range(cores + s * per_socket, per_socket);
    cpus.insert(cpus.end(), second.begin(), second.end());
    add_cache(t, 3, host::cache_kind::unified, 105 * mib, cpus);
    t.nodes.push_back({s, cpus, 1008 * gib, s == 0 ? std::vector{10, 21} : std::vector{21, 10}});
  }
  t.memory_bytes = 2016 * gib;
  t.available_bytes = 1900 * gib;
  t.cgroup.version = 2;
  t.cpu = {"Intel(R) Xeon(R) Platinum 8480C", "GenuineIntel", 6, 143, 8, "0x2b000603"};
  t.system = {"6.8.0-60-generic", "", "madvise", 2, "performance", true, true, 2};
  return t;
}

inline constexpr host::pci_link gen5_by_16{32, 16, 32, 16};

inline host::pci_device pci_at(std::string address, std::uint32_t class_code, std::uint16_t vendor,
                               std::uint16_t device, std::string driver, int node) {
  host::pci_device d{
      .address = std::move(address), .class_code = class_code, .vendor = vendor, .device = device};
  d.driver = std::move(driver), d.link = gen5_by_16, d.numa_node = node;
  return d;
}

inline gpu_capability h200() {
  gpu_capability c{.major = 9, .minor = 0, .processors = 132};
  c.memory_bytes = 139.8 * static_cast<double>(gib);
  c.sm_clock_hz = 1.98e9, c.memory_clock_hz = 3.201e9, c.memory_bus_bits = 6016;
  c.l2_bytes = 60.0 * mib, c.persisting_l2_bytes = 37.5 * mib;
  c.shared_per_processor_bytes = 228.0 * kib, c.shared_per_block_bytes = 48.0 * kib;
  c.shared_per_block_at_most_bytes = 227.0 * kib;
  c.registers_per_processor = 65536, c.registers_per_block = 65536, c.threads_per_processor = 2048;
  c.threads_per_block = 1024, c.blocks_per_processor = 32, c.copy_engines = 3;
  c.cooperative_launch = c.clusters = c.memory_pools = c.managed_memory = c.unified_addressing = true;
  c.gpudirect_rdma = true;
  return c;
}

inline gpu_facts h200_at(int index, std::string address, int node) {
  gpu_facts g{.index = index, .name = "NVIDIA H200", .address = std::move(address)};
  g.uuid_hash = fmt::format("{:016x}", 0x9e3779b97f4a7c15u * static_cast<unsigned long>(index + 1));
  g.capability = h200(), g.compute_mode = "default", g.ecc = true, g.host_node = node;
  g.persistence = true, g.mig = false, g.video_bios = "96.00.BC.00.01";
  for (int l = 0; l < 18; ++l)
    g.links.push_back({l, 4, 26.562e9, nvlink_end::nvswitch, fmt::format("0000:0{}:00.0", 5 + l % 4)});
  for (int peer = 0; peer < 8; ++peer) {
    if (peer != index) g.peers.push_back(peer);
  }
  return g;
}

// Each GPU shares a switch with a network adapter; those of the second socket's last one run at half width.
inline void add_gpu_slot(machine_facts& machine, int index) {
  const int node = index / 4, base = 0x15 + index * 0x10;
  const auto at = [&](int bus, const char* function) {
    return fmt::format("0000:{:02x}:{}", base + bus, function);
  };
  const host::pci_link up{32, index == 7 ? 8 : 16, 32, 16};
  auto port = pci_at(at(0, "01.0"), 0x060400, 0x8086, 0x352a, "pcieport", node);
  port.link = up;
  const std::vector<host::pci_hop> to_switch{{port.address, up}, {at(1, "00.0"), up}};
  const auto below = [&](host::pci_device device, const char* down) {
    device.bridges = to_switch;
    device.bridges.push_back({at(2, down), gen5_by_16});
    machine.pci.push_back(std::move(device));
  };
  machine.pci.push_back(port);
  below(pci_at(at(3, "00.0"), 0x030200, 0x10de, 0x2335, "nvidia", node), "00.0");
  below(pci_at(at(4, "00.0"), 0x020700, 0x15b3, 0x1021, "mlx5_core", node), "01.0");
  machine.rdma.push_back(
      {fmt::format("mlx5_{}", index), "400 Gb/sec (4X NDR)", "ACTIVE", "InfiniBand", node, at(4, "00.0")});
  machine.network.push_back({fmt::format("ib{}", index), host::network_kind::device, "mlx5_core", "up",
                             400000, 4092, node, at(4, "00.0")});
}

inline machine_facts eight_gpus() {
  machine_facts f;
  f.name = "intel-xeon-platinum-x112-nvidia-h200-x8";
  f.topology = two_sockets();
  f.identity = {"Supermicro SYS-821GE-TNHR", "Ubuntu 22.04.5 LTS"};
  f.isa = {"sse2",     "avx",         "avx2",     "fma",      "avx512f",
           "avx512bw", "avx512_bf16", "amx_tile", "amx_bf16", "amx_int8"};
  gpu_survey survey{.driver = "13.0", .runtime = "13.0"};
  for (int g = 0; g < 8; ++g) {
    add_gpu_slot(f, g);
    survey.gpus.push_back(h200_at(g, fmt::format("0000:{:02x}:00.0", 0x18 + g * 0x10), g / 4));
  }
  f.gpus = survey;
  auto disk = pci_at("0000:65:00.0", 0x010802, 0x144d, 0xa824, "nvme", 0);
  disk.link = {16, 4, 16, 4}, disk.bridges = {{"0000:64:01.0", {16, 4, 32, 4}}};
  f.pci.push_back(disk);
  f.disks.push_back({"nvme0n1",
                     "SAMSUNG MZQL23T8HCLS-00A07",
                     3840755982336,
                     false,
                     "none",
                     1023,
                     128 * kib,
                     "write through",
                     0,
                     "0000:65:00.0",
                     {},
                     {{"/", "ext4", "/dev/nvme0n1p2", "259:2", "rw"}}});
  f.pci.push_back(pci_at("0000:00:14.0", 0x0c0330, 0x8086, 0x1bcd, "xhci_hcd", 0));
  f.mounts = {{"/", "ext4", "/dev/nvme0n1p2", "259:2", "rw"},
              {"/data", "nfs4", "filer:/export", "0:77", "rw"},
              {"/dev/shm", "tmpfs", "tmpfs", "0:23", "rw,size=1056964608k"}};
  f.network.push_back({"lo", host::network_kind::loopback, "", "unknown", {}, 65536, {}, ""});
  f.network.push_back({"docker0", host::network_kind::virtual_device, "", "down", {}, 1500, {}, ""});
  f.limits = {host::process_limit{8 * mib, 8 * mib}, host::process_limit{1024, 524288}, host::process_limit{},
              host::process_limit{8 * mib, host::no_limit}};
  f.libraries = {{"OpenBLAS", std::string("OpenBLAS 0.3.21")},
                 {"oneDNN", error{"libdnnl.so.3 is not there", "install libdnnl3"}}};
  f.tools = {
      {"gcc", "/usr/bin/gcc", "12.2.0"}, {"nvcc", "/usr/local/cuda/bin/nvcc", "13.0.88"}, {"clang", "", ""}};
  return f;
}

inline machine_facts virtual_machine() {
  machine_facts f;
  f.name = "intel-xeon-x2";
  auto& t = f.topology;
  t.allowed = {0, 1};
  t.cores = {{0, 0, {0}}, {0, 1, {1}}};
  add_cache(t, 3, host::cache_kind::unified, 260 * mib, {0, 1});
  t.nodes = {{0, {0, 1}, 0, {}}};
  t.memory_bytes = 16 * gib;
  t.cgroup = {.version = 2, .cpus = 1.5, .memory_bytes = 4 * gib};
  t.system = {"6.1.0", "KVM", "madvise", 2, "", {}, {}, {}};
  f.isa = {"sse2", "avx", "avx2", "fma"};
  f.container = "Kubernetes";
  auto adapter = pci_at("0000:00:03.0", 0x020000, 0x1af4, 0x1041, "virtio-pci", -1);
  adapter.link = {}, adapter.numa_node = std::nullopt;
  f.pci = {adapter};
  f.network = {{"eth0", host::network_kind::device, "virtio_net", "up", {}, 1500, {}, "0000:00:03.0"}};
  f.mounts = {{"/", "overlay", "overlay", "0:40", "rw"}};
  f.gpus = error{"no NVIDIA driver shows a GPU here", ""};
  return f;
}

// A Grace processor: 72 cores of one thread, a memory node without CPUs beside it (the GPU's).
inline machine_facts grace() {
  machine_facts f;
  f.name = "arm-neoverse-v2-x72";
  auto& t = f.topology;
  t.allowed = range(0, 72);
  for (int c = 0; c < 72; ++c) {
    t.cores.push_back({0, c, {c}});
    add_cache(t, 2, host::cache_kind::unified, 1 * mib, {c});
  }
  add_cache(t, 3, host::cache_kind::unified, 114 * mib, t.allowed);
  t.nodes = {{0, t.allowed, 480 * gib, {10, 80}}, {1, {}, 96 * gib, {80, 10}}};
  t.memory_bytes = 576 * gib;
  t.cpu.vendor = "ARM";
  f.isa = {"neon", "fp16", "bf16", "i8mm", "sve", "sve2"};
  f.gpus = error{"this build has no CUDA", ""};
  return f;
}

}  // namespace ridge::probe
