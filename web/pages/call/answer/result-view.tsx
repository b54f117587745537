import { useMemo, useState, type ReactNode } from "react";
import { isObject } from "../../../api/json.ts";
import { Badge } from "../../../ui/values/badge.tsx";
import { Code, Copy, Json } from "../../../ui/values/code.tsx";
import { countOf, onOneLine } from "../../../ui/values/format.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import type { Result } from "../../../ui/values/call-bits.tsx";

/** The answer of a call in both faces: what the model gets, and what programs get. */
export function ResultView({ result }: { readonly result: Result }): ReactNode {
  const text = result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return (
    <Panel title="Result" actions={<Copy text={text} label="Copy text" />}>
      {!result.ok && <Fault fault={result.error} />}
      <Tabs
        label="Faces of the result"
        tabs={[
          { name: "For the model", render: () => <ContentView content={result.content} /> },
          {
            name: "For programs",
            render: () => <Json value={result.ok ? (result.data ?? null) : result.error} label="Data" />,
          },
          { name: "Details", render: () => <Json value={result.meta} label="Details of the run" /> },
        ]}
      />
    </Panel>
  );
}

export function Fault({ fault }: { readonly fault: Extract<Result, { ok: false }>["error"] }): ReactNode {
  return (
    <div className="stack">
      <div className="row">
        <Badge tone={fault.code === "DENIED" ? "warn" : "bad"}>{fault.code}</Badge>
        <span>{fault.message}</span>
      </div>
      {fault.hint !== undefined && <p className="muted">{fault.hint}</p>}
    </div>
  );
}

/** JSON is indented, and a list of records is a table; the text as the model got it is behind a button. */
function AnswerText({ text }: { readonly text: string }): ReactNode {
  const [isRaw, setRaw] = useState(false);
  const value = useMemo(() => jsonOf(text), [text]);
  if (value === undefined) return <Code label="Text for the model">{text}</Code>;
  const records = recordsOf(value);
  const formatted =
    records === undefined ? <Json value={value} label="Text for the model" /> : <Records records={records} />;
  return (
    <>
      {isRaw ? <Code label="Text for the model">{text}</Code> : formatted}
      <button type="button" className="button compact plain" onClick={() => setRaw(!isRaw)}>
        {isRaw ? "Show formatted" : "Show as the model got it"}
      </button>
    </>
  );
}

/** Returns an object or a list that the text is; undefined for any other text. */
function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Row = Readonly<Record<string, unknown>>;

/** Returns the records of a list of them; undefined for any other value. */
function recordsOf(value: unknown): readonly Row[] | undefined {
  const isList = Array.isArray(value) && value.length > 1 && value.every(isObject);
  return isList ? value : undefined;
}

/** More are shown on request: a table of all would hold up the page. */
const MOST = { columns: 30, rows: 500 } as const;

function Records({ records }: { readonly records: readonly Row[] }): ReactNode {
  const [limits, setLimits] = useState<{ readonly columns: number; readonly rows: number }>(MOST);
  const names = useMemo(() => [...new Set(records.flatMap((record) => Object.keys(record)))], [records]);
  const columns = names.slice(0, limits.columns);
  return (
    <>
      <div className="records scroll" tabIndex={0} role="region" aria-label="Records of the answer">
        <table>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {records.slice(0, limits.rows).map((record, index) => (
              // oxlint-disable-next-line no-array-index-key -- the records of one answer have no other identity
              <tr key={index}>
                {columns.map((name) => (
                  <td key={name}>{record[name] === undefined ? "" : onOneLine(record[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="row">
        <Cut
          what="records"
          shown={limits.rows}
          of={records.length}
          step={MOST.rows}
          show={(rows) => setLimits({ ...limits, rows })}
        />
        <Cut
          what="columns"
          shown={limits.columns}
          of={names.length}
          step={MOST.columns}
          show={(count) => setLimits({ ...limits, columns: count })}
        />
      </div>
    </>
  );
}

interface CutProps {
  readonly what: string;
  readonly shown: number;
  readonly of: number;
  readonly step: number;
  readonly show: (count: number) => void;
}

/** Says how much of a table is shown, and shows more of it. */
function Cut({ what, shown, of, step, show }: CutProps): ReactNode {
  if (of <= shown) return null;
  return (
    <>
      <span className="small muted" role="status">
        {countOf(shown)} of {countOf(of)} {what}
      </span>
      <button type="button" className="button compact" onClick={() => show(shown + step)}>
        Show {countOf(Math.min(step, of - shown))} more {what}
      </button>
    </>
  );
}

export function ContentView({ content }: { readonly content: Result["content"] }): ReactNode {
  if (content.length === 0) return <p className="muted">The answer is empty.</p>;
  return content.map((part, index) => {
    const key = `${part.type} ${index}`;
    if (part.type === "text") return <AnswerText key={key} text={part.text} />;
    if (part.type === "image")
      return (
        <img
          key={key}
          src={`data:${part.mimeType};base64,${part.data}`}
          alt="Part of the answer"
          style={{ maxWidth: "100%" }}
        />
      );
    if (part.type === "audio")
      return <audio key={key} controls src={`data:${part.mimeType};base64,${part.data}`} />;
    return (
      <a key={key} download={part.name ?? "file"} href={`data:${part.mimeType};base64,${part.data}`}>
        Download {part.name ?? "the file"} ({part.mimeType})
      </a>
    );
  });
}
