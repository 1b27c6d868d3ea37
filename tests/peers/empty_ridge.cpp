// SPDX-License-Identifier: Apache-2.0
// An empty body called argv[1] times by the harness's loop, for counting its instructions.
#include <cstdlib>

#include "empty_body.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  ridge::peers::nothing workload;
  ridge::call c(ridge::call_resources{});
  ridge::peers::empty_body(workload)->run(c, std::strtoull(argv[1], nullptr, 10));
  return 0;
}
