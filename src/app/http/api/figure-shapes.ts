import {
  boolean,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
} from "../../../schema/define/schema.ts";
import { PhaseShape } from "./phase-shape.ts";
import { at } from "./typed.ts";

/** What models were paid. */
const SPENT = {
  inputTokens: number(),
  outputTokens: number(),
  cost: number("in USD, of models whose price is known"),
};

const COUNTS = {
  calls: integer("answered ones"),
  failed: integer("without denied ones"),
  denied: integer("by policy or by a person"),
  p50Ms: nullable(number("of those that ran, without waiting for people and for other calls; within 19 %")),
  p95Ms: nullable(number()),
  waitP95Ms: nullable(number("of those that waited for a person")),
  ...SPENT,
};

export const Counts = object({
  since: number("start of the first bucket: at `since` of the query or before it"),
  until: number("end of the last bucket: at `until` of the query or after it"),
  bucketMs: number("buckets begin at multiples of it, in UTC"),
  points: list(
    object({
      at: number(`start of the bucket, ${at}`),
      ...COUNTS,
      codes: record(integer(), "number of calls by code of the error"),
    }),
    "oldest first, every bucket of the range",
  ),
  total: object({ ...COUNTS, p99Ms: nullable(number()), codes: record(integer()) }),
  tools: list(object({ name: string(), ...COUNTS, p99Ms: nullable(number()) }), "by number of calls"),
  models: list(object({ model: string(), calls: integer(), ...SPENT }), "by cost, then by tokens"),
  countedSince: nullable(number("nothing is known about the time before; null if no call was counted")),
  isPartial: boolean("older calls are still being counted: ask again"),
});
export const CountsQuery = object({
  since: optional(number("default: an hour before `until`", { min: 0 })),
  until: optional(number("default: now", { min: 0 })),
  buckets: optional(integer("number of points, at most; a few more at the ends", { min: 1, max: 500 }), 60),
});

/** Something that took time in a session: an agent, a turn of its model, or a call. */
const SpanShape = object({
  id: string("of no other span"),
  parentId: nullable(string("the span that it is a part of")),
  kind: oneOf(["agent", "turn", "call"]),
  name: string("of the agent, the model or the tool"),
  detail: string("one line"),
  from: number(at),
  to: nullable(number("null while it goes on")),
  outcome: nullable(string("ok, failed or the code of the error")),
  phases: list(PhaseShape, "of a call"),
  inputTokens: nullable(number("of a turn; of a call, its share of the turn that asked for it")),
  outputTokens: nullable(number()),
  cost: nullable(number("in USD")),
  worker: nullable(string("the worker of the fleet that ran the call")),
  machine: nullable(string()),
  address: nullable(list(string(), "path of the page of the console that shows it")),
});

export const Waterfall = object({
  from: number(at),
  to: number(at),
  spans: list(SpanShape, "parents before what is a part of them"),
  ...SPENT,
  models: list(object({ model: string(), turns: integer(), ...SPENT })),
});
