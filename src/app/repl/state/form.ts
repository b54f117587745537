import type { ApprovalRequest } from "../../../core/approval.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";

/** One thing that a form asks for. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly type: "string" | "number" | "integer" | "boolean" | "array";
  readonly isRequired: boolean;
  /** The only values there are, with what a person reads. */
  readonly choices: readonly { readonly value: string; readonly title: string }[];
  readonly fallback: Json | undefined;
}

/** The fields that a question of a running tool wants filled in; none where it is to be answered with yes or no. */
export function fieldsOf({ question }: ApprovalRequest): readonly FormField[] {
  const form = question?.details?.["form"];
  if (!isObject(form) || form["type"] !== "object" || !isObject(form["properties"])) return [];
  const required = Array.isArray(form["required"]) ? form["required"] : [];
  return Object.entries(form["properties"]).flatMap(([name, field]) =>
    isObject(field) ? [toField(name, field, required.includes(name))] : [],
  );
}

const TYPES = ["number", "integer", "boolean", "array"] as const;

function toField(name: string, field: JsonObject, isRequired: boolean): FormField {
  const items = isObject(field["items"]) ? field["items"] : field;
  return {
    name,
    title: textOf(field["title"]) || name,
    description: textOf(field["description"]),
    type: TYPES.find((type) => type === field["type"]) ?? "string",
    isRequired,
    choices: choicesOf(items),
    fallback: field["default"],
  };
}

function choicesOf(field: JsonObject): FormField["choices"] {
  const titled = field["oneOf"] ?? field["anyOf"];
  if (Array.isArray(titled)) {
    return titled.filter(isObject).map((one) => ({
      value: textOf(one["const"]),
      title: textOf(one["title"]) || textOf(one["const"]),
    }));
  }
  const { enum: values, enumNames: names } = field;
  if (!Array.isArray(values)) return [];
  return values.map((value, index) => ({
    value: textOf(value),
    title: (Array.isArray(names) ? textOf(names[index]) : "") || textOf(value),
  }));
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** What was typed into a field: its value, nothing where it was left out, or what is wrong with it. */
export type FieldAnswer = { readonly value: Json | undefined } | { readonly problem: string };

export function readField(field: FormField, typed: string): FieldAnswer {
  const text = typed.trim();
  if (text === "") return empty(field);
  if (field.type === "array") return readList(field, text);
  if (field.choices.length > 0) return readChoice(field, text);
  if (field.type === "boolean") return readBoolean(text);
  if (field.type === "string") return { value: typed };
  const number = Number(text);
  if (Number.isFinite(number) && (field.type === "number" || Number.isInteger(number)))
    return { value: number };
  return { problem: field.type === "integer" ? "a whole number, please" : "a number, please" };
}

function empty({ fallback, isRequired }: FormField): FieldAnswer {
  if (fallback !== undefined) return { value: fallback };
  return isRequired ? { problem: "it is needed" } : { value: undefined };
}

function readBoolean(text: string): FieldAnswer {
  if (/^(?:y|yes|true)$/i.test(text)) return { value: true };
  return /^(?:n|no|false)$/i.test(text) ? { value: false } : { problem: "yes or no, please" };
}

/** By number, by value or by title. */
function readChoice({ choices }: FormField, text: string): FieldAnswer & { value?: string } {
  const byName = choices.find(({ value, title }) => value === text || title === text);
  const found = byName ?? (/^\d+$/.test(text) ? choices[Number(text) - 1] : undefined);
  return found === undefined
    ? { problem: `a number from 1 to ${choices.length}, please` }
    : { value: found.value };
}

function readList(field: FormField, text: string): FieldAnswer {
  const parts = text.split(",").map((part) => part.trim());
  if (field.choices.length === 0) return { value: parts };
  const read = parts.map((part) => readChoice(field, part));
  const problem = read.find((one) => "problem" in one);
  return problem ?? { value: read.map((one) => one.value ?? "") };
}
