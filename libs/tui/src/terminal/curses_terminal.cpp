// SPDX-License-Identifier: Apache-2.0
#define NCURSES_NOMACROS
#define NCURSES_WIDECHAR 1
#include "terminal/curses_terminal.hpp"

#include <curses.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <clocale>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <string_view>

#include <ridge/base/text.hpp>

namespace ridge::tui {
namespace {

constexpr int paste_begins = 2000, paste_ends = 2001;  // above ncurses' own key numbers
constexpr short good_pair = 1, bad_pair = 2, doubtful_pair = 3;

// Returns whether the terminal is taken to understand UTF-8: its locale says so, or says nothing at all, as
// in most containers.
bool set_locale() {
  std::setlocale(LC_CTYPE, "");
  if (std::string_view(nl_langinfo(CODESET)) == "UTF-8") return true;
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') return false;
  }
  return std::setlocale(LC_CTYPE, "C.UTF-8") != nullptr;
}

// Returns a capability of the terminal without its padding ("$<5>").
std::string capability(const char* name) {
  const char* const found = tigetstr(name);
  if (found == nullptr || found == reinterpret_cast<const char*>(-1)) return {};
  std::string text(found);
  for (auto place = text.find("$<"); place != std::string::npos; place = text.find("$<"))
    text.erase(place, text.find('>', place) - place + 1);
  return text;
}

void send(std::string_view bytes) {
  std::fflush(stdout);
  while (!bytes.empty()) {
    const auto count = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

constexpr std::string_view paste_on = "\x1b[?2004h", paste_off = "\x1b[?2004l";

attr_t attributes_of(const look& style, theme colors) {
  attr_t all = style.reversed ? A_REVERSE : A_NORMAL;
  if (colors == theme::plain) return all;
  if (style.underlined) all |= A_UNDERLINE;
  if (style.tone == report::tone::strong) all |= A_BOLD;
  if (style.tone == report::tone::dim) all |= A_DIM;
  if (colors == theme::bold && style.tone == report::tone::bad) all |= A_BOLD;
  return all;
}

short pair_of(report::tone tone) {
  switch (tone) {
    case report::tone::good:
      return good_pair;
    case report::tone::bad:
      return bad_pair;
    case report::tone::doubtful:
      return doubtful_pair;
    default:
      return 0;
  }
}

// Returns the characters of a cell for ncurses; a question mark where it would take other columns than ours.
std::array<wchar_t, CCHARW_MAX + 1> wide_of(std::string text, bool utf8, std::size_t columns) {
  std::array<wchar_t, CCHARW_MAX + 1> wide{};
  if (!utf8) text = ascii_of(text);
  std::mbstate_t state{};
  const char* rest = text.c_str();
  std::array<wchar_t, CCHARW_MAX + 1> read{};
  const auto count = std::mbsrtowcs(read.data(), &rest, CCHARW_MAX, &state);
  const bool fits =
      count != static_cast<std::size_t>(-1) && count > 0 && wcwidth(read[0]) == static_cast<int>(columns);
  if (!fits) {
    wide[0] = count == 0 ? L' ' : L'?';
    return wide;
  }
  return read;
}

std::string base64_of(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string all;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = (three << 8U) | (i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      all += i + k > text.size() ? '=' : digits[(three >> (18U - 6U * static_cast<unsigned>(k))) & 63U];
  }
  return all;
}

key key_of(wint_t code) {
  switch (code) {
    case KEY_UP:
      return {key_code::up};
    case KEY_DOWN:
      return {key_code::down};
    case KEY_LEFT:
      return {key_code::left};
    case KEY_RIGHT:
      return {key_code::right};
    case KEY_PPAGE:
      return {key_code::page_up};
    case KEY_NPAGE:
      return {key_code::page_down};
    case KEY_HOME:
      return {key_code::home};
    case KEY_END:
      return {key_code::end};
    case KEY_BTAB:
      return {key_code::back_tab};
    case KEY_ENTER:
      return {key_code::enter};
    case KEY_BACKSPACE:
      return {key_code::backspace};
    default:
      return {key_code::character, ""};
  }
}

key key_of_character(wint_t character) {
  constexpr wint_t control_l = 0x0c, escape = 0x1b, del = 0x7f, backspace = 0x08;
  if (character == L'\n' || character == L'\r') return {key_code::enter};
  if (character == L'\t') return {key_code::tab};
  if (character == escape) return {key_code::escape};
  if (character == del || character == backspace) return {key_code::backspace};
  if (character == control_l) return {key_code::redraw};
  std::array<char, MB_LEN_MAX> bytes{};
  std::mbstate_t state{};
  const auto count = std::wcrtomb(bytes.data(), static_cast<wchar_t>(character), &state);
  if (count == static_cast<std::size_t>(-1)) return {key_code::character, ""};
  return {key_code::character, std::string(bytes.data(), count)};
}

}  // namespace

result<std::unique_ptr<curses_terminal>> curses_terminal::open() {
  std::unique_ptr<curses_terminal> made(new curses_terminal);
  made->utf8_ = set_locale();
  const char* const type = std::getenv("TERM");
  made->screen_ = newterm(nullptr, stdout, stdin);
  if (made->screen_ == nullptr)
    return error{
        std::string("the type of this terminal (TERM=") + (type == nullptr ? "" : type) + ") is not known",
        "use `ridge tui --simple`"};
  const auto farewell = std::string(paste_off) + capability("sgr0") + capability("cnorm") +
                        capability("rmkx") + capability("rmcup");
  made->rescue_ = std::make_unique<terminal_rescue>(STDIN_FILENO, farewell);
  made->set_up();
  return made;
}

void curses_terminal::set_up() {
  cbreak();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  set_escdelay(25);
  curs_set(0);
  intrflush(stdscr, FALSE);
  define_key("\x1b[200~", paste_begins);
  define_key("\x1b[201~", paste_ends);
  send(paste_on);
  if (has_colors() == FALSE || start_color() == ERR) return;
  use_default_colors();
  init_pair(good_pair, COLOR_GREEN, -1);
  init_pair(bad_pair, COLOR_RED, -1);
  init_pair(doubtful_pair, COLOR_YELLOW, -1);
  has_colors_ = true;
}

curses_terminal::~curses_terminal() {
  if (screen_ == nullptr) return;
  send(paste_off);
  endwin();
  rescue_.reset();
  delscreen(static_cast<SCREEN*>(screen_));
}

std::pair<std::size_t, std::size_t> curses_terminal::size() const {
  return {static_cast<std::size_t>(std::max(1, getmaxx(stdscr))),
          static_cast<std::size_t>(std::max(1, getmaxy(stdscr)))};
}

void curses_terminal::begin_anew() {
  winsize room{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &room) == 0 && room.ws_row > 0 && room.ws_col > 0)
    resizeterm(room.ws_row, room.ws_col);
  clearok(curscr, TRUE);
  shown_.reset();
}

void curses_terminal::write_cell(std::size_t column, std::size_t row, const cell& shown, theme colors) {
  if (shown.text.empty()) return;  // the right half of a wide character
  const auto wide = wide_of(shown.text, utf8_, utf8_ ? display_width(shown.text) : 1);
  cchar_t character{};
  const short pair = colors == theme::color && has_colors_ ? pair_of(shown.look.tone) : short{0};
  setcchar(&character, wide.data(), attributes_of(shown.look, colors), pair, nullptr);
  mvadd_wch(static_cast<int>(row), static_cast<int>(column), &character);
}

void curses_terminal::show(const grid& picture, theme colors) {
  const bool same_size = shown_ && shown_->columns() == picture.columns() &&
                         shown_->rows() == picture.rows() && shown_colors_ == colors;
  if (!same_size) werase(stdscr);
  for (std::size_t row = 0; row < picture.rows(); ++row) {
    for (std::size_t column = 0; column < picture.columns(); ++column) {
      const auto& one = picture.at(column, row);
      if (!same_size || shown_->at(column, row) != one) write_cell(column, row, one, colors);
    }
  }
  wrefresh(stdscr);  // ncurses sends the difference to what the terminal shows
  shown_ = std::make_unique<grid>(picture);
  shown_colors_ = colors;
}

std::vector<key> curses_terminal::keys() {
  std::vector<key> all;
  bool pasting = false;
  wint_t code = 0;
  for (int kind = wget_wch(stdscr, &code); kind != ERR; kind = wget_wch(stdscr, &code)) {
    if (kind == KEY_CODE_YES && code == paste_begins) {
      pasting = true;
      all.push_back({key_code::paste, ""});
    } else if (kind == KEY_CODE_YES && code == paste_ends) {
      pasting = false;
    } else if (pasting) {
      if (kind == OK) all.back().text += key_of_character(code).text;
    } else if (kind == KEY_CODE_YES) {
      all.push_back(key_of(code));
    } else {
      all.push_back(key_of_character(code));
    }
  }
  return all;
}

void curses_terminal::suspend() {
  send(paste_off);
  endwin();
  rescue_->stop_here();
  // Other programs had the terminal meanwhile: its modes are set again by the next refresh.
  reset_prog_mode();
  send(paste_on);
  begin_anew();
}

void curses_terminal::copy(const std::string& text) { send("\x1b]52;c;" + base64_of(text) + "\x07"); }

}  // namespace ridge::tui
