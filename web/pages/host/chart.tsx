import { useEffect, useRef, type ReactNode } from "react";
import UPlot from "uplot";

export interface Series {
  readonly name: string;
  /** A colour of the theme: `accent`, `ok`, `warn` … */
  readonly colour: string;
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly label: string;
  /** Seconds since 1970. */
  readonly at: readonly number[];
  readonly series: readonly Series[];
}

const HEIGHT = 180;

/** A line chart over time; for screen readers, the last and the highest value of each line. */
export function Chart({ label, at, series }: ChartProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const draw = (): UPlot =>
      new UPlot(optionsOf(current, series), [[...at], ...series.map(({ values }) => [...values])], current);
    let plot = draw();
    const redraw = (): void => {
      plot.destroy();
      plot = draw();
    };
    const resized = new ResizeObserver(() => plot.setSize({ width: current.clientWidth, height: HEIGHT }));
    resized.observe(current);
    // The canvas does not follow the colours of the page by itself.
    const themed = new MutationObserver(redraw);
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", redraw);
    return () => {
      dark.removeEventListener("change", redraw);
      themed.disconnect();
      resized.disconnect();
      plot.destroy();
    };
  }, [at, series]);
  const spoken = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    return `${name}: last ${known.at(-1) ?? 0}, highest ${Math.max(0, ...known)}`;
  });
  return <div ref={box} className="chart" role="img" aria-label={`${label}. ${spoken.join("; ")}`} />;
}

function optionsOf(box: HTMLElement, series: readonly Series[]): UPlot.Options {
  const axis = {
    stroke: colourOf(box, "muted"),
    grid: { stroke: colourOf(box, "line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width: box.clientWidth,
    height: HEIGHT,
    cursor: { y: false },
    legend: { live: true },
    axes: [axis, { ...axis, size: 56 }],
    scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] } },
    series: [
      { value: "{HH}:{mm}:{ss}" },
      ...series.map(({ name, colour, values }) => ({
        label: name,
        stroke: colourOf(box, colour),
        width: 1.5,
        spanGaps: true,
        // A single value is no line.
        points: { size: 5, show: values.filter((value) => value !== null && value > 0).length < 10 },
      })),
    ],
  };
}

/** Returns the computed value of a colour of the theme, which a canvas can draw. */
function colourOf(box: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  box.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
