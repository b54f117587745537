import type { Collections, StoredDocument } from "../../../core/store/collection.ts";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json } from "../../../core/json.ts";
import { hashOf } from "../../../util/json/call-hash.ts";
import { defined } from "../../../util/json/defined.ts";

export type TrustKind =
  | "tool"
  | "extension"
  | "skill"
  | "instructions"
  | "hook"
  | "mcp_server"
  | "rule"
  | "setting";

/** Something in a folder that has no effect until the user trusts it. */
export interface TrustItem {
  readonly kind: TrustKind;
  readonly name: string;
  /** SHA-256 of its content; empty if it cannot be computed: then it cannot be trusted. */
  readonly hash: string;
  /** One line for people. */
  readonly detail: string;
  /** Its content, if it is a text that is worth comparing later. */
  readonly text?: string;
}

/** A stored decision to trust. A type and not an interface, so that it counts as JSON. */
export type TrustRecord = Pick<TrustItem, "kind" | "name" | "hash" | "text"> & {
  /** Milliseconds since 1970. */
  readonly trustedAt: number;
};

/** Returns true if an item is trusted as it is now: by its kind, its name and the hash of its content. */
export type IsTrusted = (kind: TrustKind, name: string, hash: string) => boolean;

/** What the user trusts in one folder. An item that has changed is no longer trusted. */
export type Trust = Awaited<ReturnType<typeof loadTrust>>;

/** Trusts nothing: for use without a store. */
export const TRUST_NOTHING: IsTrusted = () => false;

/** Loads what is trusted in a folder, given by its canonical path. */
export async function loadTrust(collections: Collections, folder: string) {
  const collection = collections.open("trust");
  const declined = collections.open("trust-declined");
  const keyOf = ({ kind, name }: Pick<TrustItem, "kind" | "name">): string =>
    JSON.stringify([folder, kind, name]);
  const prefix = `${JSON.stringify([folder]).slice(0, -1)},`;
  const stored = (await collection.list({ prefix })).flatMap(toRecord);
  const records = new Map(stored.map((record) => [keyOf(record), record]));
  const isTrusted: IsTrusted = (kind, name, hash) =>
    hash !== "" && records.get(keyOf({ kind, name }))?.hash === hash;
  return {
    isTrusted,
    /** Returns true if an item of this name is trusted with this or another content. */
    wasTrusted: (kind: TrustKind, name: string): boolean => records.has(keyOf({ kind, name })),
    /** Does the same as `isTrusted` for JSON content. A rule is trusted by its content alone, whatever its name. */
    isTrustedContent(kind: TrustKind, name: string, content: Json): boolean {
      const hash = hashOf(content);
      if (kind !== "rule") return isTrusted(kind, name, hash);
      return [...records.values()].some((record) => record.kind === kind && record.hash === hash);
    },
    stateOf(item: TrustItem): "trusted" | "new" | "changed" {
      if (isTrusted(item.kind, item.name, item.hash)) return "trusted";
      return records.has(keyOf(item)) ? "changed" : "new";
    },
    async trust({ kind, name, hash, detail, text }: TrustItem): Promise<void> {
      if (hash === "") throw new ToolError("DENIED", `${kind}:${name} cannot be trusted: ${detail}`);
      const record: TrustRecord = { kind, name, hash, trustedAt: Date.now(), ...defined({ text }) };
      await collection.set(keyOf(record), record);
      records.set(keyOf(record), record);
    },
    /** Remembers that a person declined an item with this content. */
    decline: (item: TrustItem): Promise<unknown> =>
      Promise.resolve(declined.set(keyOf(item), { hash: item.hash })),
    /** Returns true if a person declined the item as it is now. */
    async wasDeclined(item: TrustItem): Promise<boolean> {
      const record = await declined.get(keyOf(item));
      return isObject(record) && record["hash"] === item.hash;
    },
    /** Returns true if it was trusted. */
    async revoke(item: Pick<TrustItem, "kind" | "name">): Promise<boolean> {
      records.delete(keyOf(item));
      return collection.delete(keyOf(item));
    },
    list: (): readonly TrustRecord[] => [...records.values()],
  };
}

function toRecord({ value }: StoredDocument): readonly TrustRecord[] {
  if (!isObject(value)) return [];
  const isRecord = ["kind", "name", "hash"].every((key) => typeof value[key] === "string");
  return isRecord ? [value as TrustRecord] : [];
}
