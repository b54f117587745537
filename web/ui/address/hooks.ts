import { useEffect, useRef, useState, useSyncExternalStore, type RefObject, type UIEvent } from "react";

/** The path after `#`, without its query. */
export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/** Returns the route in the address, and renders again when it changes. */
export function useRoute(): Route {
  return readRoute(useSyncExternalStore(onHashChange, () => window.location.hash));
}

export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  return {
    path: path
      .split("/")
      .filter((part) => part !== "")
      .map(decodeURIComponent),
    query: new URLSearchParams(query),
  };
}

function onHashChange(changed: () => void): () => void {
  window.addEventListener("hashchange", changed);
  return () => window.removeEventListener("hashchange", changed);
}

/** Returns the address of a page: `linkTo("calls", id)`. */
export function linkTo(...path: readonly string[]): string {
  return `#/${path.map(encodeURIComponent).join("/")}`;
}

/** Returns the address of another entry of the list that is shown: its search stays. */
export function linkBeside(...path: readonly string[]): string {
  const text = readRoute(window.location.hash).query.get("text");
  return text === null ? linkTo(...path) : `${linkTo(...path)}?${new URLSearchParams({ text }).toString()}`;
}

export function goTo(...path: readonly string[]): void {
  window.location.hash = linkTo(...path);
}

/** Replaces the query of the address without a new step of the history. */
export function replaceQuery(query: URLSearchParams): void {
  const [path = ""] = window.location.hash.split("?");
  window.history.replaceState(null, "", query.size === 0 ? path || "#/" : `${path}?${query.toString()}`);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

/**
 * Returns a choice that is part of the address: a reload, Back and a link that was sent to others show the same. A value
 * that is not among the options counts as the initial one, which is not written into the address.
 */
export function useAddressed<T extends string = string>(
  name: string,
  initial: NoInfer<T>,
  options?: readonly T[],
): readonly [T, (value: T) => void] {
  const addressed = useRoute().query.get(name);
  const isValid = addressed !== null && (options === undefined || options.includes(addressed as T));
  return [
    isValid ? (addressed as T) : initial,
    (value) => {
      const { query } = readRoute(window.location.hash);
      if (value === initial) query.delete(name);
      else query.set(name, value);
      replaceQuery(query);
    },
  ];
}

/** Returns false until the component has been on screen long enough for a person to see what it shows. */
export function useArmed(ms = 500): boolean {
  const [isArmed, setArmed] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setArmed(true), ms);
    return () => window.clearTimeout(timer);
  }, [ms]);
  return isArmed;
}

/** Calls the function of a key, unless the person is typing or holds a modifier. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const { target } = event;
      const isTyping =
        target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
      // A key that is held down moves through a list, but decides once.
      if (event.repeat && event.key.length === 1) return;
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("dialog[open]") !== null) return;
      if (event.key === "Enter" && target instanceof HTMLElement && target.matches("a, button, summary"))
        return;
      const run = current.current[event.key];
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
}

/** Returns the value once it has not changed for a while. */
export function useSettled<T>(value: T, ms = 200): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), ms);
    return () => window.clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** Returns the current time, and renders again at each interval while it is needed. */
export function useNow(everyMs: number, { isNeeded = true }: { readonly isNeeded?: boolean } = {}): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isNeeded) return undefined;
    const timer = window.setInterval(() => setNow(Date.now()), everyMs);
    return () => window.clearInterval(timer);
  }, [isNeeded, everyMs]);
  return now;
}

/** Emits the name of a stored value that has changed in this tab; the browser reports those of others. */
const stored = new EventTarget();

/** Returns a value that stays in the browser's storage; every component and tab that shows it renders the new one. */
export function useStored(name: string, initial: string): readonly [string, (value: string) => void] {
  const value = useSyncExternalStore(onStored, () => window.localStorage.getItem(name));
  return [
    value ?? initial,
    (next) => {
      window.localStorage.setItem(name, next);
      stored.dispatchEvent(new Event("change"));
    },
  ];
}

function onStored(changed: () => void): () => void {
  stored.addEventListener("change", changed);
  window.addEventListener("storage", changed);
  return () => {
    stored.removeEventListener("change", changed);
    window.removeEventListener("storage", changed);
  };
}

/** Windows with room for a list beside what was chosen from it. */
export const TWO_COLUMNS = "(min-width: 52rem)";

/** Returns whether the window matches a media query, and renders again when that changes. */
export function useMatches(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    () => window.matchMedia(query).matches,
  );
}

/** Within this many pixels of its end, a box counts as scrolled to the end. */
const NEAR_END = 60;

/** Returns the properties of a box whose end stays in view as it grows, unless the reader has scrolled away from it. */
export function useStickToEnd<T extends HTMLElement>(): {
  readonly ref: RefObject<T | null>;
  readonly onScroll: (event: UIEvent<T>) => void;
} {
  const ref = useRef<T>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const { current } = ref;
    if (current === null) return undefined;
    const stick = (): void => {
      if (isAtEnd.current) current.scrollTop = current.scrollHeight;
    };
    stick();
    const grown = new MutationObserver(stick);
    grown.observe(current, { childList: true, subtree: true, characterData: true });
    return () => grown.disconnect();
  });
  return {
    ref,
    onScroll: ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
      isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
    },
  };
}
