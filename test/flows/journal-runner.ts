// A process that runs calls of every kind of effects, one after the other, until it is killed. A tool with effects records
// it in the file named by the second argument; each call that was answered is named on standard output.
import { appendFileSync, writeSync } from "node:fs";
import { defineTool } from "../../src/schema/define/define-tool.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { openStore } from "../../src/store/open-store.ts";

const [folder = "", world = ""] = process.argv.slice(2);
const { journal } = await openStore({ folder });
const KINDS = ["none", "own-state", "idempotent", "unsafe"] as const;
const tools = KINDS.map((effects) =>
  defineTool({
    name: effects,
    description: "",
    risk: "low",
    effects,
    run: (_input, { call }) => {
      if (effects === "idempotent" || effects === "unsafe") appendFileSync(world, `${call.id}\n`);
      return new Promise((resolve) => setImmediate(resolve, "done"));
    },
  }),
);
const engine = createEngine({ tools, journal });
for (let round = 0; ; round += 1)
  await Promise.all(
    KINDS.map(async (name) => {
      const { callId } = await engine.run({ id: `${name}/${round}`, name, input: {} });
      writeSync(1, `${callId}\n`);
    }),
  );
