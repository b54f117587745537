import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A checkpoint under an id that an example names. */
export function fillCheckpoints(
  { folder, home }: { readonly folder: string; readonly home: string },
  id: string,
): void {
  const checkpoints = join(home, "state/checkpoints");
  mkdirSync(checkpoints, { recursive: true });
  const checkpoint = { id, root: folder, description: "works", createdAt: Date.now(), files: [] };
  writeFileSync(join(checkpoints, `${id}.json`), JSON.stringify(checkpoint));
}
