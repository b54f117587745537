import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { configFiles, readSurroundings } from "../../config/config.ts";
import type { Command } from "../../terminal/input/command.ts";
import { refuseWords } from "../../terminal/input/refuse-words.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

/** What a file begins with: the defaults, so that there is something to change. docs/configuration.md says what each means. */
const PROJECT = { mode: "auto", timeoutSeconds: 30, concurrency: 16, groups: {} };
const USER = { ...PROJECT, roots: [], environment: [], toolDirectories: [], profiles: {} };

export const init: Command = {
  name: "init",
  summary: "write a config file with the defaults, to change",
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
    refuseWords(positionals, "it writes into the current folder");
    const files = configFiles(readSurroundings());
    const isUser = flags["user"] === true;
    const file = isUser ? files.user : files.project;
    write(file, `${JSON.stringify(isUser ? USER : PROJECT, undefined, 2)}\n`, flags["force"] === true);
    const scope = isUser ? "" : "; until the folder is trusted it can only tighten what you have set";
    await output.print(
      `wrote ${file}${scope}\ntoolwright doctor shows what holds now; docs/configuration.md every setting\n`,
    );
    return 0;
  },
};

function write(file: string, text: string, mayReplace: boolean): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: mayReplace ? "w" : "wx" });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (isThere) {
      throw new ToolError("TOOL_FAILED", `${file} is there already`, {
        hint: "--force replaces it",
        cause: error,
      });
    }
    const reason = errorMessage(error);
    throw new ToolError("TOOL_FAILED", `${file} cannot be written: ${reason}`, { cause: error });
  }
}
