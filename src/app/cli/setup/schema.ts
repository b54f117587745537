import { unknownName } from "../../../util/text/near-hint.ts";
import { EDITOR_SCHEMAS, editorSchema } from "../../config/editor-schemas.ts";
import type { Command } from "../../terminal/input/command.ts";
import { refuseArguments } from "../../terminal/input/check-arguments.ts";

/** What `run --output-format stream-json` prints. */
const STREAM = "stream-json";
const SCHEMAS = [...EDITOR_SCHEMAS, STREAM];

export const schema: Command = {
  name: "schema",
  summary: "print the JSON Schema of a config file, for editors, or of the output of run",
  usage: SCHEMAS.join(" | "),
  positionals: ["action"],
  actions: SCHEMAS,
  flags: {},
  examples: {
    "schema config > config.schema.json": "the settings in config.json",
    "schema policy": "the rules in policy.json",
    "schema mcp": "the servers in .mcp.json",
    "schema stream-json": "a line that run prints as stream-json",
  },
  async run({ positionals: [given = "", ...rest] }, { output }) {
    refuseArguments(rest);
    const print = (value: object): Promise<void> => output.print(`${JSON.stringify(value, undefined, 2)}\n`);
    if (given === STREAM) return print((await import("../agent/run/stream-schema.ts")).streamSchema());
    const name = EDITOR_SCHEMAS.find((one) => one === given);
    if (name === undefined) {
      const problem = given === "" ? "missing schema" : `unknown schema "${given}"`;
      const message = `${problem}; expected ${SCHEMAS.join(", ")}`;
      throw unknownName(message, given, SCHEMAS, "see toolwright schema --help");
    }
    return print(editorSchema(name));
  },
};
