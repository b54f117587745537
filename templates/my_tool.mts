#!/usr/bin/env node
// my_tool: a tool in TypeScript, which Node 22.18 or newer runs as it is. docs/external-tools.md of Toolwright has the contract.
import { readFileSync } from "node:fs";

interface Answer {
  readonly greeting: string;
}

const SCHEMA = {
  name: "my_tool",
  description: "Greets someone. Replace this by what the tool does: it is all that a model knows of it.",
  parameters: {
    name: { type: "string", description: "Whom to greet", minLength: 1, required: true },
    times: { type: "integer", description: "How often", minimum: 1, maximum: 10, default: 1 },
  },
};

/** What happened, and a code. */
class Failure extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

function answer(args: readonly string[]): object {
  if (args.length === 1 && args[0] === "--schema") return SCHEMA;
  try {
    if (args.length > 0)
      throw new Failure("unknown arguments: a call is JSON on standard input", "INVALID_INPUT");
    return run(readInput());
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    process.exitCode = 1;
    return { error: error.message, error_code: error.code };
  }
}

function readInput(): Readonly<Record<string, unknown>> {
  let call: unknown;
  try {
    call = JSON.parse(readFileSync(0, "utf8"));
  } catch {
    // Reported below.
  }
  if (typeof call === "object" && call !== null && !Array.isArray(call)) return { ...call };
  throw new Failure("standard input must be one JSON object", "INVALID_INPUT");
}

function run({ name, times = 1 }: Readonly<Record<string, unknown>>): Answer {
  if (typeof name !== "string" || name === "") throw new Failure("name must be a text", "INVALID_INPUT");
  if (typeof times !== "number" || !Number.isInteger(times) || times < 1 || times > 10) {
    throw new Failure("times must be a whole number from 1 to 10", "INVALID_INPUT");
  }
  // Standard output is for the one answer; everything else goes to standard error. A line like this is shown while it runs:
  process.stderr.write(`${JSON.stringify({ progress: "greeting" })}\n`);
  return { greeting: Array<string>(times).fill(`Hello, ${name}!`).join(" ") };
}

process.stdout.write(`${JSON.stringify(answer(process.argv.slice(2)))}\n`);
