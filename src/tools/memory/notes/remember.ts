import { builtIn, OWN_STATE } from "../../shared/built-in-tool.ts";
import { object, optional, string } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import type { WorkspaceOptions } from "../../shared/collections.ts";
import {
  storedReply,
  MAX_KEY_CHARACTERS,
  MAX_VALUE_CHARACTERS,
  MEMORY_LIMITS,
  memoriesOf,
} from "./memories.ts";

const MAX_CATEGORY_CHARACTERS = 50;

const input = object({
  key: string("The key", { min: 1, max: MAX_KEY_CHARACTERS }),
  value: string("The text to store", { max: MAX_VALUE_CHARACTERS }),
  category: optional(
    string('What kind of thing it is, such as "preference"', { min: 1, max: MAX_CATEGORY_CHARACTERS }),
  ),
});

/** Stores one text under a key and a category. */
export function remember(options: WorkspaceOptions): Tool {
  const memories = memoriesOf(options);
  return builtIn({
    name: "remember",
    description:
      "Stores a text under a key, for this and all later sessions in this workspace; it replaces an existing value. " +
      `The tool memory reads, searches and deletes. Limits: ${MEMORY_LIMITS}.`,
    input,
    ...OWN_STATE,
    attributes: ({ key, category = "" }) => ({ key, category }),
    async run({ key, value, category }) {
      const isNew = await memories.set({ key, value, category });
      return storedReply(key, isNew);
    },
  });
}
