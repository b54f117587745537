import {
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from "react";
import { linesOf, stackOf, ticksOf } from "../shapes/chart-shapes.ts";
import { dayOrTimeOf } from "../values/format.ts";
import { type ChartProps, type Series, spokenOf, valuesAt, timesOf } from "./chart-values.ts";

const [LEFT, RIGHT, TOP, BOTTOM] = [52, 4, 8, 22];

/**
 * A chart over time with one legend, which shows the values of the bucket under the pointer, or of the one that arrow keys have moved to. A click or
 * Enter opens what it counts; where there is no pointer, the first touch chooses a bucket and the legend has the link.
 */
export function Chart(props: ChartProps): ReactNode {
  const { label, at, bucketMs, series, kind, format, linkOf, height = 190 } = props;
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  const [index, setIndex] = useState<number>();
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const resized = new ResizeObserver(() => setWidth(Math.max(200, current.clientWidth)));
    resized.observe(current);
    return () => resized.disconnect();
  }, []);
  const [plotWidth, plotHeight] = [width - LEFT - RIGHT, height - TOP - BOTTOM];
  const step = plotWidth / Math.max(1, at.length);
  const bars = stackOf(series.map(({ values }) => values));
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const ticks = ticksOf(kind === "bars" ? bars.highest : Math.max(0, ...known));
  const highest = ticks.at(-1) ?? 1;
  const yOf = (value: number): number => TOP + plotHeight * (1 - value / highest);
  const moved = ({ clientX, currentTarget }: PointerEvent): void => {
    const bucket = Math.floor((clientX - currentTarget.getBoundingClientRect().left - LEFT) / step);
    setIndex(bucket >= 0 && bucket < at.length ? bucket : undefined);
  };
  const from = index === undefined ? undefined : at[index];
  const link = from === undefined ? undefined : linkOf?.(from, from + bucketMs);
  const open = (): void => {
    if (link !== undefined) window.location.hash = link;
  };
  const pressed = (event: KeyboardEvent): void => {
    const next = bucketAfter(event.key, index, at.length);
    if (event.key === "Enter") open();
    else if (next !== undefined) setIndex(next);
    else return;
    event.preventDefault();
  };
  return (
    <figure className="chart" aria-label={spokenOf(label, series, format)}>
      <Legend at={at} series={series} format={format} index={index} bucketMs={bucketMs} link={link} />
      <div
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={linkOf === undefined ? `Time of ${label}` : `Time of ${label}; Enter opens its calls`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, at.length - 1)}
        aria-valuenow={index ?? Math.max(0, at.length - 1)}
        aria-valuetext={valuesAt(props, index)}
        onKeyDown={pressed}
        onBlur={() => setIndex(undefined)}
      >
        <svg
          width={width}
          height={height}
          aria-hidden="true"
          className={linkOf === undefined ? undefined : "opens"}
          onPointerDown={moved}
          onPointerMove={moved}
          onPointerLeave={({ pointerType }) => pointerType === "mouse" && setIndex(undefined)}
          onClick={({ nativeEvent }) =>
            (nativeEvent as globalThis.PointerEvent).pointerType === "mouse" && open()
          }
        >
          {ticks.map((value) => (
            <g key={value} className="axis">
              <line x1={LEFT} x2={width - RIGHT} y1={yOf(value)} y2={yOf(value)} />
              <text x={LEFT - 8} y={yOf(value)} dy="0.32em" textAnchor="end">
                {value === 0 ? "0" : format(value)}
              </text>
            </g>
          ))}
          {timesOf(at, bucketMs, plotWidth).map((position) => (
            <text key={position} className="axis" x={LEFT + position * step} y={height - 6}>
              {dayOrTimeOf(at[position] ?? 0, bucketMs)}
            </text>
          ))}
          {index !== undefined && (
            <rect className="pointed" x={LEFT + index * step} y={TOP} width={step} height={plotHeight} />
          )}
          <Shapes {...{ series, kind, bars, step, yOf }} />
        </svg>
      </div>
    </figure>
  );
}

/** Returns the bucket that a key moves to; undefined for any other key. */
function bucketAfter(key: string, index: number | undefined, count: number): number | undefined {
  const last = count - 1;
  const keys = {
    ArrowLeft: Math.max(0, (index ?? count) - 1),
    ArrowRight: Math.min(last, (index ?? last) + 1),
    Home: 0,
    End: last,
  };
  return keys[key as keyof typeof keys];
}

interface ShapesProps extends Pick<ChartProps, "series" | "kind"> {
  readonly bars: ReturnType<typeof stackOf>;
  /** The width of a bucket. */
  readonly step: number;
  readonly yOf: (value: number) => number;
}

/** The bars or lines of all series. */
function Shapes({ series, kind, bars, step, yOf }: ShapesProps): ReactNode {
  return series.map(({ name, colour, values }, place) =>
    kind === "bars" ? (
      <g key={name} fill={`var(--${colour})`}>
        {bars.stacks[place]?.map(
          ({ from, to }, bucket) =>
            to > from && (
              <rect
                // oxlint-disable-next-line no-array-index-key -- a bucket has its place
                key={bucket}
                x={LEFT + bucket * step + step * 0.1}
                width={Math.max(1, step * 0.8)}
                y={yOf(to)}
                height={Math.max(1, yOf(from) - yOf(to))}
                rx={Math.min(2, step / 5)}
              />
            ),
        )}
      </g>
    ) : (
      <g key={name} stroke={`var(--${colour})`} fill={`var(--${colour})`}>
        {linesOf(values).map((line) => (
          <Line
            key={line[0]?.[0]}
            line={line.map(([bucket, value]) => [LEFT + (bucket + 0.5) * step, yOf(value)])}
            base={yOf(0)}
          />
        ))}
      </g>
    ),
  );
}

/** A part of a line without gaps, with the area below it; a single point is a dot. */
function Line({
  line,
  base,
}: {
  readonly line: readonly (readonly [number, number])[];
  readonly base: number;
}): ReactNode {
  const [first] = line;
  const last = line.at(-1);
  if (first === undefined || last === undefined) return null;
  if (line.length === 1) return <circle cx={first[0]} cy={first[1]} r={2.5} stroke="none" />;
  const path = line.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L");
  return (
    <>
      <path className="area" stroke="none" d={`M${first[0]},${base}L${path}L${last[0]},${base}Z`} />
      <path fill="none" strokeWidth={1.75} strokeLinejoin="round" d={`M${path}`} />
    </>
  );
}

function Legend(
  props: Pick<ChartProps, "at" | "series" | "format" | "bucketMs"> & {
    readonly index: number | undefined;
    readonly link: string | undefined;
  },
): ReactNode {
  const { at, series, format, index, bucketMs, link } = props;
  const time = index === undefined ? undefined : at[index];
  return (
    <figcaption className="legend">
      {series.map(({ name, colour, values }) => {
        const value = index === undefined ? undefined : values[index];
        return (
          <span key={name}>
            <i style={{ background: `var(--${colour})` }} /> {name}
            {value !== undefined && <b>{value === null ? "–" : format(value)}</b>}
          </span>
        );
      })}
      {time !== undefined && <span className="muted">{dayOrTimeOf(time, bucketMs)}</span>}
      {link !== undefined && (
        // The chart loses the focus, and with it the link, before a click on the link would count.
        <a href={link} onPointerDown={(event) => event.preventDefault()}>
          Open
        </a>
      )}
    </figcaption>
  );
}

/** A small line without axes; the number beside it says what it is. */
export function Sparkline({
  values,
  colour,
}: {
  readonly values: Series["values"];
  readonly colour: string;
}): ReactNode {
  const highest = Math.max(1e-9, ...values.filter((value) => value !== null));
  const [width, height] = [120, 28];
  const step = width / Math.max(1, values.length - 1);
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      stroke={`var(--${colour})`}
      fill={`var(--${colour})`}
    >
      {linesOf(values).map((line) => (
        <Line
          key={line[0]?.[0]}
          line={line.map(([index, value]) => [index * step, height - 2 - (value / highest) * (height - 4)])}
          base={height}
        />
      ))}
    </svg>
  );
}
