import type { ReactNode } from "react";
import { costOf, exactTimeOf, shortCountOf, shortId } from "../../../ui/values/format.ts";
import { linkTo, useMatches, useStored } from "../../../ui/address/hooks.ts";
import { Menu } from "../../../ui/layout/menu.tsx";
import { Outcome, Took, type Call } from "../../../ui/values/call-bits.tsx";
import type { Column } from "../../../ui/layout/data-table.tsx";
import { callKey } from "../../../../src/util/text/call-key.ts";
import type { NameOfSession } from "./session-names.ts";

/** Columns that are shown until the person chooses others. */
const FIRST = ["Time", "Tool", "Input", "Outcome", "Took", "Place"];
/** Windows of this width have room for one more beside the input. */
const HAS_ROOM = "(min-width: 80rem)";
/** A table without these says nothing. */
const ALWAYS = ["Time", "Tool", "Input", "Outcome"];

/** Returns every column that the list of calls can have, in their order. */
function allColumns(nameOf: NameOfSession): readonly Column<Call>[] {
  return [
    { title: "Time", width: "8.5rem", render: ({ receivedAt }) => exactTimeOf(receivedAt), isWide: true },
    {
      title: "Tool",
      width: "minmax(6rem, 9rem)",
      render: (call) => <a href={linkTo("calls", callKey(call))}>{call.name}</a>,
    },
    {
      title: "Input",
      width: "minmax(6rem, 1fr)",
      render: ({ summary, message }) => (
        <span className="mono" title={message ?? summary}>
          {summary}
        </span>
      ),
    },
    { title: "Outcome", width: "7rem", render: (call) => <Outcome call={call} /> },
    { title: "Took", width: "4.5rem", render: (call) => <Took call={call} />, isNumber: true, isWide: true },
    wide("Place", "5rem", ({ place, worker }) => <span title={worker ?? undefined}>{place ?? "–"}</span>),
    wide("Session", "minmax(6rem, 10rem)", ({ session }) =>
      session === null ? "–" : <a href={linkTo("sessions", session)}>{nameOf(session).title}</a>,
    ),
    wide("Agent", "7rem", ({ session }) => (session === null ? "–" : nameOf(session).agent)),
    wide("Source", "7rem", ({ source }) => source ?? "–"),
    wide("Worker", "8rem", ({ worker }) => <code>{worker ?? "–"}</code>),
    wide("Machine", "7rem", ({ machine }) => machine ?? "–"),
    wide("Model", "9rem", ({ usage }) => usage?.model ?? "–"),
    number("Tokens", ({ usage }) =>
      usage === null ? "–" : shortCountOf(usage.inputTokens + usage.outputTokens),
    ),
    number("Cost", ({ usage }) => (usage?.cost === undefined ? "–" : costOf(usage.cost))),
    wide("User", "7rem", ({ subject }) => subject ?? "–"),
    wide("Folder", "10rem", ({ folder }) => <span title={folder ?? undefined}>{folder ?? "–"}</span>),
    wide("Id", "6rem", ({ callId }) => <code title={callId}>{shortId(callId)}</code>),
  ];
}

function wide(title: string, width: string, render: (call: Call) => ReactNode): Column<Call> {
  return { title, width, render, isWide: true };
}

function number(title: string, render: (call: Call) => ReactNode): Column<Call> {
  return { title, width: "4.5rem", render, isWide: true, isNumber: true };
}

/** Returns the columns that this browser shows, and the menu that chooses them. */
export function useColumnChoice(nameOf: NameOfSession): {
  readonly columns: readonly Column<Call>[];
  readonly menu: ReactNode;
} {
  const first = useMatches(HAS_ROOM) ? [...FIRST, "Session"] : FIRST;
  const [stored, setStored] = useStored("call-columns", first.join(","));
  const chosen = new Set([...ALWAYS, ...stored.split(",")]);
  const all = allColumns(nameOf);
  const isNarrow = useMatches("(max-width: 40rem)");
  const toggle = (title: string): void => {
    if (!chosen.delete(title)) chosen.add(title);
    setStored([...chosen].join(","));
  };
  return {
    columns: all.filter(({ title }) => chosen.has(title)),
    menu: isNarrow ? null : (
      <Menu label="Columns">
        <fieldset className="choices">
          <legend>Columns of this browser</legend>
          {all
            .filter(({ title }) => !ALWAYS.includes(title))
            .map(({ title }) => (
              <label key={title}>
                <input type="checkbox" checked={chosen.has(title)} onChange={() => toggle(title)} /> {title}
              </label>
            ))}
        </fieldset>
      </Menu>
    ),
  };
}

/** A call on two lines, for windows without room for columns. */
export function NarrowCall({ call }: { readonly call: Call }): ReactNode {
  return (
    <div className="narrow-row">
      <span className="row spread one-line">
        <a className="clip" href={linkTo("calls", callKey(call))}>
          {call.name}
        </a>
        <Outcome call={call} />
      </span>
      <span className="row spread one-line small muted">
        <span className="mono clip">{call.summary}</span>
        <span className="figures">
          {exactTimeOf(call.receivedAt)} · <Took call={call} />
        </span>
      </span>
    </div>
  );
}
