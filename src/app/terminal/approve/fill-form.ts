import type { Json, JsonObject } from "../../../core/json.ts";
import { problemWith, type FormField } from "../../../sources/mcp/transport/form.ts";
import { visible } from "../../../util/text/visible.ts";

/** Prompts for one line; returns undefined if the person has left. */
export type ReadLine = (question: string, prefilled?: string) => Promise<string | undefined>;

/**
 * Asks for the fields of a form one by one, each until it fits. An empty line takes the default, or leaves out what is not needed.
 * Gives undefined as soon as the person goes away.
 */
export async function fillForm(
  fields: readonly FormField[],
  readLine: ReadLine,
  print: (text: string) => void,
): Promise<JsonObject | undefined> {
  const filled: Record<string, Json> = {};
  for (const field of fields) {
    print(describeField(field));
    const answer = await askField(field, readLine, print);
    if (answer === undefined) return undefined;
    if (answer.value !== undefined) filled[field.name] = answer.value;
  }
  return filled;
}

interface Answer {
  /** Undefined if the field is omitted. */
  readonly value: Json | undefined;
}

async function askField(
  field: FormField,
  readLine: ReadLine,
  print: (text: string) => void,
): Promise<Answer | undefined> {
  for (;;) {
    const line = await readLine(promptOf(field));
    if (line === undefined) return undefined;
    const answer = readField(field, line);
    if ("value" in answer) return answer;
    print(`    ${answer.problem}\n`);
  }
}

/** Returns the value of a typed text, or what is wrong with it. An empty text is the default, or undefined for an optional field. */
export function readField(field: FormField, typed: string): Answer | { readonly problem: string } {
  const text = typed.trim();
  if (text === "" && (field.default !== undefined || !field.isRequired)) return { value: field.default };
  const value = toValue(field, text);
  const problem = value === undefined ? "a value is required" : problemWith(field, value);
  return problem === undefined ? { value } : { problem };
}

function describeField({ title, description, choices, kind }: FormField): string {
  const lines = [
    description === "" ? `  ${title}` : `  ${title}: ${description}`,
    ...choices.map((choice, index) => `    ${index + 1}) ${choice.title}`),
    ...(kind === "choices" ? ["    several: 1,3"] : []),
  ];
  return lines
    .map((line) => `${visible(line.replaceAll(/\s+/g, (gap) => (gap.includes("\n") ? " " : gap)))}\n`)
    .join("");
}

function promptOf(field: FormField): string {
  const { kind, isRequired, default: defaultValue } = field;
  const choice = kind === "boolean" ? " (y/n)" : "";
  const otherwise =
    defaultValue !== undefined
      ? ` [${visible(shown(field, defaultValue))}]`
      : isRequired
        ? ""
        : " (optional)";
  return `  ${visible(field.name)}${choice}${otherwise}: `;
}

/** Returns a value as it would be typed. */
function shown({ kind, choices }: FormField, value: Json): string {
  const numberOf = (one: Json): string => String(choices.findIndex((choice) => choice.value === one) + 1);
  if (kind === "choice") return numberOf(value);
  if (kind === "choices")
    return Array.isArray(value) ? (value as readonly Json[]).map(numberOf).join(",") : "";
  if (kind === "boolean") return value === true ? "y" : "n";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Parses the typed text by the type of the field; a text that does not parse stays a text, and is rejected later. Undefined if it is empty. */
function toValue({ kind, choices }: FormField, text: string): Json | undefined {
  if (text === "") return undefined;
  const chosen = (one: string): string =>
    (choices.find(({ value, title }) => value === one || title === one) ?? choices[Number(one) - 1])?.value ??
    one;
  switch (kind) {
    case "choice":
      return chosen(text);
    case "choices":
      return text
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "")
        .map(chosen);
    case "boolean":
      return /^y(?:es)?$|^true$/i.test(text) ? true : /^no?$|^false$/i.test(text) ? false : text;
    case "integer":
    case "number":
      return Number.isNaN(Number(text)) ? text : Number(text);
    default:
      return text === '""' ? "" : text;
  }
}
