// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/machine_identity.hpp>

#include <gtest/gtest.h>

#include "fixture_tree.hpp"

namespace ridge::host {
namespace {

TEST(machine_identity, firmware_and_distribution_tell) {
  const fixture_tree tree;
  tree.write("sys/class/dmi/id/sys_vendor", "Supermicro");
  tree.write("sys/class/dmi/id/product_name", "SYS-821GE-TNHR");
  tree.write("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nPRETTY=no");
  const auto seen = read_machine_identity(tree.root());
  EXPECT_EQ(seen.product, "Supermicro SYS-821GE-TNHR");
  EXPECT_EQ(seen.operating_system, "Debian GNU/Linux 12 (bookworm)");
}

TEST(machine_identity, what_is_missing_is_empty) {
  const fixture_tree tree;
  tree.write("sys/class/dmi/id/product_name", "KVM");
  EXPECT_EQ(read_machine_identity(tree.root()).product, "KVM");
  EXPECT_EQ(read_machine_identity(tree.root()).operating_system, "");
}

}  // namespace
}  // namespace ridge::host
