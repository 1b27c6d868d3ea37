// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/critical_path.hpp>

namespace ridge::trace {

struct path_graph::state {
  time_range window{};
};

path_graph::path_graph(const trace&, std::span<const work_class>, const path_options& options)
    : state_(std::make_unique<state>()) {
  state_->window = options.window.value_or(time_range{});
}
path_graph::~path_graph() = default;
path_graph::path_graph(path_graph&&) noexcept = default;
path_graph& path_graph::operator=(path_graph&&) noexcept = default;

time_range path_graph::window() const { return state_->window; }
std::size_t path_graph::size() const { return 0; }
critical_path path_graph::path() const { return {}; }
path_slack path_graph::slack() const { return {}; }
path_outcome path_graph::what_if(std::span<const path_change>) const { return {}; }

}  // namespace ridge::trace
