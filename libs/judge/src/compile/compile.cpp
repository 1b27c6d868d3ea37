// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/temporary_folder.hpp>
#include <ridge/judge/compile.hpp>

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <candidate_interface.hpp>

#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>
#include <ridge/host/child_process.hpp>

#include "sandbox/sandbox.hpp"

namespace ridge::judge {
namespace {

namespace files = std::filesystem;

constexpr std::uint64_t largest_file = std::uint64_t{256} << 20;
constexpr std::size_t shown_lines = 12;
constexpr std::string_view succeeded_mark = "+";

// Writes the interface below the folder, under the path by which sources include it.
void write_interface(const files::path& folder) {
  const auto place = folder / "ridge" / "judge";
  files::create_directories(place);
  std::ofstream(place / "candidate.h") << candidate_interface().front().text;
}

void bound(int resource, std::uint64_t most) {
  const rlimit wanted{.rlim_cur = most, .rlim_max = most};
  ::setrlimit(static_cast<decltype(RLIMIT_AS)>(resource), &wanted);
}

// Leaves the search path alone in the environment.
void empty_environment() {
  const char* seen = std::getenv("PATH");
  const std::string path = seen != nullptr ? seen : "/usr/bin:/bin";
  ::clearenv();
  ::setenv("PATH", path.c_str(), 1);
}

// Gives up what a compiler does not need, in the child. What the kernel refuses stays.
void confine(const files::path& source, const files::path& folder, const compile_options& options) {
  empty_environment();
  static_cast<void>(::unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC));
  bound(RLIMIT_AS, options.memory_limit);
  bound(RLIMIT_FSIZE, largest_file);
  bound(RLIMIT_CORE, 0);
  bound(RLIMIT_CPU, static_cast<std::uint64_t>(options.time_limit_s) + 1);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  static_cast<void>(restrict_files(source.string(), folder.string()));
}

// The path of nvcc: in PATH, or where the toolkit is installed by default; empty where there is none.
std::string nvcc_of_machine() {
  const char* seen = std::getenv("PATH");
  std::vector<std::string> folders;
  for (const auto folder : split(seen != nullptr ? seen : "", ':')) folders.emplace_back(folder);
  folders.emplace_back("/usr/local/cuda/bin");
  for (const auto& folder : folders) {
    auto path = folder + "/nvcc";
    if (!folder.empty() && ::access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

std::vector<std::string> command_of(const files::path& source, const files::path& folder,
                                    const compile_options& options) {
  std::vector<std::string> words{options.gpu_architecture.empty() ? options.compiler : nvcc_of_machine()};
  for (const auto& flag : default_flags(options.gpu_architecture)) words.push_back(flag);
  words.insert(words.end(), options.flags.begin(), options.flags.end());
  const std::string independent = options.gpu_architecture.empty() ? "-fPIC" : "-Xcompiler=-fPIC";
  for (const auto& word : {std::string("-shared"), independent, "-I" + folder.string(), std::string("-o"),
                           (folder / "candidate.so").string(), source.string()})
    words.push_back(word);
  return words;
}

std::string first_lines(const std::string& all) {
  const auto lines = split(trim(all), '\n');
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), shown_lines); ++i)
    text += fmt::format("{}{}", text.empty() ? "" : "\n", lines[i]);
  return text;
}

}  // namespace

std::vector<std::string> default_flags(const std::string& gpu_architecture) {
  if (!gpu_architecture.empty())
    return {"-std=c++20", "-O3", "-arch=" + gpu_architecture, "-Xcompiler=-march=native,-ffp-contract=off"};
  return {"-std=c++20", "-O3", "-march=native", "-ffp-contract=off"};
}

std::string architecture_of(device::compute_capability gpu) {
  constexpr int first_with_own_instructions = 9;  // which "sm_90" leaves out, and "sm_90a" has
  return fmt::format("sm_{}{}{}", gpu.major, gpu.minor, gpu.major >= first_with_own_instructions ? "a" : "");
}

result<compiled_candidate> compile(const files::path& source, const compile_options& options) {
  const auto whole = files::absolute(source);
  if (std::error_code failed; !files::is_regular_file(whole, failed))
    return error{fmt::format("{} is not a file", source.string()),
                 "name a shared object (.so) or a source (.cpp, .cu)"};
  if (!options.gpu_architecture.empty() && nvcc_of_machine().empty())
    return error{
        fmt::format("nvcc, which compiles {}, is neither in PATH nor below /usr/local/cuda", source.string()),
        "install the CUDA toolkit, or compile it elsewhere to a shared object (.so)"};
  compiled_candidate made(scratch_folder("ridge-judge"));
  write_interface(made.folder());
  const auto child = host::run_forked(
      [&] {
        confine(whole, made.folder(), options);
        const auto done = host::run_program(
            {.command = command_of(whole, made.folder(), options),
             .variables = {{"TMPDIR", made.folder().string()}, {"LC_ALL", "C"}, {"CCACHE_DISABLE", "1"}},
             .one_stream = true});
        if (host::succeeded(done.outcome)) return std::string(succeeded_mark);
        return fmt::format("the compiler {}\n{}", host::text(done.outcome), done.output);
      },
      options.time_limit_s);
  if (!host::succeeded(child.outcome))
    return error{fmt::format("compiling {} {}", source.string(), host::text(child.outcome)),
                 "raise --compile-limit, or compile it to a shared object yourself"};
  if (child.output != succeeded_mark)
    return error{fmt::format("{} does not compile: {}", source.string(), first_lines(child.output)), ""};
  return made;
}

}  // namespace ridge::judge
