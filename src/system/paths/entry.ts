import { join } from "node:path";
import type { PathFact } from "../../core/fact.ts";
import type { TargetOptions } from "./paths.ts";
import { lstatOrNothing, resolveTarget } from "./paths.ts";

/** Names that lead elsewhere by themselves. */
const NO_NAMES: ReadonlySet<string> = new Set(["", ".", "..", "~"]);

/** Like `resolveTarget`, for the name itself: where the last part of the path is a link, the link is meant, never what it leads to. */
export async function resolveEntry(path: string, options: TargetOptions): Promise<PathFact> {
  const plain = path.replace(/\/+$/, "");
  const slash = plain.lastIndexOf("/");
  const name = plain.slice(slash + 1);
  if (NO_NAMES.has(name) || path.includes("\0")) return resolveTarget(path, options);
  const parent = slash < 0 ? "." : plain.slice(0, slash) || "/";
  const folder = await resolveTarget(parent, { ...options, access: "read" });
  const fact = { kind: "path", path: join(folder.path, name), access: options.access } as const;
  const found = await lstatOrNothing(fact.path);
  return found === undefined ? fact : { ...fact, device: found.dev, inode: found.ino };
}
