import type { Collections } from "../../core/store/collection.ts";
import type { UntrustedTexts } from "../../core/session/untrusted-texts.ts";
import { isObject } from "../../core/json.ts";

/** The largest number of sessions; beyond it those that were written longest ago are removed. */
const LIMIT = 10_000;

/** Creates a record of the sessions with text from outside that outlives the process. */
export function createStoredUntrustedTexts(collections: Collections): UntrustedTexts {
  const stored = collections.open("untrusted_texts", { limit: LIMIT });
  return {
    async find(session) {
      const storedOrigins = await stored.get(session);
      if (storedOrigins === undefined) return undefined;
      // A value of another form still means that there is such text.
      const { origins, since } = isObject(storedOrigins) ? storedOrigins : {};
      return {
        origins: Array.isArray(origins)
          ? origins.filter((one) => typeof one === "string")
          : ["text from outside"],
        since: typeof since === "number" ? since : 0,
      };
    },
    set: (session, { origins, since }) => stored.set(session, { origins, since }),
  };
}
