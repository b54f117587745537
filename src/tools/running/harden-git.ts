/** By a name of its own: the build hides the import of that file, and a bundled program needs this one. */
export { hardenGit } from "../../system/git/hardened-environment.ts";
