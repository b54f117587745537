import Form from "@rjsf/core";
import type {
  ErrorSchema,
  IconButtonProps,
  MultiSchemaFieldTemplateProps,
  RJSFSchema,
  UiSchema,
  ValidatorType,
} from "@rjsf/utils";
import { useMemo, type ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { useRead } from "../../api/queries.ts";
import type { Input } from "./copies.ts";
import { fits } from "./fits.ts";
import { simplified } from "./simplified.ts";

type Spec = AnswerOf<"tool">["tool"];
/** The type of JSON is recursive, which the types of the form cannot follow. */
type FormData = Readonly<Record<string, unknown>>;

/** The server validates: a validator in the page would need `eval`, which the page's security policy forbids. This one only tells alternatives apart. */
const validator: ValidatorType<FormData> = {
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  isValid: (schema, value) => fits(schema, value),
  rawValidation: () => ({}),
};

/** Parts of the form that the package draws without a text. */
const TEMPLATES = {
  MultiSchemaFieldTemplate: ({
    selector,
    optionSchemaField,
  }: MultiSchemaFieldTemplateProps<FormData>): ReactNode => (
    <>
      <label className="field">
        <span className="small muted">Kind of value</span>
        {selector}
      </label>
      {optionSchemaField}
    </>
  ),
  ButtonTemplates: {
    AddButton: (props: IconButtonProps<FormData>) => formButton(props, "Add"),
    RemoveButton: (props: IconButtonProps<FormData>) => formButton(props, "Remove"),
    MoveUpButton: (props: IconButtonProps<FormData>) => formButton(props, "Up"),
    MoveDownButton: (props: IconButtonProps<FormData>) => formButton(props, "Down"),
  },
};

function formButton({ id, disabled, onClick }: IconButtonProps<FormData>, text: string): ReactNode {
  return (
    <button type="button" className="button compact" id={id} disabled={disabled} onClick={onClick}>
      {text}
    </button>
  );
}

/** Parameters that often hold more than one line. */
const LONG = /content|text|code|command|script|patch|string|message|prompt|body|description|task/;

interface SchemaFormProps {
  readonly spec: Spec;
  readonly input: Input;
  readonly onChange: (input: Input) => void;
  readonly onSubmit: () => void;
  readonly callId: string | undefined;
}

/** A form drawn from the schema of a tool. Problems that the server found in the last run are shown at their fields. */
export function SchemaForm(props: SchemaFormProps): ReactNode {
  const { spec } = props;
  const schema: RJSFSchema = useMemo(
    () => ({ ...simplified(spec.input), title: "", description: "" }),
    [spec],
  );
  const uiSchema = useMemo(() => layoutOf(schema), [schema]);
  const errors = useProblems(props.callId);
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

interface Problem {
  readonly path: string;
  readonly expected: string;
  readonly got: string;
}

/** Returns the problems of a call's input, by field. */
function useProblems(callId: string | undefined): ErrorSchema<FormData> {
  const isEnabled = callId !== undefined;
  const { data } = useRead("call", { callId: callId ?? "" }, { isEnabled });
  const result = data?.result;
  const details = result?.ok === false ? result.error.details : undefined;
  return useMemo(() => {
    const { problems = [] } = (details ?? {}) as { readonly problems?: readonly Problem[] };
    const all: Record<string, unknown> = {};
    for (const { path, expected, got } of problems) {
      let node = all;
      for (const part of path.split("/").slice(1)) node = (node[part] ??= {}) as Record<string, unknown>;
      node["__errors"] = [`expected ${expected}, got ${got}`];
    }
    return all as ErrorSchema<FormData>;
  }, [details]);
}
