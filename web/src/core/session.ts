// SPDX-License-Identifier: Apache-2.0
// The token that `ridge serve` prints stands behind # in its address, which browsers send to nobody. It is
// exchanged once for a cookie that scripts cannot read, and then taken out of the address.
import { Problem, send } from "./api.ts";
import { h } from "./dom.ts";

/** Opens a session where the address brings a token. */
export async function open_session(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get("t");
  if (!token) return;
  history.replaceState(null, "", location.pathname + location.search);
  await send("POST", "session", { token });
}

/** Returns the page that asks for a token. */
export function sign_in_page(): HTMLElement {
  const field = h("input", { type: "password", name: "token", autocomplete: "off", id: "token", required: true, spellcheck: "false" });
  const said = h("p", { class: "problem-detail", role: "alert" });
  const form = h(
    "form",
    { class: "form sign-in", onsubmit: (event: Event) => void try_token(event) },
    h("label", { for: "token" }, "Token"),
    field,
    h("button", { type: "submit" }, "Open"),
    said,
  );
  async function try_token(event: Event): Promise<void> {
    event.preventDefault();
    const text = field.value.trim();
    try {
      await send("POST", "session", { token: text.includes("#t=") ? text.slice(text.indexOf("#t=") + 3) : text });
      location.reload();
    } catch (failure) {
      said.textContent = failure instanceof Problem ? failure.detail || failure.title : String(failure);
      field.select();
    }
  }
  return h(
    "section",
    { class: "page-head" },
    h("p", { class: "eyebrow" }, "Closed"),
    h("h1", {}, "This server wants its token"),
    h("p", { class: "lead" }, "Open the address that ", h("code", {}, "ridge serve"), " printed, or paste the address or its token here."),
    form,
  );
}
