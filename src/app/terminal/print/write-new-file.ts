import { writeFile } from "node:fs/promises";
import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

/** Writes a new file that only its owner can read. Throws, with the name that the user gave it, if that fails. */
export async function writeNewFile(path: string, text: string, name = path): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
  } catch (cause) {
    throw new ToolError("UNAVAILABLE", `cannot write ${name}: ${errorMessage(cause)}`, {
      hint: "existing files are not overwritten: name a new file in an existing folder",
      cause,
    });
  }
}
