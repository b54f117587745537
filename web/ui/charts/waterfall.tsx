import { useState, type CSSProperties, type ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { costOf, durationOf, shortCountOf } from "../values/format.ts";
import { Icon, type IconName } from "../controls/icon.tsx";
import { linkTo, useNow } from "../address/hooks.ts";
import { inTree, placeOf, zoomed, type Range } from "../shapes/waterfall-shapes.ts";

export type Span = AnswerOf<"waterfall">["spans"][number];
type Phase = Span["phases"][number];

const ICONS: Readonly<Record<Span["kind"], IconName>> = { agent: "agents", turn: "chat", call: "run" };
const TICKS = 6;

/** What happened over time, as one bar a line, what belongs to another thing below it. Zooms by buttons, and by a double click on a bar. */
export function Waterfall({
  spans,
  label,
}: {
  readonly spans: readonly Span[];
  readonly label: string;
}): ReactNode {
  const isOpen = spans.some(({ to }) => to === null);
  const now = useNow(1000, { isNeeded: isOpen });
  const [first, last] = [
    Math.min(...spans.map(({ from }) => from)),
    Math.max(...spans.map(({ from, to }) => to ?? Math.max(from, now))),
  ];
  const whole: Range = { from: first, to: Math.max(last, first + 1) };
  const [chosen, setChosen] = useState<Range>();
  const range = chosen ?? whole;
  const ms = range.to - range.from;
  return (
    <div className="waterfall">
      <div className="row spread">
        <Legend />
        <div className="row" role="group" aria-label="Zoom">
          <ZoomButton text="+" label="Zoom in" onClick={() => setChosen(zoomed(range, whole, { by: 0.5 }))} />
          <ZoomButton text="−" label="Zoom out" onClick={() => setChosen(zoomed(range, whole, { by: 2 }))} />
          <ZoomButton
            text="←"
            label="Earlier"
            onClick={() => setChosen(zoomed(range, whole, { move: -0.5 }))}
          />
          <ZoomButton text="→" label="Later" onClick={() => setChosen(zoomed(range, whole, { move: 0.5 }))} />
          <ZoomButton text="All" label="Show all" onClick={() => setChosen(undefined)} />
        </div>
      </div>
      <div className="scale" aria-hidden="true">
        {Array.from({ length: TICKS }, (_, index) => (
          <span key={index} style={{ left: `${(index / TICKS) * 100}%` }}>
            {offsetOf(range.from - first + (index / TICKS) * ms)}
          </span>
        ))}
      </div>
      <ol className="rows" aria-label={label} tabIndex={0}>
        {inTree(spans).map(({ span, depth }) => (
          <li key={span.id}>
            <Bar
              span={span}
              depth={depth}
              range={range}
              now={now}
              zoom={() => setChosen(zoomed({ from: span.from, to: span.to ?? now }, whole, { by: 1.2 }))}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

function ZoomButton(props: {
  readonly text: string;
  readonly label: string;
  readonly onClick: () => void;
}): ReactNode {
  return (
    <button
      type="button"
      className="button compact"
      aria-label={props.label}
      title={props.label}
      onClick={props.onClick}
    >
      {props.text}
    </button>
  );
}

interface BarProps {
  readonly span: Span;
  readonly depth: number;
  readonly range: Range;
  readonly now: number;
  readonly zoom: () => void;
}

/** Only the name is a link: a double click on the bar zooms. */
function Bar({ span, depth, range, now, zoom }: BarProps): ReactNode {
  const { kind, name, detail, from, to, phases, address, outcome } = span;
  const end = to ?? now;
  const isFailed = outcome !== null && outcome !== "ok";
  const label = (
    <>
      <Icon name={ICONS[kind]} />
      <span className="clip" title={detail === "" ? name : `${name}: ${detail}`}>
        <strong>{name}</strong> <span className="muted">{detail}</span>
      </span>
    </>
  );
  const labelProps = { className: "bar-name", style: { paddingLeft: `${0.4 + depth * 0.9}rem` } };
  const parts: readonly (readonly [string, number, number])[] =
    phases.length > 0
      ? phases.map((phase) => [phaseClass(phase, isFailed), phase.from, phase.to])
      : [
          [
            kind === "call"
              ? isFailed
                ? "phase-failed"
                : "phase-ran"
              : `phase-${kind === "turn" ? "model" : "agent"}`,
            from,
            end,
          ],
        ];
  return (
    <div className="bar-row">
      {address === null ? (
        <span {...labelProps}>{label}</span>
      ) : (
        <a {...labelProps} href={linkTo(...address)}>
          {label}
        </a>
      )}
      <span className="bar-lane" onDoubleClick={zoom}>
        {parts.map(([className, start, stop]) => (
          <i key={`${className} ${start}`} className={className} style={styleOf(start, stop, range)} />
        ))}
        <span style={labelPlaceOf(from, end, range)}>{factsOf(span, end)}</span>
      </span>
    </div>
  );
}

function offsetOf(ms: number): string {
  return ms < 1 ? "0" : `+${durationOf(ms)}`;
}

function styleOf(from: number, to: number, range: Range): CSSProperties {
  const { left, width } = placeOf(from, to, range);
  return { left: `${left}%`, width: `${width}%` };
}

/** Right of the bar, or left of it if there is no room. */
function labelPlaceOf(from: number, to: number, range: Range): CSSProperties {
  const { left, width } = placeOf(from, to, range);
  if (left + width < 72) return { left: `calc(${left + width}% + 0.4rem)` };
  return left > 30 ? { right: `calc(${100 - left}% + 0.4rem)` } : { left: "0.5rem", color: "var(--text)" };
}

function factsOf(
  { kind, from, inputTokens, outputTokens, cost, worker, outcome, to }: Span,
  end: number,
): string {
  const tokens =
    kind === "turn" && inputTokens !== null
      ? `${shortCountOf(inputTokens + (outputTokens ?? 0))} tokens`
      : "";
  const parts = [
    to === null ? `${durationOf(end - from)} so far` : durationOf(end - from),
    tokens,
    kind === "turn" && cost !== null ? costOf(cost) : "",
    worker === null ? "" : `on ${worker}`,
    outcome === null || outcome === "ok" ? "" : outcome,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

const PHASES: readonly (readonly [name: Phase["name"] | "model" | "agent", text: string])[] = [
  ["agent", "agent"],
  ["model", "model"],
  ["judged", "judged"],
  ["waited", "waited"],
  ["ran", "ran"],
  ["formatted", "formatted"],
];

function phaseClass({ name }: Phase, isFailed: boolean): string {
  if (name === "ran" && isFailed) return "phase-failed";
  return `phase-${name === "queued" ? "waited" : name}`;
}

function Legend(): ReactNode {
  return (
    <div className="legend" aria-hidden="true">
      {PHASES.map(([name, text]) => (
        <span key={name}>
          <i className={`phase-${name}`} /> {text}
        </span>
      ))}
    </div>
  );
}

/** The parts of the life of one call: a bar, and how long each took. */
export function PhaseBar({
  phases,
  isFailed,
}: {
  readonly phases: readonly Phase[];
  readonly isFailed: boolean;
}): ReactNode {
  const total = phases.reduce((sum, { from, to }) => sum + to - from, 0);
  return (
    <div className="stack">
      <div className="phases" aria-hidden="true">
        {phases.map((phase) => (
          <i
            key={`${phase.name} ${phase.from}`}
            className={phaseClass(phase, isFailed)}
            style={{ width: `${((phase.to - phase.from) / Math.max(1, total)) * 100}%` }}
          />
        ))}
      </div>
      <ul className="legend" aria-label="Where the time went">
        {phases.map((phase) => (
          <li key={`${phase.name} ${phase.from}`}>
            <i className={phaseClass(phase, isFailed)} /> {phase.name}{" "}
            <b>{durationOf(phase.to - phase.from)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}
