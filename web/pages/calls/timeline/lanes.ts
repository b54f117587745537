interface Span {
  readonly start: number;
  readonly end: number;
}

/** With more lanes, the bars of a lane overlap. */
const MAX_LANES = 8;

/** Puts spans into as few lanes as possible, so that no two in a lane overlap; earlier ones first. A shorter span is shown as long as `shortest`. */
export function inLanes<S extends Span>(spans: readonly S[], shortest: number): readonly (readonly S[])[] {
  const lanes: S[][] = [];
  const endOf = (lane: readonly S[]): number => {
    const last = lane.at(-1);
    return last === undefined ? 0 : Math.max(last.end, last.start + shortest);
  };
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const free = lanes.find((lane) => endOf(lane) <= span.start);
    const next = lanes.length < MAX_LANES ? undefined : lanes.toSorted((a, b) => endOf(a) - endOf(b))[0];
    const lane = free ?? next;
    if (lane === undefined) lanes.push([span]);
    else lane.push(span);
  }
  return lanes;
}
