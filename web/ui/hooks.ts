import { useEffect, useRef, useState, useSyncExternalStore, type RefObject, type UIEvent } from "react";

/** The path after `#`, without its query. */
export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/** Returns the route in the address, and renders again when it changes. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(onHashChange, () => window.location.hash);
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

export function goTo(...path: readonly string[]): void {
  window.location.hash = linkTo(...path);
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

/** Returns a value that stays in the browser's storage. */
export function useStored(name: string, initial: string): readonly [string, (value: string) => void] {
  const [value, setValue] = useState(() => window.localStorage.getItem(name) ?? initial);
  return [
    value,
    (next) => {
      window.localStorage.setItem(name, next);
      setValue(next);
    },
  ];
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
