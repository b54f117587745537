import type { Collections } from "../../../src/core/store/collection.ts";
import { ToolError } from "../../../src/core/errors.ts";
import { createMemoryCollections } from "../../../src/util/json/memory-collections.ts";

/** Collections in memory that fail where something is written that has these words in it: once, or from then on. */
export function failingAt(words: string, { isForGood = false } = {}): Collections {
  const memory = createMemoryCollections();
  let hasFailed = false;
  return {
    ...memory,
    open(name, options) {
      const collection = memory.open(name, options);
      return {
        ...collection,
        update: (key, change) =>
          collection.update(key, (there) => {
            const value = change(there);
            const isMeant = (JSON.stringify(value) ?? "").includes(words);
            if (hasFailed ? !isForGood : !isMeant) return value;
            hasFailed = true;
            throw new ToolError("UNAVAILABLE", "the disk is full");
          }),
      };
    },
  };
}
