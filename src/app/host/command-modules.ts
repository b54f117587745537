import { ToolError } from "../../core/errors.ts";
import type * as All from "./all-command-modules.ts";

type Modules = typeof All;

/**
 * What policy needs to judge commands, loaded when the first command is judged. The build hides these imports from the bundlers of programs
 * (`HIDDEN` in `scripts/build/bundle.ts`): the reader and its tables would be a third of a program that may never run a command.
 */
const MODULES: { readonly [Name in keyof Modules]: () => Promise<Modules[Name]> } = {
  shell: () => import("../../shell/commands.ts"),
  box: () => import("../../system/box/box.ts"),
  folderPrograms: () => import("../../system/git/folder-programs.ts"),
  hardenedEnvironment: () => import("../../system/git/hardened-environment.ts"),
  changedSecrets: () => import("./changed-secrets.ts"),
  findsProtected: () => import("./finds-protected.ts"),
};

/** Loads all of them from the bundle of a program, if it has them. */
let bundled: (() => Promise<Modules>) | undefined;

/** Makes the modules a part of a program that is bundled, for tools that run commands. */
export function bundleCommandModules(load: () => Promise<Modules>): void {
  bundled ??= load;
}

/** Loads one of the modules. Rejects with `UNAVAILABLE` in a bundled program without them: then no command is judged as if it had been read. */
export async function loadCommandModule<Name extends keyof Modules>(name: Name): Promise<Modules[Name]> {
  try {
    return await MODULES[name]();
  } catch (cause) {
    if (bundled !== undefined) return (await bundled())[name];
    throw new ToolError("UNAVAILABLE", "the reader of shell commands is not part of this program", {
      cause,
      hint: "leave toolwright out of the bundle, or import the built-in tools, which bring it",
    });
  }
}
