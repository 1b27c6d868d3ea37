// SPDX-License-Identifier: Apache-2.0
// Gives every file named on the command line to the fuzz entry once, as libFuzzer does outside of fuzzing.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int count, char** files) {
  if (count < 2) return std::fputs("no corpus file given\n", stderr), 64;
  for (int i = 1; i < count; ++i) {
    std::ifstream file(files[i], std::ios::binary);
    if (!file) return std::fprintf(stderr, "cannot read %s\n", files[i]), 66;
    const std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
}
