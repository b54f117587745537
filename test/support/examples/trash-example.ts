import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { PathFact } from "../../../src/core/fact.ts";
import { resolveEntry } from "../../../src/system/paths/entry.ts";
import { createTrash, type Trash } from "../../../src/system/saved/trash.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A folder to delete from, and a trash. */
export interface TrashPlace {
  readonly root: string;
  readonly folder: string;
  readonly trash: Trash;
  readonly at: (name: string) => string;
  readonly fact: (name: string) => Promise<PathFact>;
}

/** A folder with a trash: on the same disk, or on another. */
export function trashPlace(
  context: TestContext,
  folder = join(temporaryFolder(context), "deep/trash"),
): TrashPlace {
  const root = temporaryFolder(context);
  const at = (name: string): string => join(root, name);
  const fact = (name: string): Promise<PathFact> => resolveEntry(name, { cwd: root, access: "write" });
  return { root, folder, trash: createTrash({ folder }), at, fact };
}

const OTHER_DISK = "/dev/shm";

/** For a test's `skip` option. */
export const withoutOtherDisk =
  existsSync(OTHER_DISK) && statSync(OTHER_DISK).dev !== statSync("/tmp").dev
    ? false
    : "needs /dev/shm on another disk than /tmp";

/** The path of a trash that is not on the disk of temporary folders. */
export function onOtherDisk(context: TestContext): string {
  const folder = mkdtempSync(join(OTHER_DISK, "toolwright-test-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "trash");
}

/** A folder `tree` with files, folders, links, modes and times of all kinds. */
export function fillTree(at: (name: string) => string): void {
  mkdirSync(at("tree/inner"), { recursive: true });
  writeFileSync(at("tree/a"), "12345");
  writeFileSync(at("tree/inner/run.sh"), "#!/bin/sh\n");
  chmodSync(at("tree/inner/run.sh"), 0o4755);
  symlinkSync("/etc/passwd", at("tree/inner/link"));
  symlinkSync("nowhere", at("tree/dangling"));
  utimesSync(at("tree/a"), 1_000_000, 1_000_001);
  chmodSync(at("tree/inner"), 0o750);
  utimesSync(at("tree"), 1_000_000, 1_000_002);
}

/** Something in the trash under an id that an example names. */
export function fillTrash(
  { folder, home }: { readonly folder: string; readonly home: string },
  id: string,
): void {
  const entry = join(home, "state/trash", id);
  mkdirSync(entry, { recursive: true });
  writeFileSync(join(entry, "item"), "");
  writeFileSync(
    join(entry, "entry.json"),
    JSON.stringify({ path: join(folder, "deleted"), deletedAt: Date.now() }),
  );
}
