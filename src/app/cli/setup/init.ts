import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { configFiles } from "../../config/config.ts";
import { editorSchema } from "../../config/editor-schemas.ts";
import { readEnvironment } from "../../config/environment.ts";
import type { Command } from "../../terminal/input/command.ts";
import { refuseArguments } from "../../terminal/input/refuse-arguments.ts";

/** Beside the config file, so that an editor finds it offline and in every checkout. */
const SCHEMA = "./schemas/config.json";

/** The defaults, so that there is something to change. docs/configuration.md describes each. */
const PROJECT = { $schema: SCHEMA, mode: "auto", timeoutSeconds: 30, concurrency: 16, groups: {} };
const USER = { ...PROJECT, roots: [], environment: [], toolDirectories: [], profiles: {} };

export const init: Command = {
  name: "init",
  summary: "write a config file with the defaults, and its JSON Schema for editors",
  usage: "[--user] [--force]",
  positionals: [],
  flags: {
    user: { summary: "the user's own file instead of the project's" },
    force: { summary: "replace a file that is there" },
  },
  examples: [
    { line: "init", does: "write .toolwright/config.json in this folder" },
    { line: "init --user", does: "write config.json in ~/.toolwright" },
  ],
  async run({ positionals, flags }, { output }) {
    refuseArguments(positionals, "it writes into the current folder");
    const files = configFiles(readEnvironment());
    const isUser = flags["user"] === true;
    const file = isUser ? files.user : files.project;
    write(file, isUser ? USER : PROJECT, flags["force"] === true);
    write(join(dirname(file), SCHEMA), editorSchema("config"), true);
    const scope = isUser ? "" : "; until you trust the folder, it can only tighten your own settings";
    await output.print(
      `wrote ${file}${scope}\ntoolwright doctor shows the settings in force; docs/configuration.md describes each\n`,
    );
    return 0;
  },
};

function write(file: string, value: object, mayReplace: boolean): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`, { flag: mayReplace ? "w" : "wx" });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (isThere) {
      throw new ToolError("TOOL_FAILED", `${file} already exists`, {
        hint: "--force replaces it",
        cause: error,
      });
    }
    throw new ToolError("TOOL_FAILED", `${file} cannot be written: ${errorMessage(error)}`, { cause: error });
  }
}
