// SPDX-License-Identifier: Apache-2.0
#include "tree/pci_names.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace ridge::probe {
namespace {

constexpr std::uint16_t nvidia = 0x10de;

struct named {
  std::uint32_t number;
  std::string_view name;
};

// Vendor identifiers as the PCI-SIG lists them.
constexpr std::array<named, 24> vendors{
    {{0x1002, "AMD"},       {0x1022, "AMD"},       {0x10de, "NVIDIA"},   {0x8086, "Intel"},
     {0x15b3, "Mellanox"},  {0x14e4, "Broadcom"},  {0x1000, "Broadcom"}, {0x10b5, "PLX"},
     {0x11f8, "Microchip"}, {0x1af4, "virtio"},    {0x1b36, "QEMU"},     {0x1d0f, "Amazon"},
     {0x1ae0, "Google"},    {0x1414, "Microsoft"}, {0x15ad, "VMware"},   {0x144d, "Samsung"},
     {0x1344, "Micron"},    {0x1e0f, "Kioxia"},    {0x1c5c, "SK hynix"}, {0x15b7, "SanDisk"},
     {0x1425, "Chelsio"},   {0x1a03, "ASPEED"},    {0x10ec, "Realtek"},  {0x1dd8, "Pensando"}}};

// Classes and subclasses, "PCI Code and ID Assignment Specification".
constexpr std::array<named, 15> classes{{{0x0101, "IDE controller"},
                                         {0x0104, "RAID controller"},
                                         {0x0106, "SATA controller"},
                                         {0x0107, "SAS controller"},
                                         {0x0108, "NVMe controller"},
                                         {0x0100, "SCSI controller"},
                                         {0x0180, "storage controller"},
                                         {0x0200, "Ethernet adapter"},
                                         {0x0207, "InfiniBand adapter"},
                                         {0x0280, "network adapter"},
                                         {0x0300, "display controller"},
                                         {0x0302, "3D controller"},
                                         {0x0380, "display controller"},
                                         {0x0680, "NVSwitch"},
                                         {0x1200, "accelerator"}}};

template <std::size_t N>
std::string_view registered_name(const std::array<named, N>& table, std::uint32_t number) {
  const auto at = std::ranges::find(table, number, &named::number);
  return at == table.end() ? std::string_view{} : at->name;
}

bool is_nvswitch(const host::pci_device& of) { return of.vendor == nvidia && of.class_code >> 8 == 0x0680; }

}  // namespace

std::string pci_name(const host::pci_device& of) {
  const auto vendor = registered_name(vendors, of.vendor);
  const auto sort = registered_name(classes, of.class_code >> 8);
  return fmt::format("{}{}{} {:04x}:{:04x}", vendor, vendor.empty() ? "" : " ",
                     sort.empty() ? "device" : sort, of.vendor, of.device);
}

bool is_display(const host::pci_device& of) { return of.class_code >> 16 == 0x03; }

bool is_of_use(const host::pci_device& of) {
  const auto sort = of.class_code >> 16;
  return sort == 0x01 || sort == 0x02 || is_display(of) || sort == 0x0b || sort == 0x12 || is_nvswitch(of);
}

}  // namespace ridge::probe
