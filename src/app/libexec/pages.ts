import type { Json, JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { Program, Surroundings } from "./program.ts";

/** The names and types of parameters do not depend on where a program is started. */
const ANYWHERE: Surroundings = { root: "/", environment: {} };

/** What `--schema` prints, made once at build: the flat form, in which each parameter says itself whether it is required. */
export function schemaOf(program: Program): JsonObject {
  const { name, description, returns, timeoutSeconds } = program;
  return {
    name,
    description,
    parameters: parametersOf(program),
    returns: { type: "object", properties: returns },
    ...(timeoutSeconds !== undefined && { timeout_seconds: timeoutSeconds }),
  };
}

/** What `--help` prints. */
export function helpOf(program: Program): string {
  const rows = Object.entries(parametersOf(program)).map(([name, about]) => {
    const { required, default: fallback, description } = isObject(about) ? about : {};
    const mark = required === true ? "*" : fallback === undefined ? "" : `=${JSON.stringify(fallback)}`;
    return `  ${`${name}${mark}`.padEnd(26)}${typeof description === "string" ? description : ""}\n`;
  });
  return `${program.name}: ${program.description}

Usage: echo '${JSON.stringify(program.example)}' | ${program.name}

Takes one JSON object on standard input and prints one JSON value. It obeys no policy and reads no
settings: it may do whatever the user who starts it may do.

Parameters (* is required):
${rows.join("")}
Answers with: ${Object.keys(program.returns).join(", ")}
A failure is {"error", "error_code", "hint", "details"} on standard output.
Exit codes: 0 answered, 1 failed, 2 invalid input, 4 timed out, 130 ended by a signal.

  --schema   print what it takes as JSON
  --version  print the version
  --help     print this
`;
}

function parametersOf(program: Program): JsonObject {
  const { properties, required } = program.createTool(ANYWHERE).input;
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const entries = Object.entries(isObject(properties) ? properties : {}).map(
    ([name, schema]): [string, Json] => {
      const description = program.parameters[name];
      return [
        name,
        {
          ...(isObject(schema) && schema),
          ...(description !== undefined && { description }),
          ...(isRequired(name) && { required: true }),
        },
      ];
    },
  );
  return Object.fromEntries(entries);
}
