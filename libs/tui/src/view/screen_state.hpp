// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "screens/screen.hpp"
#include "view/draw_table.hpp"
#include "view/table_state.hpp"

namespace ridge::tui {

// What a person did to one pane.
struct pane_state {
  table_state table{};
  std::size_t top = 0;  // the first line of a text
};

// One screen as it is looked at: what it was told, its page, and where the person is in it. It outlives
// visits to other screens.
class screen_state final {
 public:
  explicit screen_state(const screen& which) : which_(&which) {}

  [[nodiscard]] const screen& which() const { return *which_; }
  [[nodiscard]] const settings& given() const { return given_; }
  // Tells the screen something else; its page is made anew when it is looked at.
  void tell(settings given);
  // Asks for a new page at this moment or later.
  void renew(std::chrono::steady_clock::time_point moment = {}) { due_ = moment; }

  // Makes the page where that is due: it was asked for, the screen changes by itself, or the store's version
  // is another. Returns whether it was made. Selected rows stay selected.
  bool refresh(workspace& work, const std::string& version, std::chrono::steady_clock::time_point now);

  // Returns the page; null while there is an error in its place.
  [[nodiscard]] const page* content() const { return content_ && *content_ ? &**content_ : nullptr; }
  [[nodiscard]] const error* problem() const;

  // The pane that is looked at; it exists wherever there is a page with panes.
  [[nodiscard]] std::size_t pane() const { return pane_; }
  void choose_pane(std::size_t index) { pane_ = index; }
  void next_pane(int step);
  // Return the state of a pane, and the table that is looked at; null where it is none.
  [[nodiscard]] pane_state& state_of(std::size_t index);
  [[nodiscard]] const report::sheet* table() const;
  // Returns the selected row of the table that is looked at; null without one.
  [[nodiscard]] const report::row* row();
  // Moves the selection of a table or the lines of a text.
  void move(long step);
  // Puts the mark on the selected row, or takes it away.
  void mark();
  [[nodiscard]] const std::set<std::string>& marked() const { return marked_; }
  void clear_marks() { marked_.clear(); }
  // Returns the marked rows of the table that is looked at.
  [[nodiscard]] std::vector<const report::row*> marked_rows() const;

 private:
  void follow();
  void restore(const std::vector<std::string>& selected);
  [[nodiscard]] std::vector<std::string> selected_rows();

  const screen* which_;
  settings given_{};
  std::optional<result<page>> content_{};
  std::optional<std::chrono::steady_clock::time_point> due_{std::chrono::steady_clock::time_point{}};
  std::chrono::steady_clock::time_point made_{};
  std::string version_{};
  std::size_t pane_ = 0;
  std::vector<pane_state> panes_{};
  std::set<std::string> marked_{};
};

}  // namespace ridge::tui
