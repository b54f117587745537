import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import { readJsonLines, sharedData } from "../files/shared-data.ts";

/** A call that a model made or should make, with the tools it was shown. */
export interface RealCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly tools: readonly RealTool[];
}

export interface RealTool {
  readonly name: string;
  readonly input: JsonObject;
}

const BFCL = ["simple_python", "multiple", "parallel", "live_simple", "live_multiple"];
const TYPES: Readonly<Record<string, string>> = { dict: "object", float: "number", tuple: "array" };
const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: false });

/** Returns whether a validator that is not ours accepts an input. */
export function isValid(schema: JsonObject, input: unknown): boolean {
  let validate = validators.get(schema);
  if (validate === undefined) {
    // A parameter that the tool does not have is refused, as the engine does.
    const closed = "additionalProperties" in schema ? schema : { ...schema, additionalProperties: false };
    validators.set(schema, (validate = ajv.compile(closed)));
  }
  return validate(input);
}
const validators = new Map<JsonObject, (input: unknown) => boolean>();

/** Reads the calls of the public cases: those of BFCL, shell commands, patches and files. */
export function realCalls(): readonly RealCall[] {
  return [...BFCL.flatMap(bfclCalls), ...commandCalls(), ...textCalls()].filter(
    ({ name, input, tools }) =>
      isValid(tools.find((tool) => tool.name === name)?.input ?? {}, input) &&
      // Markup has no types: `null` leaves a parameter out, as docs/dialects.md says.
      !Object.values(input).includes("null"),
  );
}

interface Task {
  readonly id: string;
  readonly function: readonly { readonly name: string; readonly parameters: JsonObject }[];
}
interface Truth {
  readonly id: string;
  readonly ground_truth: readonly Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>>[];
}

function bfclCalls(suite: string): readonly RealCall[] {
  const file = `BFCL_v4_${suite}.json`;
  let tasks: readonly Task[];
  let truths: readonly Truth[];
  try {
    tasks = readJsonLines(sharedData("bfcl", file)) as readonly Task[];
    truths = readJsonLines(sharedData("bfcl", "possible_answer", file)) as readonly Truth[];
  } catch (error) {
    // Not every suite has answers.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  const answers = new Map(truths.map(({ id, ground_truth: calls }) => [id, calls]));
  return tasks.flatMap((task) => {
    const tools = task.function.map(({ name, parameters }) => ({
      name: plainName(name),
      input: toSchema(parameters) as JsonObject,
    }));
    return (answers.get(task.id) ?? []).flatMap((call) =>
      Object.entries(call).map(([name, values]) => ({
        name: plainName(name),
        input: toInput(values),
        tools,
      })),
    );
  });
}

function plainName(name: string): string {
  return name.replaceAll(/[^\w]/g, "_");
}

/** Each parameter has a list of accepted values; "" means that it may be left out. */
function toInput(values: Readonly<Record<string, readonly Json[]>>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, choices]) => {
      const value = choices.find((choice) => choice !== "");
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** Replaces the type names of Python. */
function toSchema(value: Json): Json {
  if (Array.isArray(value)) return value.map(toSchema);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key !== "type" || typeof inner !== "string") return [[key, toSchema(inner)]];
      return inner === "any" ? [] : [[key, TYPES[inner] ?? inner]];
    }),
  );
}

const text = { type: "string" } as const;
const SHELL: RealTool = {
  name: "run_command",
  input: {
    type: "object",
    properties: { command: text, workingFolder: text, timeoutSeconds: { type: "integer" } },
    required: ["command"],
  },
};
const WRITE: RealTool = {
  name: "write_file",
  input: {
    type: "object",
    properties: { file_path: text, content: text },
    required: ["file_path", "content"],
  },
};
const PATCH: RealTool = {
  name: "apply_patch",
  input: { type: "object", properties: { patch: text }, required: ["patch"] },
};
const CODING = [SHELL, WRITE, PATCH];

function commandCalls(): readonly RealCall[] {
  const rows = ["everyday-commands.jsonl", "shell-effects.jsonl"].flatMap((file) =>
    readJsonLines(sharedData(file)),
  ) as readonly { readonly command: string }[];
  return rows.map(({ command }, index) => ({
    name: SHELL.name,
    input: {
      command,
      ...(index % 3 === 0 ? { workingFolder: "src/app" } : {}),
      ...(index % 4 === 0 ? { timeoutSeconds: 30 } : {}),
    },
    tools: CODING,
  }));
}

/** Pieces of code and prose, as files and patches. */
function textCalls(): readonly RealCall[] {
  const files = ["adversarial.md", "README.md", "shell-policy.json", "toolcall-formats.jsonl"];
  return files.flatMap((file) => {
    const lines = readFileSync(sharedData(file), "utf8").split("\n");
    return Array.from({ length: Math.min(60, Math.ceil(lines.length / 4)) }, (_, index) => {
      const content = lines
        .slice(index * 4, index * 4 + 4)
        .join("\n")
        .slice(0, 900)
        .trim();
      return index % 2 === 0
        ? { name: WRITE.name, input: { file_path: `docs/${index}.md`, content }, tools: CODING }
        : { name: PATCH.name, input: { patch: content }, tools: CODING };
    });
  });
}
