import { useId, useLayoutEffect, useRef, useState, type PointerEvent, type ReactNode } from "react";
import { linesOf, stackOf, ticksOf } from "./chart-shapes.ts";
import { dayOrTimeOf } from "./format.ts";

export interface Series {
  readonly name: string;
  /** A colour of the theme: `accent`, `ok`, `warn` … */
  readonly colour: string;
  /** Null: nothing is known, which is drawn as a gap. */
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly label: string;
  /** The starts of the buckets, milliseconds since 1970. */
  readonly at: readonly number[];
  readonly bucketMs: number;
  readonly series: readonly Series[];
  /** Bars on top of each other, or lines. */
  readonly kind: "bars" | "lines";
  readonly format: (value: number) => string;
  /** The address of what a bucket counts. */
  readonly linkOf?: (from: number, to: number) => string;
  readonly height?: number;
}

const [LEFT, RIGHT, TOP, BOTTOM] = [52, 4, 8, 22];

/** A chart over time with one legend, which shows the values under the pointer; a click opens what a bucket counts. */
export function Chart(props: ChartProps): ReactNode {
  const { label, at, bucketMs, series, kind, format, linkOf, height = 190 } = props;
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  const [index, setIndex] = useState<number>();
  const title = useId();
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
  const opened = (): void => {
    const from = index === undefined ? undefined : at[index];
    if (from !== undefined && linkOf !== undefined) window.location.hash = linkOf(from, from + bucketMs);
  };
  return (
    <figure className="chart" aria-labelledby={title}>
      <Legend at={at} series={series} format={format} index={index} bucketMs={bucketMs} />
      <div ref={box}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-labelledby={title}
          className={linkOf === undefined ? undefined : "opens"}
          onPointerMove={moved}
          onPointerLeave={() => setIndex(undefined)}
          onClick={opened}
        >
          <title id={title}>{spokenOf(label, series, format)}</title>
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
          {series.map(({ name, colour, values }, place) =>
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
                    base={TOP + plotHeight}
                  />
                ))}
              </g>
            ),
          )}
        </svg>
      </div>
    </figure>
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
  props: Pick<ChartProps, "at" | "series" | "format" | "bucketMs"> & { readonly index: number | undefined },
): ReactNode {
  const { at, series, format, index, bucketMs } = props;
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
    </figcaption>
  );
}

/** Returns the positions of about as many times as there is room for. */
function timesOf(at: readonly number[], bucketMs: number, width: number): readonly number[] {
  const wanted = at.length / Math.max(1, Math.floor(width / 90));
  const every = [1, 2, 3, 5, 6, 10, 12, 15, 30].find((one) => one >= wanted) ?? Math.ceil(wanted);
  const last = at.length - Math.min(at.length, (at.length * 50) / width);
  return at.flatMap((time, index) => ((time / bucketMs) % every === 0 && index <= last ? [index] : []));
}

function spokenOf(label: string, series: readonly Series[], format: (value: number) => string): string {
  const parts = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    return `${name}: last ${format(known.at(-1) ?? 0)}, highest ${format(Math.max(0, ...known))}`;
  });
  return `${label}. ${parts.join("; ")}`;
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
