import type { JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { fromFlatSchema } from "../../../schema/define/flat-schema.ts";
import { createValidator } from "../../../schema/validate.ts";
import type { Finding } from "./finding.ts";
import { fail, pass } from "./finding.ts";
import { endOf, readAnswer } from "./read-answer.ts";
import type { Run } from "./run-once.ts";

/** How long the scan waits for a schema. */
export const SCHEMA_MS = 1000;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const PRINTS =
  'print {"name", "description", "parameters"} for --schema and exit 0, before anything else is read or loaded';

/** What a program says of itself. */
export interface Declared {
  /** Undefined where its parameters cannot be used. */
  readonly input: JsonObject | undefined;
}

export interface SchemaCheck {
  readonly findings: readonly Finding[];
  /** Undefined where nothing could be read: then it may be no tool at all. */
  readonly declared: Declared | undefined;
}

/** What became of `--schema`: in time, one JSON object, with a name, a description and parameters that can be used. */
export function checkSchema(run: Run): SchemaCheck {
  const document = readDocument(run);
  if ("check" in document) return { findings: [document], declared: undefined };
  const { schema } = document;
  const { finding, input } = checkParameters(schema);
  const findings = [
    pass("schema", `--schema is answered within ${SCHEMA_MS / 1000} s`),
    checkName(schema),
    checkDescription(schema),
    finding,
    checkDeadline(schema),
  ];
  return { findings, declared: { input } };
}

function readDocument(run: Run): Finding | { readonly schema: JsonObject } {
  if (run.fault !== undefined) {
    const mend = "begin a script with a line that names its interpreter, such as #!/bin/sh";
    return fail("schema", run.fault.message, mend);
  }
  if (run.isLate) return fail("schema", `no answer to --schema within ${SCHEMA_MS / 1000} s`, PRINTS);
  if (run.exitCode !== 0) return fail("schema", `asked --schema it ${endOf(run)}`, PRINTS);
  const answer = readAnswer(run);
  if (answer.kind === "none") return fail("schema", `asked --schema it ${answer.why}`, PRINTS);
  if (answer.kind === "error") {
    return fail("schema", `asked --schema it answered with an error: ${answer.error}`, PRINTS);
  }
  if (!isObject(answer.value)) return fail("schema", "its schema is not a JSON object", PRINTS);
  return { schema: answer.value };
}

function checkName({ name }: JsonObject): Finding {
  const mend = "give a name of 1 to 64 letters, digits, _ and -";
  if (typeof name !== "string") return fail("schema.name", "its schema has no name", mend);
  if (!NAME.test(name)) return fail("schema.name", `${JSON.stringify(name)} cannot be a tool's name`, mend);
  return pass("schema.name", `it is named ${name}`);
}

function checkDescription({ description }: JsonObject): Finding {
  if (typeof description === "string" && description.trim() !== "") {
    return pass("schema.description", "it says what it does");
  }
  const mend = "add a description: it is all that a model knows of the tool";
  return fail("schema.description", "it does not say what it does", mend);
}

function checkParameters(schema: JsonObject): { readonly finding: Finding; readonly input?: JsonObject } {
  const check = "schema.parameters";
  const { parameters, input, inputSchema, input_schema } = schema;
  const read = fromFlatSchema({
    name: "",
    parameters: parameters ?? input ?? inputSchema ?? input_schema ?? {},
  });
  const mend =
    'write {"NAME": {"type": "string", "description": "…", "required": true}}, or standard JSON Schema of type object';
  if ("problem" in read) return { finding: fail(check, read.problem, mend) };
  const checked = createValidator(read.schema).check({});
  if (!checked.ok && "unusable" in checked) {
    return { finding: fail(check, `its parameters cannot be used: ${checked.unusable}`, mend) };
  }
  const { properties } = read.schema;
  const count = Object.keys(isObject(properties) ? properties : {}).length;
  const says = `its ${count === 1 ? "1 parameter" : `${count} parameters`} can be checked`;
  return { finding: pass(check, says), input: read.schema };
}

function checkDeadline({ timeout_seconds: seconds }: JsonObject): Finding {
  const check = "schema.timeout_seconds";
  if (seconds === undefined) return pass(check, "it asks for no time of its own: 30 s");
  if (typeof seconds === "number" && seconds > 0) return pass(check, `it asks for ${seconds} s`);
  return fail(check, "its timeout_seconds is not a number above 0", "give seconds, or leave it out for 30");
}
