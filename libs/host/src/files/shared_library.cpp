// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/shared_library.hpp>

#include <dlfcn.h>

#include <ridge/base/error.hpp>

namespace ridge::host {

shared_library::shared_library(const std::vector<std::string>& names, std::string_view product,
                               std::string_view remedy)
    : product_(product), remedy_(remedy) {
  std::string reason, tried;
  for (const auto& name : names) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) {
      name_ = name;
      return;
    }
    const char* said = dlerror();
    // A file that is not there says less than one that is there and cannot be loaded.
    const bool missing =
        said != nullptr && std::string_view(said).find("No such file") != std::string_view::npos;
    if (said != nullptr && !missing) reason = said;
    tried += (tried.empty() ? "" : ", ") + name;
  }
  if (reason.empty()) reason = "found none of " + tried;
  throw unavailable(product_ + " cannot be loaded (" + reason + ")", remedy_);
}

void* shared_library::symbol(const std::string& name) const {
  void* address = dlsym(handle_, name.c_str());
  if (address == nullptr) {
    throw unavailable(product_ + " has no function " + name + " (" + name_ + ")",
                      "install a newer version: " + remedy_);
  }
  return address;
}

}  // namespace ridge::host
