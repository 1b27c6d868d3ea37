// SPDX-License-Identifier: Apache-2.0
// A command of the terminal that shows the same, with a button that copies it.
import { h } from "./dom.ts";
import { copy_text } from "./say.ts";

/** Returns an argument as a POSIX shell reads it: quoted where it holds anything but plain letters. */
export function shell_word(text: string): string {
  return /^[\w@%+=:,./^-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

/** Returns the line of words, leaving out options without a value: ["--problem", ""] says nothing. */
export function command_text(words: readonly (string | readonly [string, string | undefined])[]): string {
  return words.flatMap((word) => (typeof word === "string" ? [shell_word(word)] : word[1] ? [word[0], shell_word(word[1])] : [])).join(" ");
}

/** Returns the command with its button. */
export function command_line(text: string): HTMLElement {
  return h("span", { class: "command-line" }, h("code", { class: "command" }, text),
    h("button", { type: "button", class: "tool", "aria-label": `Copy the command ${text}`, onclick: () => void copy_text(text, "command") }, "copy"));
}
