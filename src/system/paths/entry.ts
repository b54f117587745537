import { join } from "node:path";
import type { PathFact } from "../../core/fact.ts";
import { lstatIfExists, refuseToChange, resolveTarget, type TargetOptions } from "./paths.ts";
import { defined } from "../../util/json/defined.ts";

/** Names that are not entries of their folder. */
const NO_NAMES: ReadonlySet<string> = new Set(["", ".", "..", "~"]);

/** Resolves like `resolveTarget`, except that a link in the last part of the path is not followed. */
export async function resolveEntry(path: string, options: TargetOptions): Promise<PathFact> {
  const plain = path.replace(/\/+$/, "");
  const slash = plain.lastIndexOf("/");
  const name = plain.slice(slash + 1);
  if (NO_NAMES.has(name) || path.includes("\0")) return resolveTarget(path, options);
  const parent = slash < 0 ? "." : plain.slice(0, slash) || "/";
  const folder = await resolveTarget(parent, { ...options, access: "read" });
  const [ownName, ...links] = folder.names ?? [];
  const names = ownName === undefined ? undefined : [join(ownName, name), ...links];
  const fact = {
    kind: "path",
    path: join(folder.path, name),
    access: options.access,
    ...defined({ names }),
  } as const;
  refuseToChange(fact.path, options.access);
  const stats = await lstatIfExists(fact.path);
  return stats === undefined ? fact : { ...fact, device: stats.dev, inode: stats.ino };
}
