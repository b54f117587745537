import { defined } from "../../util/json/defined.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Program, StartOptions } from "./program.ts";

/** The names and types of parameters do not depend on where a program is started. */
const ANYWHERE: StartOptions = { root: "/", environment: {} };

/** Returns the output of `--schema`, which is made at build time: the flat form, with `required` on each parameter. */
export function schemaOf(program: Program): JsonObject {
  const { name, description, returns, timeoutSeconds } = program;
  const { parameterAliases } = program.createTool(ANYWHERE);
  return {
    name,
    description,
    parameters: parametersOf(program),
    ...defined({ parameter_aliases: parameterAliases }),
    returns: { type: "object", properties: returns },
    ...defined({ timeout_seconds: timeoutSeconds }),
  };
}

/** Returns the output of `--help`. */
export function helpOf(program: Program): string {
  const rows = Object.entries(parametersOf(program)).map(([name, about]) => {
    const { required, default: fallback, description } = isObject(about) ? about : {};
    const mark = required === true ? "*" : fallback === undefined ? "" : `=${JSON.stringify(fallback)}`;
    return `  ${`${name}${mark}`.padEnd(26)}${typeof description === "string" ? description : ""}\n`;
  });
  return `${program.name}: ${program.description}

Usage: echo '${JSON.stringify(program.example)}' | ${program.name}

Reads one JSON object from standard input and prints one JSON value. Applies no policy and reads no
settings: it can do whatever the user who starts it can do.

Parameters (* marks a required one):
${rows.join("")}
Returns: ${Object.keys(program.returns).join(", ")}
A failure prints {"error", "error_code", "hint", "details"} to standard output.
Exit codes: 0 success, 1 failed, 2 invalid input, 4 timed out, 130 interrupted.

  --schema   print the JSON schema
  --version  print the version
  --help     print this help
`;
}

function parametersOf(program: Program): JsonObject {
  const { properties, required } = program.createTool(ANYWHERE).input;
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const entries = Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    const own = defined({ description: program.parameters[name], required: isRequired(name) || undefined });
    return [name, { ...(isObject(schema) && schema), ...own }] as const;
  });
  return Object.fromEntries(entries);
}
