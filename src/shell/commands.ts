/** What policy needs to judge a command, loaded together when the first one is read. */
export { readCommand } from "./reader.ts";
export { readsInBox } from "./reads-in-box.ts";
export { mayBeTried } from "./may-be-tried.ts";
export { isBasic, showsMachine } from "./programs/basic-commands.ts";
export { flagsOf } from "./programs/canonical-flags.ts";
export { describeCommand } from "./programs/describe-command.ts";
export { findDisaster } from "./programs/disasters/disasters.ts";
export { findProgram, isRunner, runsCode } from "./programs/find-program.ts";
