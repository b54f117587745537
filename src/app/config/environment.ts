import { userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { attempt } from "../../util/async/attempt.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

/** Where the program runs: its folder, its variables and its user. */
export interface Environment {
  readonly cwd: string;
  /** Further folders that the program works in; default: none. */
  readonly roots?: readonly string[];
  readonly variables: Variables;
  readonly userHome: string;
}

/** The part of the process that has the environment. */
export interface EnvironmentSource {
  readonly env: Variables;
  readonly cwd: () => string;
}

/** Reads the environment of the process. Nothing else in the program does. Throws if the current folder is gone. */
export function readEnvironment({ env, cwd }: EnvironmentSource): Environment {
  const { HOME: named } = env;
  const userHome = findUserHome(named);
  // Child processes use the same home as the program.
  const variables = { ...env, ...(named !== undefined && { HOME: userHome }) };
  return { cwd: currentFolder(cwd), variables, userHome };
}

/** Returns the current folder, which the system resolves. Throws if it is gone. */
export function currentFolder(cwd: () => string): string {
  try {
    return cwd();
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
function findUserHome(named = ""): string {
  // Node throws if the system knows of no home.
  const home = isAbsolute(named) ? named : (attempt(() => userInfo().homedir) ?? "");
  if (isAbsolute(home)) return home;
  throw new ToolError("UNAVAILABLE", "there is no home folder: neither HOME nor the account names one", {
    hint: "set HOME to an absolute path",
  });
}
