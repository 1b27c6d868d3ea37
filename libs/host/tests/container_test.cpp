// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/container.hpp>

#include <gtest/gtest.h>

#include "fixture_tree.hpp"

namespace ridge::host {
namespace {

TEST(container, marks_and_control_groups_tell_the_kind) {
  const fixture_tree docker, kubernetes, lxc, bare;
  docker.write(".dockerenv", "");
  kubernetes.write(".dockerenv", "");
  kubernetes.write("proc/1/cgroup", "0::/kubepods/besteffort/pod1/abc");
  lxc.write("proc/1/cgroup", "3:memory:/lxc/web");
  bare.write("proc/1/cgroup", "0::/init.scope");
  EXPECT_EQ(container_kind(docker.root()), "Docker");
  EXPECT_EQ(container_kind(kubernetes.root()), "Kubernetes");
  EXPECT_EQ(container_kind(lxc.root()), "LXC");
  EXPECT_EQ(container_kind(bare.root()), "");
}

}  // namespace
}  // namespace ridge::host
