import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { MODES } from "../../../core/policy.ts";
import { DECISIONS } from "../../../core/rule.ts";
import {
  list,
  object,
  oneOf,
  optional,
  string,
  type Infer,
  type Schema,
} from "../../../schema/define/schema.ts";
import { createDocumentParser } from "../../../schema/parse-document.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { parsePlainYaml } from "../../config/files/yaml.ts";

const INPUT: Schema<JsonObject> = { type: "object" };
const NAMES = optional(list(string()));

const CASE = object({
  tool: optional(string("The name of the tool; default: shell")),
  input: optional(INPUT),
  command: optional(string("In place of tool and input: a command of shell")),
  as: optional(oneOf([string(), object({ id: string(), groups: NAMES, roles: NAMES })])),
  mode: optional(oneOf(MODES)),
  expect: oneOf(DECISIONS),
});

/** A call, and the verdict that it must have. */
export interface PolicyCase extends Infer<typeof CASE> {
  /** `line 3` of a file with a case in each line, `case 3` of a list. */
  readonly place: string;
}

const parseCase = createDocumentParser(CASE, { defaults: false });

/** Reads the cases of a file: a JSON object in each line, or a list in YAML. Rejects with `INVALID_INPUT`, naming the case, if it has no cases. */
export async function readPolicyCases(file: string): Promise<readonly PolicyCase[]> {
  const cases = (await readValues(file)).map(([place, value]) => ({
    ...parseCase(value, `${file}: ${place}`),
    place,
  }));
  const both = cases.find((one) => (one.tool === undefined) === (one.command === undefined));
  if (both !== undefined) throw unusable(`${file}: ${both.place}: expected either tool or command`);
  if (cases.length === 0) throw unusable(`${file} has no cases`);
  return cases;
}

type Placed = readonly [place: string, value: unknown];

async function readValues(file: string): Promise<readonly Placed[]> {
  const text = readText(file);
  if (extname(file) !== ".yaml" && extname(file) !== ".yml")
    return text
      .split("\n")
      .flatMap((line, index) => (line.trim() === "" ? [] : [parseLine(file, line, index + 1)]));
  const parsed = await parsePlainYaml(text);
  if ("fault" in parsed) throw unusable(`${file}: ${parsed.fault}`);
  if (!Array.isArray(parsed.value)) throw unusable(`${file} is not a list of cases`);
  return (parsed.value as readonly unknown[]).map((value, index) => [`case ${index + 1}`, value]);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw unusable(`${file}: ${errorMessage(error)}`);
  }
}

function parseLine(file: string, line: string, number: number): Placed {
  try {
    return [`line ${number}`, JSON.parse(line)];
  } catch (error) {
    throw unusable(`${file}: line ${number}: ${errorMessage(error)}`);
  }
}

function unusable(message: string): ToolError {
  return new ToolError("INVALID_INPUT", message, {
    hint: 'a case is {"tool": "write_file", "input": {"path": "a"}, "as": "alice", "expect": "ask"}',
  });
}
