import { basename, dirname, join } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { listFolder } from "../../../system/paths/list-folder.ts";
import { quoteName, unquoteName } from "../../../util/text/file-name.ts";
import { nearNames } from "../../../util/text/near-names.ts";

const MAX_NAMES = 5000;

/** Creates the error for a missing file, with similar names in its folder. */
export async function missingFile(path: string, shownPath: string): Promise<ToolError> {
  const near = nearNames(basename(path), await namesIn(dirname(path)));
  const folder = dirname(unquoteName(shownPath));
  const paths = near.map((name) => quoteName(folder === "." ? name : join(folder, name)));
  return new ToolError("TOOL_FAILED", `${shownPath} does not exist`, {
    hint:
      paths.length > 0
        ? `did you mean ${paths.map(toSuggestion(shownPath)).join(" or ")}?`
        : "use glob or ls to find it",
    details: { path, near: paths },
  });
}

/** Adds escapes to names that look the same. */
function toSuggestion(shown: string): (path: string) => string {
  return (path) =>
    path !== shown && path.normalize() === shown.normalize()
      ? `${path} (written as ${escaped(path)}, not ${escaped(shown)})`
      : path;
}

function escaped(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const entry of listFolder(folder)) {
      names.push(entry.name);
      if (names.length >= MAX_NAMES) break;
    }
  } catch {
    // A folder that cannot be read gives no suggestions.
  }
  return names;
}
