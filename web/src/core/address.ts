// SPDX-License-Identifier: Apache-2.0
// The whole state of a view stands in the query of its address, so that a link shows another reader the same.

export type View = Readonly<Record<string, string>>;

/** Reads the query of an address; the first value of a name holds. */
export function view_of(search: string): View {
  const view: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(search)) if (!(name in view)) view[name] = value;
  return view;
}

/** Returns the address of a view: names sorted, so that equal views have equal addresses; empty values left out. */
export function address_of(view: Record<string, string | null | undefined>): string {
  const query = new URLSearchParams();
  for (const name of Object.keys(view).sort()) {
    const value = view[name];
    if (value !== null && value !== undefined && value !== "") query.set(name, value);
  }
  const text = query.toString().replace(/%2F/g, "/").replace(/%3A/g, ":").replace(/%2C/g, ",");
  return text ? `?${text}` : location.pathname;
}

/** Returns the view that is shown. */
export function current_view(): View {
  return view_of(location.search);
}

/** Goes to an address as a link would; the page is drawn anew. */
export function go(address: string): void {
  if (address === (location.search || location.pathname)) return;
  history.pushState(null, "", address);
  window.dispatchEvent(new Event("ridge:navigate"));
}

/** Notes a change of the view (a sort order, a filter) in the address without drawing the page anew. */
export function remember(changes: Record<string, string | null | undefined>): void {
  history.replaceState(null, "", address_of({ ...current_view(), ...changes }));
}

/** Goes to the view that is shown with some changes. */
export function change_view(changes: Record<string, string | null | undefined>): void {
  go(address_of({ ...current_view(), ...changes }));
}
