import { shortened } from "../../../util/text/shortened.ts";
import { Reply } from "../../../core/content.ts";
import type { Problem } from "../../../core/result.ts";
import { boolean, list, object, oneOf, optional, string, type Infer } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { builtIn, OWN_STATE, missingProblem, namedAs } from "../../shared/built-in-tool.ts";
import type { WorkspaceOptions } from "../../shared/collections.ts";
import {
  storedMemory,
  MAX_KEY_CHARACTERS,
  MAX_VALUE_CHARACTERS,
  MEMORY_LIMITS,
  memoriesOf,
  type Memories,
  type Memory,
} from "./memories.ts";

const MAX_FOUND = 20;
const PREVIEW_CHARACTERS = 200;

const input = object({
  action: oneOf(["get", "set", "delete", "list", "search"], "What to do"),
  key: optional(
    string("For get, set and delete: the key; for list: a prefix of keys", {
      min: 1,
      max: MAX_KEY_CHARACTERS,
    }),
  ),
  value: optional(
    string("For set: the text to store; for search: the words to find", { max: MAX_VALUE_CHARACTERS }),
  ),
});

const remembered = object({ key: string(), created: boolean() });

export const MEMORY = namedAs(
  "memory",
  input,
  oneOf([remembered, storedMemory, object({ memories: list(storedMemory) }), object({ key: string() })]),
);

type MemoryInput = Infer<typeof input> & Partial<Pick<Infer<typeof rememberInput>, "category">>;

/** Stores texts under keys for all sessions of the workspace, and finds them. */
export function memory(options: WorkspaceOptions): Tool {
  const memories = memoriesOf(options);
  return builtIn({
    ...MEMORY,
    description:
      "Stores texts under keys, for this and all later sessions in this workspace. set replaces an existing value; " +
      `search finds words in keys, categories and values and returns the ${MAX_FOUND} best matches; list shows beginnings, ` +
      `get the whole text. Limits: ${MEMORY_LIMITS}.`,
    ...OWN_STATE,
    check: problemsOf,
    attributes: ({ action, key = "" }) => ({ action, key }),
    run: (given) => act(given, memories),
  });
}

function problemsOf({ action, key, value }: MemoryInput): readonly Problem[] {
  if (action === "list") return [];
  if (action === "search") return missingProblem("value", value ?? key, "search: the words to find");
  const needsValue = action === "set" ? missingProblem("value", value, "set") : [];
  return [...missingProblem("key", key, action), ...needsValue];
}

/** Does what both tools do. */
async function act({ action, key = "", value, category }: MemoryInput, memories: Memories): Promise<Reply> {
  if (action === "list") return describeAll(await memories.list(key), "[no memories]");
  if (action === "search")
    return describeAll(await memories.search(value ?? key, MAX_FOUND), "[nothing fits]");
  if (action === "set") {
    const created = await memories.set({ key, value: value ?? "", category });
    return new Reply(`${created ? "Stored" : "Replaced"} ${JSON.stringify(key)}`, { data: { key, created } });
  }
  if (action === "delete") {
    await memories.delete(key);
    return new Reply(`Deleted ${JSON.stringify(key)}`, { data: { key } });
  }
  const stored = await memories.get(key);
  return new Reply(stored.value, { data: { ...stored } });
}

function describeAll(memories: readonly Memory[], none: string): Reply {
  const data = { memories: memories.map((one) => ({ ...one, value: preview(one.value) })) };
  const lines = memories.map(({ key, value, category, at }) => {
    const when = new Date(at).toISOString().slice(0, 10);
    return `${JSON.stringify(key)} [${category}, ${when}]: ${preview(value)}`;
  });
  return new Reply(lines.length === 0 ? none : lines.join("\n"), { data });
}

function preview(value: string): string {
  return shortened(value.replaceAll(/\s+/g, " "), PREVIEW_CHARACTERS);
}

const MAX_CATEGORY_CHARACTERS = 50;

const rememberInput = object({
  key: string("The key", { min: 1, max: MAX_KEY_CHARACTERS }),
  value: string("The text to store", { max: MAX_VALUE_CHARACTERS }),
  category: optional(
    string('What kind of thing it is, such as "preference"', { min: 1, max: MAX_CATEGORY_CHARACTERS }),
  ),
});

export const REMEMBER = namedAs("remember", rememberInput, remembered);

/** Stores one text under a key and a category: the action set of `memory`. */
export function remember(options: WorkspaceOptions): Tool {
  const memories = memoriesOf(options);
  return builtIn({
    ...REMEMBER,
    description:
      "Stores a text under a key, for this and all later sessions in this workspace; it replaces an existing value. " +
      `The tool memory reads, searches and deletes. Limits: ${MEMORY_LIMITS}.`,
    ...OWN_STATE,
    attributes: ({ key, category = "" }) => ({ key, category }),
    run: (given) => act({ action: "set", ...given }, memories),
  });
}
