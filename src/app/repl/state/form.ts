import type { ApprovalRequest } from "../../../core/approval.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";

/** One field of a form. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly type: "string" | "number" | "integer" | "boolean" | "array";
  readonly isRequired: boolean;
  /** The allowed values and their titles; empty: any value. */
  readonly choices: readonly { readonly value: string; readonly title: string }[];
  readonly fallback: Json | undefined;
}

/** Returns the form fields of a running tool's question; empty for a yes-or-no question. */
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

/** The value of a field, undefined if it was left empty, or a problem. */
export type FieldAnswer = { readonly value: Json | undefined } | { readonly problem: string };

/** Parses the text typed into a field. */
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
  return { problem: field.type === "integer" ? "enter a whole number" : "enter a number" };
}

function empty({ fallback, isRequired }: FormField): FieldAnswer {
  if (fallback !== undefined) return { value: fallback };
  return isRequired ? { problem: "a value is required" } : { value: undefined };
}

function readBoolean(text: string): FieldAnswer {
  if (/^(?:y|yes|true)$/i.test(text)) return { value: true };
  return /^(?:n|no|false)$/i.test(text) ? { value: false } : { problem: "enter yes or no" };
}

/** Finds a choice by number, value or title. */
function readChoice({ choices }: FormField, text: string): FieldAnswer & { value?: string } {
  const byName = choices.find(({ value, title }) => value === text || title === text);
  const found = byName ?? (/^\d+$/.test(text) ? choices[Number(text) - 1] : undefined);
  return found === undefined
    ? { problem: `enter a number from 1 to ${choices.length}` }
    : { value: found.value };
}

function readList(field: FormField, text: string): FieldAnswer {
  const parts = text.split(",").map((part) => part.trim());
  if (field.choices.length === 0) return { value: parts };
  const read = parts.map((part) => readChoice(field, part));
  const problem = read.find((one) => "problem" in one);
  return problem ?? { value: read.map((one) => one.value ?? "") };
}
