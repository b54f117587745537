import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Fault } from "../../../core/result.ts";
import type { Output } from "./output.ts";
import { visible } from "../../../util/text/visible.ts";

/** Prints on standard error what failed, what to do, and the output until then. */
export function printFault(name: string, { message, hint, details = {} }: Fault, output: Output): void {
  const problems = Array.isArray(details["problems"]) ? details["problems"].filter(isObject) : [];
  if (problems.length > 0) {
    // The engine's message is for a model and has the schema; a person gets that from `toolwright tool`.
    output.log(`toolwright: ${name}: ${problems.map(describeProblem).join("; ")}`);
    output.log(`  ${hint ?? `toolwright tool ${name} shows its parameters`}`);
    return;
  }
  output.log(`toolwright: ${visible(message)}`);
  if (hint !== undefined) output.log(`  ${visible(hint)}`);
  for (const part of ["emitted", "stdout", "stderr"]) {
    const printed = textOf(details[part]).trimEnd();
    if (printed !== "") output.log(printed);
  }
}

function describeProblem({ kind, path, expected, got, near }: JsonObject): string {
  const where = textOf(path).slice(1).replaceAll("/", ".") || "the input";
  if (kind === "missing") return `${where} is missing`;
  if (kind !== "unknown") return `${where}: expected ${textOf(expected)}, got ${textOf(got)}`;
  const meant =
    Array.isArray(near) && near.length > 0 ? `, did you mean ${near.map(textOf).join(" or ")}?` : "";
  return `${where} is not a parameter${meant}`;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
