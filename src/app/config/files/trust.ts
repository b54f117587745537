import type { Collections, Document } from "../../../core/store/collection.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { hashOf } from "../../../util/json/call-hash.ts";

export type TrustKind = "tool" | "extension" | "skill" | "hook" | "mcp_server" | "rule" | "setting";

/** Something that came with a folder and does nothing until the user trusts it. */
export interface TrustItem {
  readonly kind: TrustKind;
  readonly name: string;
  /** SHA-256 of what it consists of; empty where it cannot be told, and then it can never be trusted. */
  readonly hash: string;
  /** One line for people. */
  readonly detail: string;
}

export type TrustState = "trusted" | "new" | "changed";

/** What was trusted before. A type and not an interface, so that it counts as JSON. */
export type TrustRecord = {
  readonly kind: TrustKind;
  readonly name: string;
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly trustedAt: number;
};

/** Says whether a thing is trusted as it is now: by its kind, its name and the hash of its content. */
export type IsTrusted = (kind: TrustKind, name: string, hash: string) => boolean;

/** What the user trusts of one folder. An item that has changed is not trusted any more. */
export interface Trust {
  readonly isTrusted: IsTrusted;
  /** The same for whoever holds the content itself, which is JSON. A rule needs no name: it is trusted whatever it is called. */
  readonly isTrustedContent: (kind: TrustKind, name: string, content: Json) => boolean;
  stateOf(item: TrustItem): TrustState;
  trust(item: TrustItem): Promise<void>;
  /** True where it was trusted. */
  revoke(item: Pick<TrustItem, "kind" | "name">): Promise<boolean>;
  list(): readonly TrustRecord[];
}

/** Trusts nothing: for whoever has no store to ask. */
export const TRUST_NOTHING: IsTrusted = () => false;

/** Loads what is trusted of a folder, which is named by its canonical path. */
export async function loadTrust(collections: Collections, folder: string): Promise<Trust> {
  const collection = collections.open("trust");
  const keyOf = ({ kind, name }: Pick<TrustItem, "kind" | "name">): string =>
    JSON.stringify([folder, kind, name]);
  const prefix = `${JSON.stringify([folder]).slice(0, -1)},`;
  const kept = (await collection.list({ prefix })).flatMap(toRecord);
  const records = new Map(kept.map((record) => [keyOf(record), record]));
  const isTrusted: IsTrusted = (kind, name, hash) =>
    hash !== "" && records.get(keyOf({ kind, name }))?.hash === hash;
  return {
    isTrusted,
    isTrustedContent(kind, name, content) {
      const hash = hashOf(content);
      if (kind !== "rule") return isTrusted(kind, name, hash);
      return [...records.values()].some((record) => record.kind === kind && record.hash === hash);
    },
    stateOf(item) {
      if (isTrusted(item.kind, item.name, item.hash)) return "trusted";
      return records.has(keyOf(item)) ? "changed" : "new";
    },
    async trust({ kind, name, hash, detail }) {
      if (hash === "") throw new ToolError("DENIED", `${kind}:${name} cannot be trusted: ${detail}`);
      const record: TrustRecord = { kind, name, hash, trustedAt: Date.now() };
      await collection.set(keyOf(record), record);
      records.set(keyOf(record), record);
    },
    async revoke(item) {
      records.delete(keyOf(item));
      return collection.delete(keyOf(item));
    },
    list: () => [...records.values()],
  };
}

function toRecord({ value }: Document): readonly TrustRecord[] {
  if (!isObject(value)) return [];
  const isRecord = ["kind", "name", "hash"].every((key) => typeof value[key] === "string");
  return isRecord ? [value as TrustRecord] : [];
}
