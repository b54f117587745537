import { getDefaultRegistry } from "@rjsf/core";
import {
  ADDITIONAL_PROPERTY_FLAG,
  ariaDescribedByIds,
  buttonId,
  TranslatableString,
  type ArrayFieldItemTemplateProps,
  type DescriptionFieldProps,
  type FieldErrorProps,
  type FieldTemplateProps,
  type IconButtonProps,
  type MultiSchemaFieldTemplateProps,
  type TitleFieldProps,
  type Widget,
  type WidgetProps,
  type WrapIfAdditionalTemplateProps,
} from "@rjsf/utils";
import type { ReactNode } from "react";
import { visible } from "../../../../src/util/text/visible.ts";

/** The type of JSON is recursive, which the types of the form cannot follow. */
export type FormData = Readonly<Record<string, unknown>>;

/** A field: its name, its value, what is known about it, and what is wrong with it. */
function Field(props: FieldTemplateProps<FormData>): ReactNode {
  const { id, label, children, errors, help, description, hidden, required, displayLabel, schema } = props;
  if (hidden === true) return <div hidden>{children}</div>;
  const isCheckbox = schema.type === "boolean";
  return (
    <AdditionalOrPlain {...props}>
      {displayLabel === true && !isCheckbox && (
        <label htmlFor={id}>
          {label} {required === true && <Required />}
        </label>
      )}
      {children}
      {(displayLabel === true || isCheckbox) && description}
      {errors}
      {help}
    </AdditionalOrPlain>
  );
}

function Required(): ReactNode {
  return <span className="required">required</span>;
}

/** A field of the schema; or an entry of a map, with its name and a button that removes it. */
function AdditionalOrPlain(
  props: Omit<WrapIfAdditionalTemplateProps<FormData>, "children"> & { readonly children: ReactNode },
): ReactNode {
  const { id, label, schema, children, onKeyRenameBlur, onRemoveProperty, disabled, registry } = props;
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return <div className="form-field">{children}</div>;
  const { RemoveButton } = registry.templates.ButtonTemplates;
  return (
    <div className="map-entry">
      <div className="form-field">
        <label htmlFor={`${id}-key`}>{registry.translateString(TranslatableString.KeyLabel, [label])}</label>
        <input type="text" id={`${id}-key`} key={label} defaultValue={label} onBlur={onKeyRenameBlur} />
      </div>
      <div className="map-value">{children}</div>
      <RemoveButton
        id={buttonId(id, "remove")}
        disabled={disabled}
        onClick={onRemoveProperty}
        registry={registry}
      />
    </div>
  );
}

/** The name of an object or a list above its fields. */
function Title({ id, title, required }: TitleFieldProps<FormData>): ReactNode {
  return (
    <legend id={id}>
      {title} {required === true && <Required />}
    </legend>
  );
}

/** A description in which code is set as code. */
function Description({ id, description }: DescriptionFieldProps<FormData>): ReactNode {
  if (description === undefined || description === "") return null;
  return (
    <p id={id} className="field-description">
      {typeof description === "string" ? withCode(description) : description}
    </p>
  );
}

/** Returns a text whose parts in backticks are code. */
function withCode(text: string): readonly ReactNode[] {
  return text.split(/`([^`\n]+)`/).map((part, index) =>
    // oxlint-disable-next-line no-array-index-key -- the parts of a text have no other identity
    index % 2 === 0 ? part : <code key={index}>{part}</code>,
  );
}

function Errors({ errors }: FieldErrorProps<FormData>): ReactNode {
  if (errors === undefined || errors.length === 0) return null;
  return (
    <div className="field-errors">
      {errors.map((error, index) => (
        // oxlint-disable-next-line no-array-index-key -- errors have no identity
        <p key={index}>{error}</p>
      ))}
    </div>
  );
}

/** An item of a list: a value beside its buttons, or a card. */
function Item(props: ArrayFieldItemTemplateProps<FormData>): ReactNode {
  const { children, index, schema, buttonsProps, hasToolbar, registry } = props;
  const { ArrayFieldItemButtonsTemplate: Buttons } = registry.templates;
  const isCard = schema.type === "object" || schema.type === "array" || "anyOf" in schema;
  return (
    <div className={isCard ? "list-item card" : "list-item"}>
      <span className="small muted">{index + 1}</span>
      <div className="list-value">{children}</div>
      {hasToolbar && (
        <div className="row one-line">
          <Buttons {...buttonsProps} />
        </div>
      )}
    </div>
  );
}

function Checkbox({ id, label, value, disabled, required, onChange }: WidgetProps<FormData>): ReactNode {
  return (
    <label className="check">
      <input
        type="checkbox"
        id={id}
        checked={value === true}
        disabled={disabled === true}
        onChange={({ target }) => onChange(target.checked)}
        aria-describedby={ariaDescribedByIds(id)}
      />
      <span>
        {label} {required === true && <Required />}
      </span>
    </label>
  );
}

function Alternatives({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps<FormData>): ReactNode {
  return (
    <div className="alternatives">
      <label className="form-field">
        <span className="small muted">Kind of value</span>
        {selector}
      </label>
      {optionSchemaField}
    </div>
  );
}

function button({ id, disabled, onClick }: IconButtonProps<FormData>, text: string): ReactNode {
  return (
    <button type="button" className="button compact" id={id} disabled={disabled} onClick={onClick}>
      {text}
    </button>
  );
}

/** How the parts of a form are drawn. */
export const TEMPLATES = {
  FieldTemplate: Field,
  TitleFieldTemplate: Title,
  DescriptionFieldTemplate: Description,
  FieldErrorTemplate: Errors,
  ArrayFieldItemTemplate: Item,
  MultiSchemaFieldTemplate: Alternatives,
  ButtonTemplates: {
    AddButton: (props: IconButtonProps<FormData>) => button(props, "Add"),
    RemoveButton: (props: IconButtonProps<FormData>) => button(props, "Remove"),
    MoveUpButton: (props: IconButtonProps<FormData>) => button(props, "Up"),
    MoveDownButton: (props: IconButtonProps<FormData>) => button(props, "Down"),
  },
};

const { SelectWidget: Select } = getDefaultRegistry().widgets as { readonly SelectWidget: Widget<FormData> };

/** A choice of values whose empty one has a name. The widget is not made by the JSX of the console, which makes texts visible. */
function Choice(props: WidgetProps<FormData>): ReactNode {
  const enumOptions = props.options.enumOptions?.map((one) => ({ ...one, label: visible(one.label) }));
  const options = enumOptions === undefined ? props.options : { ...props.options, enumOptions };
  const placeholder = props.required === true ? "choose one" : "not set";
  return <Select {...props} options={options} placeholder={placeholder} />;
}

export const WIDGETS = { CheckboxWidget: Checkbox, SelectWidget: Choice };
