interface Line {
  readonly name: string;
  readonly points: readonly (readonly [workers: number, rate: number])[];
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 400, 90, 24, 20, 130];
const MARKS = ["", "8 4", "2 4", "12 4 2 4"];

const STYLE = `
  text { font: 13px sans-serif; fill: #222; }
  .axis { stroke: #777; } .grid { stroke: #ccc; } .line { fill: none; stroke-width: 2.5; }
  .c0 { stroke: #1f6feb; } .c1 { stroke: #c2410c; } .c2 { stroke: #6d28d9; } .c3 { stroke: #15803d; }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd; } .axis { stroke: #999; } .grid { stroke: #444; }
    .c0 { stroke: #79b8ff; } .c1 { stroke: #fb923c; } .c2 { stroke: #c4b5fd; } .c3 { stroke: #4ade80; }
  }`;

/** Draws calls a second by number of workers, both logarithmic, readable on light and dark pages. Points without calls are left out. */
export function toChart(lines: readonly Line[]): string {
  const all = lines.flatMap(({ points }) => points).filter(([, rate]) => rate > 0);
  const [lowest, highest] = [Math.min, Math.max].map((of) => of(...all.map(([, rate]) => rate)));
  const [low, high] = [Math.floor(Math.log10(lowest ?? 1)), Math.ceil(Math.log10(highest ?? 10))];
  const x = (workers: number): number => LEFT + ((Math.log10(workers) - 1) / 2) * (WIDTH - LEFT - RIGHT);
  const y = (rate: number): number =>
    HEIGHT - BOTTOM - ((Math.log10(rate) - low) / (high - low)) * (HEIGHT - BOTTOM - TOP);
  const parts: string[] = [];
  for (const workers of [10, 30, 100, 300, 1000])
    parts.push(
      `<line class="grid" x1="${x(workers)}" x2="${x(workers)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/>`,
      `<text x="${x(workers)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${workers}</text>`,
    );
  for (let power = low; power <= high; power += 1)
    parts.push(
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(10 ** power)}" y2="${y(10 ** power)}"/>`,
      `<text x="${LEFT - 8}" y="${y(10 ** power) + 4}" text-anchor="end">${String(10 ** power).replace(/\B(?=(?:\d{3})+$)/g, " ")}</text>`,
    );
  parts.push(
    `<text x="${(WIDTH + LEFT) / 2}" y="${HEIGHT - BOTTOM + 38}" text-anchor="middle">workers</text>`,
    `<text x="14" y="${(HEIGHT - BOTTOM) / 2}" text-anchor="middle" transform="rotate(-90 14 ${(HEIGHT - BOTTOM) / 2})">calls a second</text>`,
  );
  for (const [index, { name, points }] of lines.entries()) {
    const path = points.flatMap(([workers, rate]) =>
      rate > 0 ? [`${x(workers).toFixed(1)},${y(rate).toFixed(1)}`] : [],
    );
    const at = HEIGHT - BOTTOM + 56 + index * 18;
    parts.push(
      `<polyline class="line c${index}" stroke-dasharray="${MARKS[index]}" points="${path.join(" ")}"/>`,
      `<line class="line c${index}" stroke-dasharray="${MARKS[index]}" x1="${LEFT}" x2="${LEFT + 36}" y1="${at}" y2="${at}"/>`,
      `<text x="${LEFT + 46}" y="${at + 4}">${name}</text>`,
    );
  }
  const label = "calls a second by number of workers, simulated for four arrangements of servers";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">\n<style>${STYLE}\n</style>\n${parts.join("\n")}\n</svg>\n`;
}
