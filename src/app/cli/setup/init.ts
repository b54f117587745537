import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { configFiles } from "../../config/config.ts";
import { editorSchema } from "../../config/editor-schemas.ts";
import type { Command } from "../../terminal/input/command.ts";
import { refuseArguments } from "../../terminal/input/check-arguments.ts";

/** Beside the config file, so that an editor finds it offline and in every checkout. */
const SCHEMA = "./schemas/config.json";

/** The defaults. docs/configuration.md describes each setting. */
const PROJECT = { $schema: SCHEMA, mode: "auto", timeoutSeconds: 30, concurrency: 16, groups: {} };
const USER = { ...PROJECT, roots: [], environment: [], toolDirectories: [], profiles: {} };

export const init: Command = {
  name: "init",
  summary: "write a config file with the defaults, and its JSON Schema for editors",
  usage: "[--user] [--force]",
  positionals: [],
  flags: {
    user: { summary: "write the user config instead of the project config" },
    force: { summary: "overwrite an existing file" },
  },
  examples: [
    { line: "init", does: "write .toolwright/config.json in this folder" },
    { line: "init --user", does: "write config.json in ~/.toolwright" },
  ],
  async run({ positionals, flags }, { output, environment }) {
    refuseArguments(positionals, "the file is written to the current folder");
    const files = configFiles(environment());
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
    if (isThere)
      throw new ToolError("TOOL_FAILED", `${file} already exists`, {
        hint: "use --force to overwrite it",
        cause: error,
      });
    throw new ToolError("TOOL_FAILED", `cannot write ${file}: ${errorMessage(error)}`, { cause: error });
  }
}
