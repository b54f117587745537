import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { ToolError } from "../../../core/errors.ts";

/**
 * The user's home: what HOME names, else what the account has. Never a relative path, as an empty HOME would give: then the files
 * of whatever folder we are in would pass for the user's own. Throws where there is none.
 */
export function findUserHome(): string {
  const home = [homedir, accountHome].map(pathOf).find(isAbsolute);
  if (home !== undefined) return home;
  throw new ToolError("UNAVAILABLE", "there is no home folder: HOME names none, and the account has none", {
    hint: "set HOME to an absolute path",
  });
}

function accountHome(): string {
  return userInfo().homedir;
}

/** The system throws where it knows of none. */
function pathOf(find: () => string): string {
  try {
    return find();
  } catch {
    return "";
  }
}
