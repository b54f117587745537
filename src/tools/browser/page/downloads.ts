import { readFile, rm, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import type { Download } from "playwright-core";
import { replaceFile } from "../../../system/files/replace.ts";
import { existed, resolveTarget } from "../../../system/paths/paths.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { isWithin } from "../../../util/text/paths/is-within.ts";
import { displayPath } from "../../shared/facts.ts";
import { counted } from "../../../util/text/words.ts";

const FOLDER = "downloads";
const MAX_MB = 100;
const MAX_NAME = 100;
const MAX_SAME = 1000;
/** How long a call waits for the files that it downloads. */
const WAIT_MS = 15_000;

/** The files that pages send. */
export type Downloads = ReturnType<typeof createDownloads>;

export interface DownloadsOptions {
  readonly root: string;
  /** Returns true for a path that a rule does not let the browser write. */
  readonly isRefused: (path: string) => boolean;
  /** Receives a line about each download. */
  readonly onNote: (note: string) => void;
}

/** Saves downloads in the workspace, under names that no file has. */
export function createDownloads({ root, isRefused, onNote }: DownloadsOptions) {
  const running = new Map<Download, Promise<void>>();
  let count = 0;
  return {
    add(download: Download): void {
      count += 1;
      const saving = save(root, download, isRefused).then(onNote, (error: unknown) =>
        onNote(`the download of ${download.suggestedFilename()} failed: ${errorMessage(error)}`),
      );
      running.set(
        download,
        saving.finally(() => running.delete(download)),
      );
    },
    /** How many were begun so far. */
    count: (): number => count,
    /** Waits for those under way, but not long. */
    settle: (): Promise<void> =>
      withTimeout(Promise.all(running.values()), WAIT_MS, () => {
        for (const download of running.keys())
          onNote(
            `${download.suggestedFilename()} is still being downloaded; a later answer says where it is`,
          );
      }).then(() => undefined),
  };
}

async function save(
  root: string,
  download: Download,
  isRefused: DownloadsOptions["isRefused"],
): Promise<string> {
  const path = await download.path();
  const { size } = await stat(path);
  const name = safeName(download.suggestedFilename());
  if (size > MAX_MB * 1024 * 1024) {
    await rm(path, { force: true });
    return `${name} was not saved: it has ${size} bytes, and ${MAX_MB} MB is the limit`;
  }
  const fact = await freeTarget(root, name);
  if (isRefused(fact.path)) {
    await rm(path, { force: true });
    return `${name} was not saved: a rule denies writing ${displayPath(root, fact.path)} or requires approval for it`;
  }
  await replaceFile(fact, await readFile(path));
  await rm(path, { force: true });
  return `downloaded ${displayPath(root, fact.path)} (${counted(size, "byte")})`;
}

async function freeTarget(root: string, name: string) {
  const ending = extname(name);
  const base = name.slice(0, name.length - ending.length);
  for (let number = 0; number < MAX_SAME; number += 1) {
    const file = number === 0 ? name : `${base}-${number}${ending}`;
    const fact = await resolveTarget(join(root, FOLDER, file), { cwd: root, access: "write" });
    if (!isWithin(fact.path, join(root, FOLDER)))
      throw new Error(`the folder ${FOLDER} is a link to another`);
    if (!existed(fact)) return fact;
  }
  throw new Error(`there are ${MAX_SAME} files of that name`);
}

/** Returns a name without folders, hidden endings and characters that terminals or other systems treat specially. */
function safeName(suggested: string): string {
  const name = suggested.replaceAll(/[^\p{L}\p{N} ._()-]+/gu, "_").replace(/^[.\s]+/, "");
  const ending = extname(name).slice(0, 20);
  const base = name.slice(0, name.length - extname(name).length).slice(0, MAX_NAME);
  return `${base || "download"}${ending}`;
}
