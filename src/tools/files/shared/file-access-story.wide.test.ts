import assert from "node:assert/strict";
import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { hands, type Hands } from "../../../../test/support/engines/file-hands.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { testSession } from "../../../../test/support/engines/tool-context.ts";
import { runs } from "../../../../test/support/property-runs.ts";

/** One step of a story about a single file. All contents have one length, so that sizes tell nothing. */
type Step =
  | { readonly do: "read" }
  | { readonly do: "theirs" | "write" | "edit"; readonly text: string; readonly hidesTime?: boolean };

const text = fc.constantFrom("aaaa", "bbbb", "cccc", "dddd");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("read" as const) }),
  fc.record({ do: fc.constant("theirs" as const), text, hidesTime: fc.boolean() }),
  fc.record({ do: fc.constantFrom("write" as const, "edit" as const), text }),
);

test("whatever happens in whichever order, a change that was not seen is never overwritten in silence", async (context) => {
  const root = temporaryFolder(context);
  const file = join(root, "a");
  let stories = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      stories += 1;
      const agent = hands(context, { root }, testSession(`story ${stories}`));
      writeFileSync(file, "aaaa");
      let known: string | undefined;
      for (const one of steps) {
        const now = readFileSync(file, "utf8");
        if (one.do === "read") {
          await agent.read("a");
          known = now;
        } else if (one.do === "theirs") {
          const { atime, mtime } = statSync(file);
          writeFileSync(file, one.text);
          if (one.hidesTime === true) utimesSync(file, atime, mtime);
        } else {
          known = await change(agent, one, now, known);
        }
      }
    }),
    { numRuns: runs(30) },
  );

  async function change(
    agent: Hands,
    one: Step & { text?: string },
    now: string,
    known?: string,
  ): Promise<string> {
    const next = one.text ?? "";
    const isUnseen = known !== undefined && known !== now;
    const [fact] = await agent.factsOfWrite("a");
    assert.equal(fact?.kind === "path" && fact.unread === true, known === undefined);
    const work = one.do === "write" ? agent.write("a", next) : agent.edit("a", now, `${next}!`);
    const outcome = await work.then(
      () => "done",
      () => "refused",
    );
    assert.equal(outcome, isUnseen ? "refused" : "done");
    const after = readFileSync(file, "utf8");
    if (isUnseen) assert.equal(after, now);
    // What was known stays known: the agent has to read the change first.
    return isUnseen ? (known ?? "") : after;
  }
});
