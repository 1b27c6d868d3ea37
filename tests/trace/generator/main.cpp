// SPDX-License-Identifier: Apache-2.0
// trace_generator FILE EVENTS [SEED]: writes an invented trace; 1900000 events are 500 MB.
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "generator/trace_text.hpp"

int main(int count, char** arguments) {
  if (count < 3 || count > 4) return std::fputs("usage: trace_generator FILE EVENTS [SEED]\n", stderr), 64;
  std::ofstream file(arguments[1], std::ios::binary);
  if (!file) return std::fprintf(stderr, "cannot write %s\n", arguments[1]), 73;
  const auto number = [](const char* text) { return std::strtoull(text, nullptr, 10); };
  ridge::trace::generator::trace_text text(number(arguments[2]), count > 3 ? number(arguments[3]) : 1);
  text.write(
      [&file](std::string_view part) { file.write(part.data(), static_cast<std::streamsize>(part.size())); });
  return file.flush() ? 0 : 74;
}
