interface Span {
  readonly start: number;
  readonly end: number;
}

/** Puts spans into as few lanes as possible, so that no two in a lane overlap; earlier ones first. */
export function inLanes<S extends Span>(spans: readonly S[]): readonly (readonly S[])[] {
  const lanes: S[][] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const free = lanes.find((lane) => (lane.at(-1)?.end ?? 0) <= span.start);
    if (free === undefined) lanes.push([span]);
    else free.push(span);
  }
  return lanes;
}
