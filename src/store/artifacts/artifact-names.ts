import type { ProcessIdentity } from "../../system/process/identity.ts";
import { identityName, parseIdentityName } from "../../system/process/identity-name.ts";

/** A parsed file name. `stored` ends with a trailer; `plain` is text of an earlier version, without one; `part` is being written. */
export type ArtifactName =
  | { readonly kind: "plain" | "stored"; readonly id: string }
  | { readonly kind: "part"; readonly id: string; readonly owner: ProcessIdentity };

/** Creates a random id that cannot be guessed and is safe in a file name. */
export function createArtifactId(): string {
  return `art_${crypto.randomUUID().replaceAll("-", "")}`;
}

/** Returns true for a well-formed id. Ids come from models: no other id may become a path. */
export function isArtifactId(id: string): boolean {
  return /^art_[0-9a-f]{32}$/.test(id);
}

export function plainName(id: string): string {
  return `${id}.txt`;
}

/** Returns the name of a finished artifact. Earlier versions wrote and read it for texts with a gap. */
export function storedName(id: string): string {
  return `${id}.cut`;
}

/** Returns the name of a file being written. It contains the identity of its writer, so that abandoned files can be found. */
export function partName(id: string, owner: ProcessIdentity): string {
  return `${id}.${identityName(owner)}.part`;
}

/** Returns undefined for a file that is not an artifact. */
export function parseArtifactName(name: string): ArtifactName | undefined {
  const [, id = "", owner, ending] = /^(art_[0-9a-f]{32})(?:\.([\w-]+))?\.(txt|cut|part)$/.exec(name) ?? [];
  if (owner === undefined && ending === "txt") return { kind: "plain", id };
  if (owner === undefined && ending === "cut") return { kind: "stored", id };
  const identity = owner === undefined ? undefined : parseIdentityName(owner);
  if (ending !== "part" || identity === undefined) return undefined;
  return { kind: "part", id, owner: identity };
}
