import { unknownName } from "../../../util/text/near-hint.ts";
import { EDITOR_SCHEMAS, editorSchema } from "../../config/editor-schemas.ts";
import type { Command } from "../../terminal/input/command.ts";
import { refuseArguments } from "../../terminal/input/check-arguments.ts";

export const schema: Command = {
  name: "schema",
  summary: "print the JSON Schema of a config file, for editors",
  usage: EDITOR_SCHEMAS.join(" | "),
  positionals: ["action"],
  actions: EDITOR_SCHEMAS,
  flags: {},
  examples: {
    "schema config > config.schema.json": "the settings in config.json",
    "schema policy": "the rules in policy.json",
    "schema mcp": "the servers in .mcp.json",
  },
  async run({ positionals: [given = "", ...rest] }, { output }) {
    refuseArguments(rest);
    const name = EDITOR_SCHEMAS.find((one) => one === given);
    if (name === undefined) {
      const problem = given === "" ? "missing schema" : `unknown schema "${given}"`;
      const message = `${problem}; expected ${EDITOR_SCHEMAS.join(", ")}`;
      throw unknownName(message, given, EDITOR_SCHEMAS, "see toolwright schema --help");
    }
    await output.print(`${JSON.stringify(editorSchema(name), undefined, 2)}\n`);
  },
};
