// The theme: dark, light, or that of the system. The choice is stored in this browser only.

export type Theme = "system" | "light" | "dark";

const KEY = "legwork-theme";

export function theme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system";
  }
}

export function applyTheme(wanted: Theme = theme()): void {
  const root = document.documentElement;
  if (wanted === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = wanted;
}

export function keepTheme(wanted: Theme): void {
  applyTheme(wanted);
  try {
    if (wanted === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, wanted);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}
