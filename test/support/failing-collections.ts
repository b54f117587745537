import type { Collections } from "../../src/core/collection.ts";
import { ToolError } from "../../src/core/errors.ts";
import { createMemoryCollections } from "../../src/core/memory-collections.ts";

/** Collections in memory that fail once: where something is written that has these words in it. */
export function failingAt(words: string): Collections {
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
            if (hasFailed || !(JSON.stringify(value) ?? "").includes(words)) return value;
            hasFailed = true;
            throw new ToolError("UNAVAILABLE", "the disk is full");
          }),
      };
    },
  };
}
