import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { prettyJson } from "./format.ts";

export type Tone = "ok" | "warn" | "bad" | "info" | "accent" | "none";

export function Badge({
  tone = "none",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}): ReactNode {
  return <span className={`badge ${tone}`}>{children}</span>;
}

/** The head of a page: its title, one line about it, and its actions on the right. */
export function PageHead(props: {
  readonly title: ReactNode;
  readonly about?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <header className="page-head">
      <div>
        <h1>{props.title}</h1>
        {props.about !== undefined && <p>{props.about}</p>}
      </div>
      {props.children !== undefined && <div className="row">{props.children}</div>}
    </header>
  );
}

export function Panel(props: {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className="panel padded">
      {props.title !== undefined && (
        <div className="row spread">
          <h2>{props.title}</h2>
          {props.actions !== undefined && <div className="row">{props.actions}</div>}
        </div>
      )}
      {props.children}
    </section>
  );
}

/** What stands in place of data that is not there, and what to do about it. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="state">
      <h2>{title}</h2>
      {children !== undefined && <div>{children}</div>}
    </div>
  );
}

export function Loading({ what }: { readonly what: string }): ReactNode {
  return (
    <div className="state" role="status">
      <div className="spinner" aria-hidden="true" />
      <p>Loading {what}…</p>
    </div>
  );
}

export function Failed({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: () => unknown;
}): ReactNode {
  const { message, hint } = error as { readonly message?: string; readonly hint?: string };
  return (
    <div className="state error" role="alert">
      <h2>{message ?? String(error)}</h2>
      {hint !== undefined && <p>{hint}</p>}
      {retry !== undefined && (
        <button type="button" className="button" onClick={() => void retry()}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Copies a text to the clipboard and confirms it on the button. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const [state, setState] = useState<"ready" | "copied" | "failed">("ready");
  useEffect(() => {
    if (state === "ready") return undefined;
    const timer = window.setTimeout(() => setState("ready"), 1500);
    return () => window.clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  };
  const shown = { ready: label, copied: "Copied", failed: "Not copied: the browser refused" }[state];
  return (
    <button type="button" className="button compact" onClick={copy} aria-live="polite">
      {shown}
    </button>
  );
}

/** A text as it is, in a box that can be scrolled with the keyboard. */
export function Code({
  children,
  label,
}: {
  readonly children: ReactNode;
  readonly label: string;
}): ReactNode {
  return (
    <pre className="code" tabIndex={0} role="region" aria-label={label}>
      {children}
    </pre>
  );
}

export function Json({ value, label }: { readonly value: unknown; readonly label: string }): ReactNode {
  return <Code label={label}>{prettyJson(value)}</Code>;
}

/** Tabs of which one panel is shown; arrow keys move between them. */
export function Tabs(props: {
  readonly label: string;
  readonly tabs: readonly { readonly name: string; readonly render: () => ReactNode }[];
}): ReactNode {
  const id = useId();
  const [chosen, setChosen] = useState(props.tabs[0]?.name);
  const buttons = useRef<HTMLDivElement>(null);
  const index = Math.max(
    0,
    props.tabs.findIndex(({ name }) => name === chosen),
  );
  const move = (by: number): void => {
    const next = (index + by + props.tabs.length) % props.tabs.length;
    setChosen(props.tabs[next]?.name);
    (buttons.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div className="stack">
      <div
        className="tabs"
        role="tablist"
        aria-label={props.label}
        ref={buttons}
        onKeyDown={({ key }) => {
          if (key === "ArrowRight") move(1);
          if (key === "ArrowLeft") move(-1);
        }}
      >
        {props.tabs.map(({ name }, at) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${at}`}
            aria-selected={at === index}
            aria-controls={`${id}-panel`}
            tabIndex={at === index ? 0 : -1}
            onClick={() => setChosen(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${index}`} className="stack">
        {props.tabs[index]?.render()}
      </div>
    </div>
  );
}

/** A choice of one among a few, as a row of buttons. */
export function Segments<T extends string>(props: {
  readonly label: string;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  /** True: it only shows the value. */
  readonly isFixed?: boolean;
}): ReactNode {
  return (
    <div className="segments" role="group" aria-label={props.label}>
      {props.options.map(([value, text]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          disabled={props.isFixed === true}
          onClick={() => props.onChange(value)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

export function SearchBox(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  return (
    <input
      className="search"
      type="search"
      data-search=""
      placeholder={`${props.label}  ( / )`}
      aria-label={props.label}
      value={props.value}
      onChange={({ target }) => props.onChange(target.value)}
    />
  );
}

/** Names and values, one pair a line; pairs without a value are left out. */
export function Facts({ of }: { readonly of: Readonly<Record<string, ReactNode>> }): ReactNode {
  const pairs = Object.entries(of).filter(
    ([, value]) => ![undefined, null, false, ""].includes(value as never),
  );
  return (
    <dl className="facts">
      {pairs.map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
