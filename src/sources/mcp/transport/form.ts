import { isObject, type Json, type JsonObject } from "../../../core/json.ts";

export interface FormChoice {
  readonly value: string;
  readonly title: string;
}

/** One field of a form that a server sent. */
export interface FormField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly kind: "text" | "integer" | "number" | "boolean" | "choice" | "choices";
  /** For `choice` and `choices`. */
  readonly choices: readonly FormChoice[];
  readonly default?: Json;
  readonly schema: JsonObject;
}

/** Returns the fields of a form, or undefined if one has an unsupported type. Forms are flat by the protocol. */
export function fieldsOf(form: Json | undefined): readonly FormField[] | undefined {
  if (!isObject(form)) return undefined;
  const { properties = {}, required } = form;
  if (!isObject(properties)) return undefined;
  const needed: readonly Json[] = Array.isArray(required) ? (required as readonly Json[]) : [];
  const fields = Object.entries(properties).map(([name, schema]) =>
    toField(name, schema, needed.includes(name)),
  );
  const readable = fields.filter((field) => field !== undefined);
  const isWhole =
    readable.length === fields.length && needed.every((name) => readable.some((one) => one.name === name));
  return isWhole ? readable : undefined;
}

/** Returns the default values of fields. */
export function defaultsOf(fields: readonly FormField[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default] as const])),
  );
}

/** Returns what is wrong with a value, or undefined. */
export function problemWith(field: FormField, value: Json): string | undefined {
  if (field.kind === "boolean") return typeof value === "boolean" ? undefined : "must be yes or no";
  if (field.kind === "choices") return problemWithChoices(field, value);
  if (field.kind === "choice")
    return field.choices.some((one) => one.value === value) ? undefined : "must be one of the choices";
  return field.kind === "text" ? problemWithText(field.schema, value) : problemWithNumber(field, value);
}

function toField(name: string, schema: Json, isRequired: boolean): FormField | undefined {
  if (!isObject(schema)) return undefined;
  const { type, items, title, description, default: defaultValue } = schema;
  const list = type === "array" ? choicesOf(items) : choicesOf(schema);
  const kind = kindOf(type, list.length > 0);
  if (kind === undefined) return undefined;
  const field: FormField = {
    name,
    title: typeof title === "string" ? title : name,
    description: typeof description === "string" ? description : "",
    isRequired,
    kind,
    choices: kind === "choice" || kind === "choices" ? list : [],
    schema,
  };
  // A default that the field itself does not accept is ignored.
  return defaultValue === undefined || problemWith(field, defaultValue) !== undefined
    ? field
    : { ...field, default: defaultValue };
}

function kindOf(type: Json | undefined, hasChoices: boolean): FormField["kind"] | undefined {
  if (type === "array") return hasChoices ? "choices" : undefined;
  if (type === "integer" || type === "number" || type === "boolean") return type;
  if (type === undefined || type === "string") return hasChoices ? "choice" : "text";
  return undefined;
}

/** Reads choices in the three forms of the protocol: values, values with `enumNames`, or values with titles. */
function choicesOf(schema: Json | undefined): readonly FormChoice[] {
  if (!isObject(schema)) return [];
  const { enum: bare, enumNames: names, oneOf, anyOf } = schema;
  if (Array.isArray(bare))
    return (bare as readonly Json[]).flatMap((value, index) => {
      const title = Array.isArray(names) ? (names as readonly Json[])[index] : undefined;
      return typeof value === "string" ? [{ value, title: typeof title === "string" ? title : value }] : [];
    });
  const titled = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : [];
  return (titled as readonly Json[]).flatMap((one) => {
    const { const: value, title } = isObject(one) ? one : {};
    return typeof value === "string" ? [{ value, title: typeof title === "string" ? title : value }] : [];
  });
}

function problemWithChoices({ choices, schema }: FormField, value: Json): string | undefined {
  if (!Array.isArray(value)) return "must be a list";
  const list = value as readonly Json[];
  if (!list.every((one) => choices.some((choice) => choice.value === one)))
    return "must be one of the choices";
  const { minItems, maxItems } = schema;
  if (typeof minItems === "number" && list.length < minItems) return `choose at least ${minItems}`;
  return typeof maxItems === "number" && list.length > maxItems ? `choose at most ${maxItems}` : undefined;
}

function problemWithNumber({ kind, schema }: FormField, value: Json): string | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number";
  if (kind === "integer" && !Number.isInteger(value)) return "must be a whole number";
  const { minimum, maximum } = schema;
  if (typeof minimum === "number" && value < minimum) return `must be at least ${minimum}`;
  return typeof maximum === "number" && value > maximum ? `must be at most ${maximum}` : undefined;
}

/** The four formats of the protocol. An untrusted `pattern` is not run: it might never end, and the server validates it anyway. */
const FORMATS: Readonly<Record<string, { readonly what: string; readonly is: (text: string) => boolean }>> = {
  email: { what: "an e-mail address", is: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  uri: { what: "a URI", is: (text) => URL.canParse(text) },
  date: { what: "a date such as 2026-01-31", is: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isTime(text) },
  "date-time": {
    what: "a time such as 2026-01-31T12:00:00Z",
    is: (text) => /^\d{4}-\d\d-\d\d[Tt ]\d\d:/.test(text) && isTime(text),
  },
};

function problemWithText({ minLength, maxLength, format }: JsonObject, value: Json): string | undefined {
  if (typeof value !== "string") return "must be text";
  const { length } = Array.from(value);
  if (typeof minLength === "number" && length < minLength)
    return `must have at least ${minLength} characters`;
  if (typeof maxLength === "number" && length > maxLength) return `must have at most ${maxLength} characters`;
  const known = typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return known === undefined || known.is(value) ? undefined : `must be ${known.what}`;
}

function isTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}
