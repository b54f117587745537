import type { UntrustedText, UntrustedTexts } from "../../core/session/untrusted-texts.ts";

/** More origins than these are not stored: the first ones explain a question well enough. */
const MAX_ORIGINS = 20;

/** Creates the record of the text from outside of one session, with those above and below it. */
export function createUntrustedText(session: string, store?: UntrustedTexts): UntrustedText {
  let origins: readonly string[] | undefined;
  let since = Number.POSITIVE_INFINITY;
  let isLoaded = false;
  let loading: undefined | Promise<void>;
  const load = async (from: UntrustedTexts): Promise<void> => {
    try {
      const stored = await from.find(session);
      if (stored !== undefined) {
        since = Math.min(since, stored.since);
        origins = [...new Set([...stored.origins, ...(origins ?? [])])];
      }
      isLoaded = true;
    } finally {
      loading = undefined;
    }
  };
  return {
    get origins() {
      return origins;
    },
    get since() {
      return since;
    },
    load: () => (store === undefined || isLoaded ? undefined : (loading ??= load(store))),
    add(origin) {
      const known = origins ?? [];
      if (known.includes(origin) || known.length >= MAX_ORIGINS) return undefined;
      since = Math.min(since, Date.now());
      origins = [...known, origin];
      return store?.set(session, { origins, since });
    },
  };
}
