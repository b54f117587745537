/** An address of the console that the person gave a name in this browser. */
export interface SavedView {
  readonly name: string;
  readonly address: string;
}

const VIEWS = "saved-views";

/** Returns the saved views, the first saved first. */
export function savedViews(): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(VIEWS) ?? "[]");
    return Array.isArray(stored) ? (stored as SavedView[]) : [];
  } catch {
    return [];
  }
}

/** Gives the current address a name; an earlier one of this name is replaced. */
export function saveView(name: string): void {
  const others = savedViews().filter((one) => one.name !== name);
  window.localStorage.setItem(VIEWS, JSON.stringify([...others, { name, address: window.location.hash }]));
}

export function removeView(name: string): void {
  window.localStorage.setItem(VIEWS, JSON.stringify(savedViews().filter((one) => one.name !== name)));
}
