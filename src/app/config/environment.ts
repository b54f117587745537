import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { ToolError } from "../../core/errors.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** Where the program runs: its folder, its variables and its user. */
export interface Environment {
  readonly cwd: string;
  readonly variables: Variables;
  readonly userHome: string;
}

/** Reads the environment of the process. Nothing else in the program does. */
export function readEnvironment(): Environment {
  const userHome = findUserHome();
  const { HOME: named } = process.env;
  // Child processes use the same home as the program.
  const variables = { ...process.env, ...(named !== undefined && { HOME: userHome }) };
  return { cwd: currentFolder(), variables, userHome };
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new ToolError("UNAVAILABLE", "the current folder is gone", {
      hint: "cd to one that exists",
      cause: error,
    });
  }
}

/**
 * Returns the home that HOME names, else that of the account. Never a relative path, as an empty HOME would give: then files in
 * the current folder would pass for the user's own. Throws if there is none.
 */
function findUserHome(): string {
  const home = [homedir, accountHome].map(pathOf).find(isAbsolute);
  if (home !== undefined) return home;
  throw new ToolError("UNAVAILABLE", "there is no home folder: neither HOME nor the account names one", {
    hint: "set HOME to an absolute path",
  });
}

function accountHome(): string {
  return userInfo().homedir;
}

/** Node throws if the system knows of no home. */
function pathOf(find: () => string): string {
  try {
    return find();
  } catch {
    return "";
  }
}
