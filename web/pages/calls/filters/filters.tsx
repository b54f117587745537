import { useState, type FormEvent, type ReactNode } from "react";
import { useRead } from "../../../api/queries.ts";
import { Menu } from "../../../ui/layout/menu.tsx";
import { useAddressed } from "../../../ui/address/hooks.ts";
import { Chip } from "./chips.tsx";
import type { NameOfSession } from "../list/session-names.ts";

const FIELDS = ["tool", "session", "source", "place", "machine", "model", "folder"] as const;
type Field = (typeof FIELDS)[number];

const LABELS: Readonly<Record<Field, string>> = {
  tool: "Tool",
  session: "Session or agent",
  source: "Source",
  place: "Place",
  machine: "Machine or worker",
  model: "Model",
  folder: "Folder",
};

type Values = Readonly<Record<Field, string>>;

/** What narrows the list of calls: in the address, so that a link shows the same. */
export interface CallFilters {
  readonly values: Values;
  readonly set: (field: Field, value: string) => void;
  /** As the API takes them. */
  readonly query: {
    readonly name?: string;
    readonly session?: string;
    readonly source?: string;
    readonly place?: string;
    readonly machine?: string;
    readonly model?: string;
    readonly folder?: string;
  };
}

/** Returns the filters that the address has. */
export function useFilters(): CallFilters {
  const states = {
    tool: useAddressed("tool", ""),
    session: useAddressed("session", ""),
    source: useAddressed("source", ""),
    place: useAddressed("place", ""),
    machine: useAddressed("machine", ""),
    model: useAddressed("model", ""),
    folder: useAddressed("folder", ""),
  };
  const values = Object.fromEntries(FIELDS.map((field) => [field, states[field][0]])) as unknown as Values;
  const setFields = FIELDS.filter((field) => values[field] !== "");
  return {
    values,
    set: (field, value) => states[field][1](value),
    query: Object.fromEntries(setFields.map((field) => [field === "tool" ? "name" : field, values[field]])),
  };
}

/** Every filter that is set, each with a button that drops it. */
export function FilterChips({
  filters: { values, set },
  nameOf,
}: {
  readonly filters: CallFilters;
  readonly nameOf: NameOfSession;
}): ReactNode {
  return FIELDS.filter((field) => values[field] !== "").map((field) => (
    <Chip
      key={field}
      text={`${field} ${field === "session" ? nameOf(values.session).title : values[field]}`}
      remove={() => set(field, "")}
    />
  ));
}

/** The menu in which filters are chosen. */
export function FilterMenu({ filters }: { readonly filters: CallFilters }): ReactNode {
  const { data: tools } = useRead("tools", { all: true });
  const { data: sessions } = useRead("sessions", { all: true });
  const { data: sources } = useRead("sources");
  const choices: Readonly<Partial<Record<Field, readonly (readonly [value: string, text: string])[]>>> = {
    tool: (tools?.tools ?? []).map(({ name }) => [name, name]),
    session: (sessions?.sessions ?? []).map(({ id, title, agent }) => [id, `${agent.name}: ${title}`]),
    source: (sources?.sources ?? []).map(({ name }) => [name, name]),
    place: ["host", "sandbox", "fleet"].map((place) => [place, place]),
  };
  return (
    <Menu label="Filter">
      {FIELDS.map((field) => {
        const options = choices[field];
        return (
          <label key={field} className="field">
            <span>{LABELS[field]}</span>
            {options === undefined ? (
              <FilterText key={filters.values[field]} field={field} filters={filters} />
            ) : (
              <select
                aria-label={LABELS[field]}
                value={filters.values[field]}
                onChange={({ target }) => filters.set(field, target.value)}
              >
                <option value="">any</option>
                {options.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </select>
            )}
          </label>
        );
      })}
    </Menu>
  );
}

/** A filter that is typed: it holds once the person is done with it. */
function FilterText({
  field,
  filters: { values, set },
}: {
  readonly field: Field;
  readonly filters: CallFilters;
}): ReactNode {
  const [text, setText] = useState(values[field]);
  const done = (event?: FormEvent): void => {
    event?.preventDefault();
    if (text.trim() !== values[field]) set(field, text.trim());
  };
  return (
    <form onSubmit={done}>
      <input
        aria-label={LABELS[field]}
        placeholder="any, exactly as it is shown"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => done()}
      />
    </form>
  );
}
