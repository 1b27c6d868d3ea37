// SPDX-License-Identifier: Apache-2.0
#include "modules/module_file.hpp"

#include <dlfcn.h>

#include <string_view>

#include <fmt/format.h>

#include <interface_digest.hpp>

namespace ridge::app {

std::filesystem::path module_folder() {
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  return program.parent_path().parent_path() / "lib" / "ridge";
}

result<const void*> open_module(const std::filesystem::path& path, const std::string& symbol,
                                const std::string& rebuild) {
  // It is never closed, since values that it made (experiments, commands) hold its code.
  void* object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) {
    const char* why = dlerror();
    return error{fmt::format("{} cannot be opened: {}", path.string(), why == nullptr ? "unknown" : why),
                 fmt::format("`{}` builds it again", rebuild)};
  }
  const void* found = dlsym(object, symbol.c_str());
  if (found == nullptr)
    return error{fmt::format("{} is not a module of Ridge: it has no symbol {}", path.string(), symbol),
                 fmt::format("`{}` builds it again", rebuild)};
  const std::string_view digest = *static_cast<const char* const*>(found);
  if (digest != interface_digest)
    return error{fmt::format("{} was built for another version of this program (interface {} instead of {})",
                             path.string(), digest, interface_digest),
                 fmt::format("`{}` builds it again", rebuild)};
  return found;
}

}  // namespace ridge::app
