// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <ridge/gpu/check.hpp>
#include <ridge/gpu/nvml_device.hpp>
#include <ridge/probe/gpu_describer.hpp>

namespace ridge::backends::probe_cuda {
namespace {

// The generation for NVML's number of a link's version
// (NVML_NVLINK_VERSION_*): 1.0, 2.0, 2.2, 3.0, 3.1, 4.0, 5.0.
int nvlink_generation(unsigned version) {
  constexpr std::array generations{0, 1, 2, 2, 3, 3, 4, 5};
  return version < generations.size() ? generations[version] : 0;
}

using probe::gpu_facts;

// The attribute's value, 0 where this runtime or driver does not know the attribute.
int device_attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, device) == cudaSuccess) return value;
  static_cast<void>(cudaGetLastError());
  return 0;
}

// The PCI address as sysfs writes it, in lower case.
std::string address_of(int device) {
  std::array<char, 32> text{};
  gpu::check(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device),
             "cudaDeviceGetPCIBusId");
  std::string address = text.data();
  std::ranges::transform(address, address.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return address;
}

// FNV-1a hash of the UUID's bytes: the same GPU gives the same digits, from which the UUID cannot be
// recovered.
std::string hash_of(const cudaUUID_t& uuid) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : uuid.bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

std::string compute_mode(int device) {
  switch (device_attribute(cudaDevAttrComputeMode, device)) {
    case cudaComputeModeDefault:
      return "default";
    case cudaComputeModeProhibited:
      return "prohibited";
    case cudaComputeModeExclusiveProcess:
      return "exclusive process";
    default:
      return "exclusive";
  }
}

void fill_limits(probe::gpu_capability& c, int device) {
  const auto bytes = [device](cudaDeviceAttr which) {
    return static_cast<double>(device_attribute(which, device));
  };
  c.l2_bytes = bytes(cudaDevAttrL2CacheSize);
  c.persisting_l2_bytes = bytes(cudaDevAttrMaxPersistingL2CacheSize);
  c.shared_per_processor_bytes = bytes(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  c.shared_per_block_bytes = bytes(cudaDevAttrMaxSharedMemoryPerBlock);
  c.shared_per_block_at_most_bytes = bytes(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  c.registers_per_processor = device_attribute(cudaDevAttrMaxRegistersPerMultiprocessor, device);
  c.registers_per_block = device_attribute(cudaDevAttrMaxRegistersPerBlock, device);
  c.threads_per_processor = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device);
  c.threads_per_block = device_attribute(cudaDevAttrMaxThreadsPerBlock, device);
  c.blocks_per_processor = device_attribute(cudaDevAttrMaxBlocksPerMultiprocessor, device);
}

void fill_abilities(probe::gpu_capability& c, int device) {
  const auto can = [device](cudaDeviceAttr which) { return device_attribute(which, device) != 0; };
  c.copy_engines = device_attribute(cudaDevAttrAsyncEngineCount, device);
  c.cooperative_launch = can(cudaDevAttrCooperativeLaunch);
  c.clusters = can(cudaDevAttrClusterLaunch);
  c.memory_pools = can(cudaDevAttrMemoryPoolsSupported);
  c.managed_memory = can(cudaDevAttrConcurrentManagedAccess);
  c.unified_addressing = can(cudaDevAttrUnifiedAddressing);
  c.pageable_access = can(cudaDevAttrPageableMemoryAccess);
  c.host_page_tables = can(cudaDevAttrPageableMemoryAccessUsesHostPageTables);
  c.gpudirect_rdma = can(cudaDevAttrGPUDirectRDMASupported);
  c.integrated = can(cudaDevAttrIntegrated);
}

probe::gpu_capability capability_of(int device, double memory_bytes) {
  constexpr double khz = 1000;
  probe::gpu_capability c{.major = device_attribute(cudaDevAttrComputeCapabilityMajor, device),
                          .minor = device_attribute(cudaDevAttrComputeCapabilityMinor, device),
                          .processors = device_attribute(cudaDevAttrMultiProcessorCount, device),
                          .memory_bytes = memory_bytes,
                          .sm_clock_hz = device_attribute(cudaDevAttrClockRate, device) * khz,
                          .memory_clock_hz = device_attribute(cudaDevAttrMemoryClockRate, device) * khz,
                          .memory_bus_bits = device_attribute(cudaDevAttrGlobalMemoryBusWidth, device)};
  fill_limits(c, device);
  fill_abilities(c, device);
  return c;
}

std::vector<int> reachable_peers(int device, int count) {
  std::vector<int> peers;
  for (int other = 0; other < count; ++other) {
    int may = 0;
    if (other != device && cudaDeviceCanAccessPeer(&may, device, other) == cudaSuccess && may != 0)
      peers.push_back(other);
  }
  return peers;
}

probe::nvlink_end end_of(gpu::link_end end) {
  switch (end) {
    case gpu::link_end::gpu:
      return probe::nvlink_end::gpu;
    case gpu::link_end::nvswitch:
      return probe::nvlink_end::nvswitch;
    case gpu::link_end::unknown:
      break;
  }
  return probe::nvlink_end::unknown;
}

// Fills in what only NVML reports; without NVML it stays unknown.
void ask_nvml(gpu_facts& about) {
  const auto& functions = gpu::nvml();
  if (!functions) return;
  const auto device = gpu::nvml_device::find(*functions, about.address);
  if (!device) return;
  const auto& d = *device;
  if (const auto mode = d.persistence_mode()) about.persistence = *mode;
  if (const auto mode = d.mig_mode()) about.mig = *mode;
  if (const auto version = d.video_bios()) about.video_bios = *version;
  if (const auto link = d.pcie_link()) {
    about.bus = {static_cast<int>(link->generation), static_cast<int>(link->width),
                 static_cast<int>(link->max_generation), static_cast<int>(link->max_width)};
  }
  const auto links = d.nvlinks();
  if (!links) return;
  for (const auto& l : links.value()) {
    about.links.push_back({static_cast<int>(l.index), nvlink_generation(l.version), l.bytes_per_s,
                           end_of(l.end), l.far_bus_id});
  }
}

gpu_facts describe_one(int device, int count) {
  cudaDeviceProp properties{};
  gpu::check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  gpu_facts about{.index = device, .name = properties.name, .address = address_of(device)};
  about.uuid_hash = hash_of(properties.uuid);
  about.capability = capability_of(device, static_cast<double>(properties.totalGlobalMem));
  about.compute_mode = compute_mode(device);
  about.ecc = device_attribute(cudaDevAttrEccEnabled, device) != 0;
  int node = -1;
  if (cudaDeviceGetAttribute(&node, cudaDevAttrHostNumaId, device) == cudaSuccess && node >= 0)
    about.host_node = node;
  about.peers = reachable_peers(device, count);
  static_cast<void>(cudaGetLastError());
  ask_nvml(about);
  return about;
}

// The version in words: 13020 is "13.2".
std::string version_words(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

class cuda_describer final : public probe::gpu_describer {
 public:
  result<probe::gpu_survey> describe() override {
    try {
      int count = 0, driver = 0, runtime = 0;
      gpu::check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
      gpu::check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
      gpu::check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
      probe::gpu_survey survey{.driver = version_words(driver), .runtime = version_words(runtime)};
      for (int device = 0; device < count; ++device) survey.gpus.push_back(describe_one(device, count));
      return survey;
    } catch (const failure& no_gpu) {
      return no_gpu.why();
    }
  }
};

}  // namespace

std::unique_ptr<probe::gpu_describer> make_describer() { return std::make_unique<cuda_describer>(); }

}  // namespace ridge::backends::probe_cuda
