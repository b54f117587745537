/** The modules of `command-modules.ts` in one, for programs that bundle them. */
export * as shell from "../../shell/commands.ts";
export * as box from "../../system/box/box.ts";
export * as folderPrograms from "../../system/git/folder-programs.ts";
export * as hardenedEnvironment from "../../system/git/hardened-environment.ts";
export * as changedSecrets from "./changed-secrets.ts";
export * as findsProtected from "./finds-protected.ts";
