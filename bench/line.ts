import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { createEngine, defineTool, type Engine, type JsonObject } from "toolwright";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CASES, type Case } from "./cases.ts";
import { measure, microseconds, type Row } from "./measure.ts";
import { openStore } from "toolwright/store";

/** Measures the whole pipeline against the baseline: the same work without the engine. */
export async function benchLine(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const one of CASES) rows.push(...(await benchCase(one)));
  rows.push(await benchJournal());
  return rows;
}

async function benchCase(one: Case): Promise<readonly Row[]> {
  const baseline = await measure(floorOf(one));
  const engine = engineWith(one);
  const line = await measure(serial(engine, one));
  const together = await measure(concurrent(engine, one, 64));
  const bad = await measure(invalid(engine, one));
  await engine.close();
  return [
    {
      what: `whole line, ${one.name}`,
      figure: microseconds(line),
      against: microseconds(baseline),
      ratio: line / baseline,
      target: `${one.target}x`,
      isReached: line / baseline <= one.target,
    },
    {
      what: `the same, 64 at a time`,
      figure: `${Math.round(1e9 / together).toLocaleString("en")} calls/s`,
      against: `${Math.round(1e9 / baseline).toLocaleString("en")}/s`,
      ratio: together / baseline,
      target: `${one.target}x`,
      isReached: together / baseline <= one.target,
    },
    {
      what: `invalid input, ${one.name}`,
      figure: microseconds(bad),
      against: "",
      target: "10 µs",
      isReached: bad <= 10_000,
    },
  ];
}

/** Returns the baseline: JSON text in → Ajv → function → JSON text out. */
export function floorOf(one: Case): (count: number) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  (addFormats as unknown as (ajv: unknown) => void)(ajv);
  const validate = ajv.compile(one.schema);
  return (count) => {
    for (let index = 0; index < count; index += 1) {
      const input = JSON.parse(one.text) as JsonObject;
      if (!validate(input)) throw new Error("invalid");
      if (JSON.stringify(one.run(input)).length === 0) throw new Error("empty");
    }
  };
}

export function engineWith(one: Case, options: object = {}): Engine {
  const tool = defineTool({
    name: "work",
    description: "Does the work.",
    input: one.schema,
    risk: "low",
    effects: "none",
    run: (input: JsonObject) => one.run(input),
  });
  const engine = createEngine({ tools: [tool], ...options });
  engine.on(() => undefined);
  return engine;
}

export function serial(engine: Engine, one: Case): (count: number) => Promise<void> {
  return async (count) => {
    for (let index = 0; index < count; index += 1) {
      const result = await engine.run({ id: "1", name: "work", input: one.text });
      if (!result.ok || result.content[0]?.type !== "text") throw new Error("failed");
    }
  };
}

function concurrent(engine: Engine, one: Case, width: number): (count: number) => Promise<void> {
  return async (count) => {
    for (let done = 0; done < count; done += width) {
      const calls = Array.from({ length: width }, () =>
        engine.run({ id: "1", name: "work", input: one.text }),
      );
      for (const result of await Promise.all(calls)) if (!result.ok) throw new Error(result.error.message);
    }
  };
}

export function invalid(engine: Engine, one: Case): (count: number) => Promise<void> {
  const input = { ...(JSON.parse(one.text) as object), unknown_field: 1 };
  return async (count) => {
    for (let index = 0; index < count; index += 1) {
      const result = await engine.run({ id: "1", name: "work", input });
      if (result.ok) throw new Error("passed");
    }
  };
}

async function benchJournal(): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  const store = await openStore({ folder });
  const [first] = CASES;
  if (first === undefined) throw new Error("no case");
  const engine = engineWith(first, { journal: store.journal });
  const journalNs = await measure(concurrent(engine, first, 64));
  await engine.close();
  await store.close();
  rmSync(folder, { recursive: true });
  return {
    what: "with the journal, 64 at a time",
    figure: microseconds(journalNs),
    against: "",
    target: "40 µs",
    isReached: journalNs <= 40_000,
  };
}
