import type { JsonObject } from "toolwright";

export interface Case {
  readonly name: string;
  readonly schema: JsonObject;
  readonly text: string;
  run(input: JsonObject): unknown;
  /** The target: the pipeline over the baseline. */
  readonly target: number;
}

const text = { type: "string" } as const;

export const TWO_NUMBERS: Case = {
  name: "two numbers",
  schema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
    additionalProperties: false,
  },
  text: '{"a":2,"b":3}',
  run: ({ a, b }) => ({ sum: Number(a) + Number(b) }),
  target: 5,
};

export const NESTED: Case = {
  name: "12 fields, nested",
  schema: {
    type: "object",
    properties: {
      id: { type: "string", pattern: "^[a-z0-9-]+$" },
      title: { type: "string", minLength: 1, maxLength: 200 },
      priority: { type: "integer", minimum: 1, maximum: 5 },
      status: { enum: ["open", "closed", "blocked"] },
      tags: { type: "array", items: text, maxItems: 10 },
      assignee: {
        type: "object",
        properties: { name: text, email: { type: "string", format: "email" }, active: { type: "boolean" } },
        required: ["name", "email"],
        additionalProperties: false,
      },
      due: { type: "string", format: "date" },
      estimate: { type: "number", exclusiveMinimum: 0 },
      checklist: {
        type: "array",
        items: {
          type: "object",
          properties: { text, done: { type: "boolean" } },
          required: ["text", "done"],
          additionalProperties: false,
        },
      },
      parent: { anyOf: [text, { type: "null" }] },
      watchers: { type: "array", items: { type: "integer" } },
      note: text,
    },
    required: ["id", "title", "priority", "status", "assignee"],
    additionalProperties: false,
  },
  text: JSON.stringify({
    id: "task-42",
    title: "Measure the whole line",
    priority: 2,
    status: "open",
    tags: ["bench", "line", "speed"],
    assignee: { name: "Ann", email: "ann@example.com", active: true },
    due: "2026-12-24",
    estimate: 3.5,
    checklist: [
      { text: "floor", done: true },
      { text: "line", done: false },
    ],
    parent: null,
    watchers: [1, 2, 3],
    note: "nothing clever before a benchmark",
  }),
  run: (input) => ({ saved: true, task: input }),
  target: 2,
};

/** The two inputs that every figure is measured with. */
export const CASES: readonly Case[] = [TWO_NUMBERS, NESTED];
