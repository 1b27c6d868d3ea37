// SPDX-License-Identifier: Apache-2.0
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <limits>
#include <memory>
#include <optional>

#include <ridge/host/topology.hpp>
#include <ridge/measure/child_events.hpp>

#include "event_names.hpp"
#include "group_reading.hpp"
#include "refusal.hpp"

namespace ridge::backends::measure_perf_event {
namespace {

// A child inherits the counter, which its exec starts, and adds its count to ours when it ends. Groups cannot
// be inherited, so each event stands alone.
int open_inherited(const event_code& code, bool user_only) {
  perf_event_attr attributes{};
  attributes.type = code.type;
  attributes.size = sizeof(attributes);
  attributes.config = code.config;
  attributes.disabled = 1;
  attributes.inherit = 1;
  attributes.enable_on_exec = 1;
  attributes.exclude_kernel = user_only ? 1 : 0;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

class inherited_events final : public measure::child_events {
 public:
  explicit inherited_events(const std::vector<std::string>& wanted) {
    for (const auto& name : wanted) add(name);
  }
  ~inherited_events() override {
    for (const int descriptor : descriptors_) close(descriptor);
  }
  inherited_events(const inherited_events&) = delete;
  inherited_events& operator=(const inherited_events&) = delete;

  const std::vector<std::string>& names() const override { return names_; }
  const std::vector<std::pair<std::string, std::string>>& refused() const override { return refused_; }

  std::vector<measure::counter_value> read() const override {
    std::vector<measure::counter_value> values;
    for (std::size_t i = 0; i < descriptors_.size(); ++i) {
      std::array<std::uint64_t, 3> words{};  // the count, and how long it was enabled and ran
      const bool whole = ::read(descriptors_[i], words.data(), sizeof(words)) == ssize_t{sizeof(words)};
      const auto count = whole ? decode_count(words) : std::nullopt;
      values.push_back({names_[i], count.value_or(std::numeric_limits<double>::quiet_NaN())});
    }
    return values;
  }

 private:
  void add(const std::string& name) {
    const auto code = event_named(name);
    if (!code) {
      refused_.emplace_back(name, "no such event; known: " + known_event_names());
      return;
    }
    auto shown = name;
    int descriptor = open_inherited(*code, false);
    if (descriptor < 0 && (errno == EACCES || errno == EPERM)) {
      descriptor = open_inherited(*code, true);
      shown += ":u";  // as perf(1) writes that the kernel's part is left out
    }
    if (descriptor < 0) {
      const int why = errno;
      const auto system = host::read_topology().system;
      refused_.emplace_back(name, refusal(why, system.perf_event_paranoid, system.hypervisor));
      return;
    }
    descriptors_.push_back(descriptor);
    names_.push_back(shown);
  }

  std::vector<int> descriptors_{};
  std::vector<std::string> names_{};
  std::vector<std::pair<std::string, std::string>> refused_{};
};

}  // namespace

std::unique_ptr<measure::child_events> events_of_children(const std::vector<std::string>& names) {
  return std::make_unique<inherited_events>(names);
}

}  // namespace ridge::backends::measure_perf_event
