import { goTo, readRoute, replaceQuery, useRoute } from "./hooks.ts";

/** Windows of this width have room for a call beside the page that it was opened from. */
const HAS_ROOM = "(min-width: 64rem)";

/** The name in the address of the call that is shown beside the page. */
const NAME = "call";

/** Returns the key of the call that the address shows beside the page. */
export function useShownCall(): string | undefined {
  return useRoute().query.get(NAME) ?? undefined;
}

/** Shows a call beside the page that is open, or, without room for it, as a page. Back returns to where the first one was opened. */
export function showCall(key: string): void {
  const { path, query } = readRoute(window.location.hash);
  const isPageOfCall = path[0] === "calls" && path[1] !== undefined;
  if (isPageOfCall || !window.matchMedia(HAS_ROOM).matches) return goTo("calls", key);
  const isOpen = query.has(NAME);
  query.set(NAME, key);
  if (isOpen) return replaceQuery(query);
  window.location.hash = `${window.location.hash.split("?")[0] ?? "#/"}?${query.toString()}`;
}

export function closeCall(): void {
  const { query } = readRoute(window.location.hash);
  query.delete(NAME);
  replaceQuery(query);
}

/** Returns the key of the call whose page a link opens; undefined for every other link. */
export function callOfLink(address: string): string | undefined {
  const [, key] = /^#\/calls\/([^/?]+)$/.exec(address) ?? [];
  return key === undefined ? undefined : decodeURIComponent(key);
}
