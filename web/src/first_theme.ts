// SPDX-License-Identifier: Apache-2.0
// Runs before anything is painted, so that a theme that a reader chose does not follow a flash of the system's. It is a
// script of its own, without imports: the content policy allows none inside the page.
try {
  for (const name of ["theme", "density"]) {
    const value = localStorage.getItem(`ridge.${name}`);
    if (value && value !== "auto" && value !== "roomy") document.documentElement.dataset[name] = value;
  }
} catch {
  // A browser that keeps nothing shows the system's choice.
}
