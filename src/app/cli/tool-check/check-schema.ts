import { isObject, type JsonObject } from "../../../core/json.ts";
import { fromFlatSchema } from "../../../sources/external/flat-schema.ts";
import { readSchema } from "../../../sources/external/schema.ts";
import { createValidator } from "../../../schema/validate.ts";
import { fail, pass, type Finding } from "./finding.ts";
import { endOf, readAnswer, type Run } from "./run-once.ts";
import { nearNames } from "../../../util/text/near-names.ts";
import { counted } from "../../../util/text/words.ts";

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const PRINTS =
  'print {"name", "description", "parameters"} for --schema and exit with 0, before reading or loading anything else';

export interface SchemaCheck {
  readonly findings: readonly Finding[];
  /** False if there is no readable schema: it may not be a tool. */
  readonly isTool: boolean;
  /** The schema of its input; undefined if its parameters are unusable. */
  readonly input?: JsonObject | undefined;
  readonly name?: string;
}

/** Checks the answer to `--schema`: in time, one JSON object, with a name, a description and usable parameters. */
export function checkSchema(run: Run, limitMs: number): SchemaCheck {
  const document = readDocument(run, limitMs);
  if ("check" in document) return { findings: [document], isTool: false };
  const { schema } = document;
  const { finding, input } = checkParameters(schema);
  const findings = [
    pass("schema", "--schema is answered in time"),
    checkName(schema),
    checkDescription(schema),
    finding,
    checkDeadline(schema),
  ];
  if (findings.every(({ state }) => state !== "fail")) findings.push(...checkReading(schema));
  const { name } = schema;
  return { findings, isTool: true, input, ...(typeof name === "string" && { name }) };
}

function readDocument(run: Run, limitMs: number): Finding | { readonly schema: JsonObject } {
  if (run.fault !== undefined) {
    const fix = "start a script with an interpreter line, such as #!/bin/sh";
    return fail("schema", run.fault.message, fix);
  }
  if (run.isLate) return fail("schema", `no answer to --schema within ${limitMs / 1000} s`, PRINTS);
  if (run.exitCode !== 0 && !run.isTooLong) return fail("schema", `with --schema it ${endOf(run)}`, PRINTS);
  const answer = readAnswer(run);
  if (answer.kind === "none") return fail("schema", `with --schema it ${answer.why}`, PRINTS);
  if (answer.kind === "error")
    return fail("schema", `with --schema it answered with an error: ${answer.error}`, PRINTS);
  if (!isObject(answer.value)) return fail("schema", "its schema is not a JSON object", PRINTS);
  return { schema: answer.value };
}

const READ_KEYS =
  "name description parameters input inputSchema input_schema parameter_aliases output timeout_seconds limits".split(
    " ",
  );

/** Checks the rest with the reader of a scan, and for keys that it would ignore because of a mistake in their names. */
function checkReading(schema: JsonObject): readonly Finding[] {
  const check = "schema.reading";
  const read = readSchema(JSON.stringify(schema));
  if ("problem" in read) return [fail(check, read.problem.message, read.problem.hint ?? READING)];
  return Object.keys(schema)
    .filter((key) => !READ_KEYS.includes(key))
    .flatMap((key) => {
      const [near] = nearNames(key, READ_KEYS);
      return near === undefined
        ? []
        : [fail(check, `its key ${JSON.stringify(key)} has no effect`, `did you mean ${near}?`)];
    });
}

const READING = "docs/external-tools.md describes each key of a schema";

function checkName({ name }: JsonObject): Finding {
  const fix = "use a name of 1 to 64 letters, digits, _ and -";
  if (typeof name !== "string") return fail("schema.name", "its schema has no name", fix);
  if (!NAME.test(name)) return fail("schema.name", `${JSON.stringify(name)} is not a valid tool name`, fix);
  return pass("schema.name", `it is named ${name}`);
}

function checkDescription({ description }: JsonObject): Finding {
  if (typeof description === "string" && description.trim() !== "")
    return pass("schema.description", "it has a description");
  const fix = "add a description, from which a model learns what the tool does";
  return fail("schema.description", "it has no description", fix);
}

function checkParameters(schema: JsonObject): { readonly finding: Finding; readonly input?: JsonObject } {
  const check = "schema.parameters";
  const { parameters, input, inputSchema, input_schema } = schema;
  const read = fromFlatSchema({
    name: "",
    parameters: parameters ?? input ?? inputSchema ?? input_schema ?? {},
  });
  const fix =
    'write {"NAME": {"type": "string", "description": "…", "required": true}}, or standard JSON Schema of type object';
  if ("problem" in read) return { finding: fail(check, read.problem, fix) };
  const checked = createValidator(read.schema).check({});
  if (!checked.ok && "unusable" in checked)
    return { finding: fail(check, `its parameters are unusable: ${checked.unusable}`, fix) };
  const { properties } = read.schema;
  const count = Object.keys(isObject(properties) ? properties : {}).length;
  const message = `its ${counted(count, "parameter")} can be validated`;
  return { finding: pass(check, message), input: read.schema };
}

function checkDeadline({ timeout_seconds: seconds }: JsonObject): Finding {
  const check = "schema.timeout_seconds";
  if (seconds === undefined) return pass(check, "it uses the default time limit of 30 s");
  if (typeof seconds === "number" && seconds > 0) return pass(check, `it sets a time limit of ${seconds} s`);
  return fail(check, "its timeout_seconds is not a number above 0", "set the seconds, or remove it for 30");
}
