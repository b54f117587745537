import { isUtf8 } from "node:buffer";
import { constants, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { ToolError } from "../../../core/errors.ts";
import type { PathFact } from "../../../core/fact.ts";
import { isBinary } from "../../../system/files/kind.ts";
import { openTarget } from "../../../system/files/files.ts";
import { defined } from "../../../util/json/defined.ts";

/** Larger files are not edited as text. */
export const MAX_FILE_MB = 32;
const BYTE_ORDER_MARK = "\uFEFF";
const UTF16_MARKS: ReadonlySet<string> = new Set(["fffe", "feff"]);

export interface WholeFile {
  readonly bytes: Buffer;
  /** The stats when it was read. */
  readonly stats: Stats;
}

export interface Text {
  /** Without the byte order mark. */
  readonly text: string;
  /** The byte order mark, or empty. */
  readonly mark: string;
}

/** Reads a whole file in order to change it; throws at once if it cannot be written. */
export async function readWholeFile(fact: PathFact, shownPath: string): Promise<WholeFile> {
  await using opened = await openTarget(fact, constants.O_RDWR);
  const { handle, stats } = opened;
  if (stats.size > MAX_FILE_MB * 1024 * 1024)
    throw unfit(shownPath, `has ${stats.size} bytes, over ${MAX_FILE_MB} MB`);
  return { bytes: await readAll(handle, stats.size), stats };
}

/** Reads in one step if the size is unchanged; one extra byte detects growth. */
async function readAll(handle: FileHandle, size: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(size + 1), 0, size + 1, 0);
  return bytesRead === size ? buffer.subarray(0, size) : handle.readFile();
}

/** Decodes the text of a file: UTF-8 only, because other encodings would be damaged when written back. */
export function toText(bytes: Buffer, shownPath: string): Text {
  refuseOtherThanUtf8(shownPath, bytes);
  const text = bytes.toString("utf8");
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  return { text: text.slice(mark.length), mark };
}

function refuseOtherThanUtf8(shown: string, bytes: Buffer): void {
  if (UTF16_MARKS.has(bytes.toString("hex", 0, 2))) {
    const how = "convert it to UTF-8 first, for example with iconv -f UTF-16";
    throw unfit(shown, "is UTF-16 text, not UTF-8", how);
  }
  if (isBinary(bytes)) throw unfit(shown, `is a binary file (${bytes.length} bytes)`);
  if (isUtf8(bytes)) return;
  const hint = "convert it to UTF-8 first, for example with iconv -f ISO-8859-1 -t UTF-8";
  throw unfit(shown, "is not UTF-8 text, possibly Latin-1 or another encoding", hint);
}

function unfit(shown: string, reason: string, hint?: string): ToolError {
  return new ToolError("TOOL_FAILED", `${shown} ${reason}: it cannot be edited as text`, {
    ...defined({ hint }),
    details: { path: shown },
  });
}
