import assert from "node:assert/strict";
import { test } from "node:test";
import { defineTool, object } from "../../src/index.ts";
import { listDeadLetters } from "../../src/remote/fleet/inspect.ts";
import { HEAD, MESSAGE_ID, SIGNATURE } from "../../src/remote/fleet/wire.ts";
import { hasTool, openFleetEngine, outcomeOf, shareNats, startTestWorker } from "../support/fleet.ts";
import { untilTrue } from "../support/running.ts";

const scene = shareNats();

/** An unsafe tool that counts its runs. */
function countTool() {
  const runs: string[] = [];
  const tool = defineTool({
    name: "count",
    description: "Counts.",
    input: object({}),
    effects: "unsafe",
    risk: "low",
    run: (_input, { call }) => void runs.push(call.id),
  });
  return { tool, runs };
}

test("a call that was captured on the wire does not run in another namespace", async (tt) => {
  const { t, address } = await scene(tt);
  const { tool, runs } = countTool();
  const elsewhere = { ...address, namespace: `${address.namespace}-other` };
  await startTestWorker(t, address, { tools: [tool] });
  await startTestWorker(t, elsewhere, { tools: [tool] });
  const [on, other] = [await openFleetEngine(t, address), await openFleetEngine(t, elsewhere)];
  await hasTool(on, "count");
  const { nc, names, packages } = on.fleet.connection;
  const captured = new Promise<{ head: string; signature: string; data: Uint8Array }>((resolve) =>
    nc.subscribe(`${names.root}.call.>`, {
      callback: (_error, { headers, data }) =>
        resolve({ head: headers?.get(HEAD) ?? "", signature: headers?.get(SIGNATURE) ?? "", data }),
    }),
  );
  assert.equal(outcomeOf(await on.engine.run({ id: "1", name: "count", input: {} })), "ok");
  const { head, signature, data } = await captured;
  const headers = packages.transport.headers();
  headers.set(MESSAGE_ID, (JSON.parse(head) as { key: string }).key);
  headers.set(HEAD, head);
  headers.set(SIGNATURE, signature);
  const subject = other.fleet.connection.names.callSubject("default", "normal");
  await on.fleet.connection.publisher.publish(subject, data, { headers });
  await untilTrue("it is refused", async () => {
    const [letter] = await listDeadLetters(other.fleet, 10);
    return letter?.reason.includes("for another message") === true;
  });
  assert.deepEqual(runs, ["1"]);
});
