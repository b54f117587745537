import { DIALECT_NAMES, type DialectName } from "../../../src/models/text-calls/dialects/dialects.ts";
import { callsOf, cut, readParts, readWhole } from "../models/text-calls.ts";
import type { Pick } from "./changed-inputs.ts";
import { damage, KIND_NAMES, type DamagedCall, type KindName } from "./kinds.ts";
import { canonical, readingsOf } from "./readings.ts";
import { isValid, realCalls, type RealCall } from "./real-calls.ts";

export interface Counts {
  tried: number;
  /** With one reading, by the oracle. */
  single: number;
  recovered: number;
  /** Without one reading, and yet as it was meant. */
  recoveredMore: number;
  refused: number;
  /** Those of the refused whose message names a place. */
  placed: number;
  text: number;
  wrong: number;
}

export interface Miss {
  readonly damaged: DamagedCall;
  readonly outcome: Outcome;
  readonly isSingle: boolean;
  readonly shown: string;
}

type Outcome = "recovered" | "refused" | "text" | "wrong";

const emptyCounts = (): Counts => ({
  tried: 0,
  single: 0,
  recovered: 0,
  recoveredMore: 0,
  refused: 0,
  placed: 0,
  text: 0,
  wrong: 0,
});

/** Returns a source of numbers that depends only on the seed. */
function pickFrom(seed: number): Pick {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return limit <= 0 ? 0 : ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** Damages calls in every way and every dialect, and reads them. */
export function measureDamage(
  seed: number,
  perKind: number,
  seen: (miss: Miss) => void = () => undefined,
): Readonly<Record<KindName, Counts>> {
  const calls = realCalls();
  const pick = pickFrom(seed);
  const table = Object.fromEntries(KIND_NAMES.map((kind) => [kind, emptyCounts()])) as Record<
    KindName,
    Counts
  >;
  for (const kind of KIND_NAMES)
    for (const dialect of DIALECT_NAMES)
      for (const damaged of damagedCalls(kind, dialect, { calls, pick, count: perKind }))
        seen(measureOne(damaged, table[kind]));
  return table;
}

interface Many {
  readonly calls: readonly RealCall[];
  readonly pick: Pick;
  readonly count: number;
}

function* damagedCalls(
  kind: KindName,
  dialect: DialectName,
  { calls, pick, count }: Many,
): Iterable<DamagedCall> {
  let made = 0;
  // A kind that needs a list or a number finds a call that has one.
  for (let tries = 0; made < count && tries < count * 12; tries += 1) {
    const call = calls[pick(calls.length)];
    const damaged = call === undefined ? undefined : damage(kind, dialect, call, pick);
    if (damaged === undefined) continue;
    made += 1;
    yield damaged;
  }
}

function measureOne(damaged: DamagedCall, counts: Counts): Miss {
  const { dialect, text, reason, call } = damaged;
  const options = { dialect, tools: call.tools };
  const pieces = readWhole(text, options, reason);
  const readings = readingsOf(damaged);
  const isSingle = readings.size === 1 && readings.has(canonical(call.input));
  const found = callsOf(pieces);
  const problem = pieces.find((piece) => piece.kind === "problem");
  const outcome = outcomeOf(damaged, found, problem !== undefined);
  counts.tried += 1;
  if (isSingle) counts.single += 1;
  if (outcome === "recovered") counts[isSingle ? "recovered" : "recoveredMore"] += 1;
  else counts[outcome] += 1;
  if (outcome === "refused" && /character \d|line \d|the text ends|cut off/.test(problem?.message ?? ""))
    counts.placed += 1;
  return { damaged, outcome, isSingle, shown: JSON.stringify(pieces) };
}

function outcomeOf({ call }: DamagedCall, found: ReturnType<typeof callsOf>, hasProblem: boolean): Outcome {
  const ran = found.filter(({ name, input }) => runs(call, name, input));
  const isRight = (name: string, input: unknown): boolean =>
    name === call.name && canonical(coerced(call, input)) === canonical(call.input);
  if (ran.length === 1 && ran.every(({ name, input }) => isRight(name, input))) return "recovered";
  if (ran.length > 0) return "wrong";
  return hasProblem || found.length > 0 ? "refused" : "text";
}

/** Returns whether the engine would run this call. */
function runs(call: RealCall, name: string, input: unknown): boolean {
  const tool = call.tools.find((one) => one.name === name);
  return tool !== undefined && isValid(tool.input, coerced(call, input));
}

/** Converts texts as the engine does before it validates: numbers and booleans written as texts. */
function coerced(call: RealCall, input: unknown): unknown {
  const properties = (call.tools.find(({ name }) => name === call.name)?.input["properties"] ??
    {}) as Readonly<Record<string, { readonly type?: string }>>;
  if (typeof input !== "object" || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]: [string, unknown]) => {
      const type = properties[key]?.type;
      if (typeof value !== "string") return [key, value];
      if ((type === "integer" || type === "number") && value.trim() !== "" && Number.isFinite(Number(value)))
        return [key, Number(value)];
      return type === "boolean" && /^(?:true|false)$/i.test(value)
        ? [key, /^true$/i.test(value)]
        : [key, value];
    }),
  );
}

/** Returns the first place at which reading in pieces differs from reading at once; undefined if there is none. */
export function differingCut({ dialect, text, reason, call }: DamagedCall): number | undefined {
  const options = { dialect, tools: call.tools };
  const whole = JSON.stringify(readWhole(text, options, reason));
  if (JSON.stringify(readParts(cut(text, [1]), options, reason)) !== whole) return -1;
  for (let at = 1; at < text.length; at += 1)
    if (JSON.stringify(readParts([text.slice(0, at), text.slice(at)], options, reason)) !== whole) return at;
  return undefined;
}
