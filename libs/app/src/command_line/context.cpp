// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/context.hpp>

#include <cerrno>
#include <cstdio>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>

namespace ridge::app {

void context::print(std::string_view text) const {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if ((!written || std::fflush(stdout) != 0) && print_error == 0) print_error = errno != 0 ? errno : EIO;
}

void context::tell(std::string_view text) const {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

int context::refuse(const error& why, int code) const {
  tell(fmt::format("{} {}\n", paint(err, report::tone::bad, "ridge:"), terminal_escaped(why.text())));
  return code;
}

}  // namespace ridge::app
