// SPDX-License-Identifier: Apache-2.0
#include "view/screen_state.hpp"

#include <algorithm>
#include <utility>

namespace ridge::tui {

using std::chrono::steady_clock;

void screen_state::tell(settings given) {
  given_ = std::move(given);
  renew();
}

const error* screen_state::problem() const { return content_ && !*content_ ? &content_->why() : nullptr; }

bool screen_state::refresh(workspace& work, const std::string& version, steady_clock::time_point now) {
  const bool asked = due_ && now >= *due_;
  const bool by_itself =
      which_->refresh_s > 0 && std::chrono::duration<double>(now - made_).count() >= which_->refresh_s;
  if (content_ && !asked && !by_itself && version == version_) return false;
  const auto selected = selected_rows();
  content_ = make_page(*which_, work, given_);
  version_ = version;
  made_ = now;
  due_.reset();
  restore(selected);
  return true;
}

std::vector<std::string> screen_state::selected_rows() {
  std::vector<std::string> all;
  const auto* const shown = content();
  if (shown == nullptr) return all;
  for (std::size_t i = 0; i < shown->panes.size(); ++i) {
    const auto* const sheet = std::get_if<report::sheet>(&shown->panes[i]);
    const auto rows = sheet == nullptr ? std::vector<std::size_t>{} : shown_rows(*sheet, state_of(i).table);
    const auto selected = state_of(i).table.selected;
    all.push_back(selected < rows.size() ? identity_of(*sheet, sheet->rows[rows[selected]]) : std::string{});
  }
  return all;
}

void screen_state::restore(const std::vector<std::string>& selected) {
  const auto* const shown = content();
  if (shown == nullptr) return;
  panes_.resize(std::max(panes_.size(), shown->panes.size()));
  if (pane_ >= shown->panes.size()) pane_ = 0;
  for (std::size_t i = 0; i < std::min(selected.size(), shown->panes.size()); ++i) {
    const auto* const sheet = std::get_if<report::sheet>(&shown->panes[i]);
    if (sheet == nullptr || selected[i].empty()) continue;
    const auto rows = shown_rows(*sheet, panes_[i].table);
    const auto found = std::ranges::find_if(
        rows, [&](std::size_t row) { return identity_of(*sheet, sheet->rows[row]) == selected[i]; });
    if (found != rows.end()) panes_[i].table.selected = static_cast<std::size_t>(found - rows.begin());
  }
}

void screen_state::next_pane(int step) {
  const auto* const shown = content();
  if (shown == nullptr || shown->panes.empty()) return;
  const auto count = static_cast<int>(shown->panes.size());
  pane_ = static_cast<std::size_t>((static_cast<int>(pane_) + step + count) % count);
}

pane_state& screen_state::state_of(std::size_t index) {
  if (index >= panes_.size()) panes_.resize(index + 1);
  return panes_[index];
}

const report::sheet* screen_state::table() const {
  const auto* const shown = content();
  if (shown == nullptr || pane_ >= shown->panes.size()) return nullptr;
  return std::get_if<report::sheet>(&shown->panes[pane_]);
}

const report::row* screen_state::row() {
  const auto* const sheet = table();
  if (sheet == nullptr) return nullptr;
  const auto& state = state_of(pane_).table;
  const auto rows = shown_rows(*sheet, state);
  return state.selected < rows.size() ? &sheet->rows[rows[state.selected]] : nullptr;
}

void screen_state::move(long step) {
  auto& state = state_of(pane_);
  const auto moved = [step](std::size_t place) {
    return step < 0 && place < static_cast<std::size_t>(-step) ? 0 : place + static_cast<std::size_t>(step);
  };
  const auto* const sheet = table();
  if (sheet == nullptr) {
    state.top = moved(state.top);
    return;
  }
  const auto rows = shown_rows(*sheet, state.table).size();
  state.table.selected = rows == 0 ? 0 : std::min(moved(state.table.selected), rows - 1);
  follow();
}

void screen_state::follow() {
  if (which_->follows.empty() || pane_ != 0) return;
  const auto* const selected = row();
  if (selected == nullptr) return;
  const auto value = value_of(*table(), *selected, which_->follows);
  if (value.empty() || given_[std::string(which_->follows)] == value) return;
  given_[std::string(which_->follows)] = value;
  // A key that is held down must not ask the store for every row that it passes.
  constexpr auto rest = std::chrono::milliseconds(120);
  renew(steady_clock::now() + rest);
}

void screen_state::mark() {
  const auto* const selected = row();
  if (selected == nullptr) return;
  auto identity = identity_of(*table(), *selected);
  if (marked_.erase(identity) == 0) marked_.insert(std::move(identity));
}

std::vector<const report::row*> screen_state::marked_rows() const {
  std::vector<const report::row*> rows;
  const auto* const sheet = table();
  if (sheet == nullptr) return rows;
  for (const auto& r : sheet->rows) {
    if (marked_.contains(identity_of(*sheet, r))) rows.push_back(&r);
  }
  return rows;
}

}  // namespace ridge::tui
