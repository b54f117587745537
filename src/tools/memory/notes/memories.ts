import { integer, object, string, type Infer } from "../../../schema/define/schema.ts";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json } from "../../../core/json.ts";
import { createTextIndex } from "../../shared/text-index.ts";
import { addWithin, workspaceCollection, type WorkspaceOptions } from "../../shared/collections.ts";

export const MAX_KEYS = 1000;
export const MAX_KEY_CHARACTERS = 200;
export const MAX_VALUE_CHARACTERS = 8000;
/** The limits, for tool descriptions. */
export const MEMORY_LIMITS = `up to ${MAX_KEYS} keys, ${MAX_VALUE_CHARACTERS} characters each`;

/** The maximum number of memories of all workspaces. */
const MAX_OF_ALL = 50_000;
const KEY_WEIGHT = 4;
const CATEGORY_WEIGHT = 2;
const VALUE_WEIGHT = 1;
const MAX_NEAR = 3;
const GENERAL = "general";

/** A stored text. */
export const storedMemory = object({
  key: string(),
  value: string(),
  category: string(),
  // Milliseconds since 1970.
  at: integer(),
});

export type Memory = Infer<typeof storedMemory>;

type NewMemory = Pick<Memory, "key" | "value"> & { readonly category?: string | undefined };

/** The memories of a workspace. */
export type Memories = ReturnType<typeof memoriesOf>;

/** Opens the memories of a workspace, shared by its sessions. */
export function memoriesOf(options: WorkspaceOptions) {
  const collection = workspaceCollection(options, { name: "memory", limit: MAX_OF_ALL });
  const list = async (prefix: string): Promise<readonly Memory[]> =>
    (await collection.list({ prefix })).map(({ key, value }) => fromJson(key, value));
  const unknown = async (key: string): Promise<ToolError> => unknownKey(key, await list(""));
  return {
    /** Returns the memories whose keys have the prefix, sorted by key. */
    list,
    /** Throws for an unknown key and suggests similar ones. */
    async get(key: string): Promise<Memory> {
      const value = await collection.get(key);
      if (value === undefined) throw await unknown(key);
      return fromJson(key, value);
    },
    /** Stores or replaces a value; without a category the old one stays. Returns true if the key is new. */
    async set({ key, value, category }: NewMemory): Promise<boolean> {
      const at = Date.now();
      const stored = await collection.update(key, (old) =>
        old === undefined ? undefined : { value, category: category ?? fromJson(key, old).category, at },
      );
      if (stored !== undefined) return false;
      const added = { value, category: category ?? GENERAL, at };
      if (await addWithin(collection, key, added, MAX_KEYS)) return true;
      throw new ToolError("TOOL_FAILED", `the limit of ${MAX_KEYS} keys is reached`, {
        hint: "delete keys that are not needed, or replace one",
        details: { max_keys: MAX_KEYS },
      });
    },
    /** Throws for an unknown key and suggests similar ones. */
    async delete(key: string): Promise<void> {
      if (!(await collection.delete(key))) throw await unknown(key);
    },
    /** Returns the best matches first. */
    async search(query: string, limit: number): Promise<readonly Memory[]> {
      const index = createTextIndex(await list(""), ({ key, value, category }) => [
        [key, KEY_WEIGHT],
        [category, CATEGORY_WEIGHT],
        [value, VALUE_WEIGHT],
      ]);
      return index.search(query, limit);
    },
  };
}

/** The stored form of a memory. */
type KeptMemory = Omit<Memory, "key">;

function fromJson(key: string, kept: Json): Memory {
  const none = { value: "", category: GENERAL, at: 0 };
  return { key, ...none, ...(isObject(kept) ? (kept as Partial<KeptMemory>) : {}) };
}

function unknownKey(key: string, memories: readonly Memory[]): ToolError {
  const near = createTextIndex(memories, (memory) => [[memory.key, 1]]).search(key, MAX_NEAR);
  const names = near.map((memory) => JSON.stringify(memory.key)).join(" or ");
  return new ToolError("TOOL_FAILED", `unknown key ${JSON.stringify(key)}`, {
    hint:
      near.length > 0 ? `did you mean ${names}?` : "action list shows all keys, search finds them by words",
    details: { key },
  });
}
