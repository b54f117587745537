import { randomUUID } from "node:crypto";
import {
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { ToolError } from "../../../core/errors.ts";

export interface WrittenFile {
  readonly file: string;
  /** Where the text from before is; undefined where there was none, or it was the same. */
  readonly backup: string | undefined;
}

/** Changes a file as a whole and keeps what was there beside it. A file that cannot be merged into is left as it is. */
export function writeMerged(path: string, merge: (text: string) => string): WrittenFile {
  const file = targetOf(path);
  const before = readIfThere(file);
  const after = mergeIn(file, before ?? "", merge);
  if (after === before) return { file, backup: undefined };
  mkdirSync(dirname(file), { recursive: true });
  const backup = before === undefined ? undefined : keepBeside(file);
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    // It may hold a token: nobody else reads it, unless others could read it before.
    writeFileSync(draft, after, { mode: 0o600, flag: "wx" });
    if (before !== undefined) chmodSync(draft, statSync(file).mode & 0o777);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new ToolError("UNAVAILABLE", `${file} cannot be written: ${String(error)}`, { cause: error });
  }
  return { file, backup };
}

/** Never over an earlier one: the first is the file as it was without us. */
function keepBeside(file: string): string {
  for (let count = 1; ; count += 1) {
    const backup = `${file}.before-toolwright${count === 1 ? "" : `-${count}`}`;
    try {
      copyFileSync(file, backup, constants.COPYFILE_EXCL);
      return backup;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST")
        throw new ToolError("UNAVAILABLE", `${file} cannot be kept as ${backup}: ${String(error)}`, {
          cause: error,
        });
    }
  }
}

/** A link stays a link: what it leads to is changed. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ToolError("UNAVAILABLE", `${file} cannot be read: ${String(error)}`, { cause: error });
  }
}

function mergeIn(file: string, text: string, merge: (text: string) => string): string {
  try {
    return merge(text);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(error.code, `${file}: ${error.message}`, {
      hint: "leave out --write and put what is printed into it by hand; the file was not touched",
      cause: error,
    });
  }
}
