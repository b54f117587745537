import Form from "@rjsf/core";
import {
  englishStringTranslator,
  TranslatableString,
  type ErrorSchema,
  type RJSFSchema,
  type UiSchema,
  type ValidatorType,
} from "@rjsf/utils";
import { useMemo, type ReactNode } from "react";
import type { AnswerOf } from "../../../../src/app/http/api.ts";
import type { Input } from "./copies.ts";
import { TEMPLATES, WIDGETS, type FormData } from "./form-templates.tsx";
import { fits } from "./fits.ts";
import { simplified } from "./simplified.ts";

type Spec = AnswerOf<"tool">["tool"];

/** The server validates: a validator in the page would need `eval`, which the page's security policy forbids. This one only tells alternatives apart. */
const validator: ValidatorType<FormData> = {
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  isValid: (schema, value) => fits(schema, value),
  rawValidation: () => ({}),
};

/** Names parts of the form plainly. */
function named(text: TranslatableString, params?: readonly string[]): string {
  if (text === TranslatableString.KeyLabel) return "Name";
  return englishStringTranslator(text, params === undefined ? undefined : [...params]);
}

/** A list has the items that a person adds: an optional one with a least number of items can be left out. */
const NO_ITEMS = { arrayMinItems: { populate: "never" } } as const;

/** Parameters that often hold more than one line. */
const LONG = /content|text|code|command|script|patch|string|message|prompt|body|description|task/;

interface SchemaFormProps {
  readonly spec: Spec;
  readonly input: Input;
  readonly onChange: (input: Input) => void;
  readonly onSubmit: () => void;
  /** What is wrong with the input, as the server found. */
  readonly problems: readonly Problem[];
}

/** A form drawn from the schema of a tool, with the problems at their fields. */
export function SchemaForm(props: SchemaFormProps): ReactNode {
  const { spec } = props;
  const schema: RJSFSchema = useMemo(
    () => ({ ...simplified(spec.input), title: "", description: "" }),
    [spec],
  );
  const uiSchema = useMemo(() => layoutOf(schema), [schema]);
  const errors = useMemo(() => toErrors(props.problems), [props.problems]);
  if (Object.keys(schema.properties ?? {}).length === 0)
    return <p className="muted">This tool takes no input.</p>;
  return (
    <Form<FormData>
      schema={schema}
      uiSchema={uiSchema}
      validator={validator}
      formData={props.input}
      onChange={({ formData }) => props.onChange((formData ?? {}) as Input)}
      onSubmit={props.onSubmit}
      noValidate
      noHtml5Validate
      showErrorList={false}
      extraErrors={errors}
      templates={TEMPLATES}
      widgets={WIDGETS}
      translateString={named}
      useFallbackUiForUnsupportedType
      experimental_defaultFormStateBehavior={NO_ITEMS}
      idPrefix="input"
    />
  );
}

/** Required parameters come first; texts that may be long get several lines. */
function layoutOf({ properties = {}, required = [] }: RJSFSchema): UiSchema<FormData> {
  const names = Object.keys(properties);
  const isLong = (name: string): boolean => {
    const property = properties[name];
    if (typeof property !== "object" || property.type !== "string") return false;
    return property.enum === undefined && LONG.test(name);
  };
  const first = required.filter((name) => names.includes(name));
  return {
    "ui:submitButtonOptions": { norender: true },
    "ui:order": [...first, ...names.filter((name) => !required.includes(name))],
    ...Object.fromEntries(
      names.filter(isLong).map((name) => [name, { "ui:widget": "textarea", "ui:options": { rows: 3 } }]),
    ),
  };
}

/** A value that does not fit the schema. */
export interface Problem {
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}

/** Returns the problems by field. */
function toErrors(problems: readonly Problem[]): ErrorSchema<FormData> {
  const all: Record<string, unknown> = {};
  for (const { path, expected, got } of problems) {
    let node = all;
    for (const part of path.split("/").slice(1)) node = (node[part] ??= {}) as Record<string, unknown>;
    node["__errors"] = [`expected ${expected}, got ${got}`];
  }
  return all as ErrorSchema<FormData>;
}
