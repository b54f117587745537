import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { systemCode } from "../../../system/paths/file-fault.ts";
import { syncFolder } from "../../../system/saved/copy-tree.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

/** Writes a new file that only its owner can read, and waits until it is on the disk. Throws, with the name that the user gave it, if that fails. */
export async function writeNewFile(
  path: string,
  text: string | AsyncIterable<string>,
  name = path,
): Promise<void> {
  try {
    await using file = await open(path, "wx", 0o600);
    await file.writeFile(text);
    await file.sync();
    // A folder that may be written but not read cannot be synced.
    await syncFolder(dirname(path)).catch((error: unknown) => {
      if (systemCode(error) !== "EACCES") throw error;
    });
  } catch (cause) {
    throw new ToolError("UNAVAILABLE", `cannot write ${name}: ${errorMessage(cause)}`, {
      hint: "existing files are not overwritten: name a new file in an existing folder",
      cause,
    });
  }
}
