import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, longCommand, processesWith, runCli, until, withoutProc } from "./support/cli.ts";
import { connectMcp, textOf } from "./support/mcp-client.ts";

const YES = () => ({ action: "accept" as const, content: { answer: "once" } });

for (const isModern of [false, true]) {
  const revision = isModern ? "the newest revision" : "a handshake";

  test(`over ${revision} a call runs only after the user of the client approves it`, async (t) => {
    const place = createPlace(t);
    const answers = ["no", "once", "once"];
    const asked: string[] = [];
    const { client } = await connectMcp(t, place, {
      isModern,
      elicit({ message }) {
        asked.push(message);
        return { action: "accept", content: { answer: answers.shift() ?? "no" } };
      },
    });
    const call = (): ReturnType<typeof client.callTool> =>
      client.callTool({ name: "shell", arguments: { command: "echo said >> made" } });
    const refused = await call();
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), /The user declined this call\. Nothing was run\./);
    assert.equal(existsSync(join(place.folder, "made")), false);
    const done = await call();
    assert.equal(done.isError, undefined);
    assert.equal(textOf(done), "[no output]");
    assert.equal(readFileSync(join(place.folder, "made"), "utf8"), "said\n");
    await call();
    assert.equal(asked.length, 3, "once is once");
    assert.match(asked[0] ?? "", /^Run echo said >> made \(shell, high risk\)/);
  });

  test(`over ${revision} approval for the session is requested once, and does not hold for another client`, async (t) => {
    const place = createPlace(t);
    let asked = 0;
    const elicit = (): { action: "accept"; content: { answer: string } } => {
      asked += 1;
      return { action: "accept", content: { answer: "session" } };
    };
    const { client } = await connectMcp(t, place, { isModern, elicit });
    const call = { name: "shell", arguments: { command: "touch said" } };
    assert.match(textOf(await client.callTool(call)), /no output/);
    assert.match(textOf(await client.callTool(call)), /no output/);
    assert.equal(asked, 1);
    const other = await connectMcp(t, place, { isModern, elicit: () => ({ action: "decline" }) });
    assert.equal((await other.client.callTool(call)).isError, true);
  });

  test(`over ${revision} a client that declines, or dismisses with no other approver, denies the call`, async (t) => {
    const place = createPlace(t);
    for (const action of ["decline", "cancel"] as const) {
      const args = action === "cancel" ? ["--store", ":memory:"] : [];
      const { client } = await connectMcp(t, place, { isModern, args, elicit: () => ({ action }) });
      const result = await client.callTool({ name: "shell", arguments: { command: "touch made" } });
      assert.equal(result.isError, true);
      assert.equal(existsSync(join(place.folder, "made")), false);
    }
  });

  test(`over ${revision} a client that dismisses leaves the call to the queue, and a timeout names its id`, async (t) => {
    const place = createPlace(t);
    const dismiss = { isModern, elicit: () => ({ action: "cancel" as const }) };
    const { client, told } = await connectMcp(t, place, dismiss);
    const call = { name: "shell", arguments: { command: "touch made" } };
    const answered = client.callTool(call);
    const idOf = (text: string): string | undefined => /toolwright approve (\S+)/.exec(text)?.[1];
    await until("the id is printed", () => idOf(told()) !== undefined);
    assert.equal((await runCli(place, ["approve", idOf(told()) ?? ""])).code, 0);
    assert.equal((await answered).isError, undefined);
    assert.equal(existsSync(join(place.folder, "made")), true);
    const environment = { TOOLWRIGHT_APPROVAL_TIMEOUT: "0.5" };
    const hasty = await connectMcp(t, place, { ...dismiss, environment });
    const late = await hasty.client.callTool(call);
    assert.equal(late.isError, true);
    assert.equal(idOf(textOf(late)), idOf(hasty.told()));
  });

  test(`over ${revision} progress arrives while the call runs`, async (t) => {
    const { client } = await connectMcp(t, createPlace(t), { isModern, elicit: YES });
    const told: { progress: number; message?: string | undefined }[] = [];
    const command = "echo first; sleep 0.3; echo second";
    await client.callTool({ name: "shell", arguments: { command } }, { onprogress: (one) => told.push(one) });
    const words = told
      .map(({ message }) => message)
      .filter((message) => /^(?:first|second)$/.test(message ?? ""));
    assert.deepEqual(words, ["first", "second"]);
  });

  test(`over ${revision} a cancel ends the running process`, { skip: withoutProc }, async (t) => {
    const { client } = await connectMcp(t, createPlace(t), { isModern, elicit: YES, args: ["--tools", "*"] });
    const { command, mark } = longCommand();
    const cancelling = new AbortController();
    const call = client.callTool({ name: "shell", arguments: { command } }, { signal: cancelling.signal });
    await until("it runs", () => processesWith(mark).length > 0);
    cancelling.abort();
    await assert.rejects(call);
    await until("it is gone", () => processesWith(mark).length === 0);
    assert.equal(
      textOf(await client.callTool({ name: "think", arguments: { thought: "still there" } })),
      "Noted.",
    );
  });

  test(`over ${revision} the full text of a truncated answer is a resource`, async (t) => {
    const { client } = await connectMcp(t, createPlace(t), { isModern, elicit: YES });
    const result = await client.callTool({ name: "shell", arguments: { command: "seq 1 20000" } });
    const link = (result.content as readonly { readonly type: string; readonly uri?: string }[]).at(-1);
    assert.equal(link?.type, "resource_link");
    const { resources } = await client.listResources();
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      [link.uri],
    );
    const { contents } = await client.readResource({ uri: link.uri ?? "" });
    const whole = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join("");
    assert.equal((contents[0] as { readonly text: string }).text, whole);
    await assert.rejects(client.readResource({ uri: "artifact://unknown" }), { code: -32_602 });
  });
}

for (const [which, elicit] of [
  ["without elicitation", undefined],
  ["whose approvals come to the queue only", () => ({ action: "decline" }) as const],
] as const)
  test(`for a client ${which} the request waits in the approval queue`, async (t) => {
    const place = createPlace(t);
    if (elicit !== undefined)
      writeFileSync(
        join(place.home, "config.json"),
        JSON.stringify({ mcpClients: { "te*": { approvals: "queue" } } }),
      );
    const { client, told, heard } = await connectMcp(t, place, elicit === undefined ? {} : { elicit });
    const call = client.callTool({ name: "shell", arguments: { command: "touch made" } });
    await until("it is told", () => told().includes("shell waits for approval"));
    await until("the client is told", () => JSON.stringify(heard).includes("run toolwright approve"));
    const { stdout } = await runCli(place, ["approve", "--json"]);
    const [waiting] = JSON.parse(stdout) as readonly { readonly id: string }[];
    await runCli(place, ["approve", waiting?.id ?? ""]);
    assert.equal((await call).isError, undefined);
    assert.equal(existsSync(join(place.folder, "made")), true);
  });

test("if both can answer the first answer counts, and the request to the client is cancelled", async (t) => {
  const place = createPlace(t);
  let isAsked = false;
  const { client } = await connectMcp(t, place, {
    elicit: () => {
      isAsked = true;
      return new Promise(() => undefined);
    },
  });
  const call = client.callTool({ name: "shell", arguments: { command: "touch made" } });
  await until("the client is asked", () => isAsked);
  const { stdout } = await runCli(place, ["approve", "--json"]);
  const [waiting] = JSON.parse(stdout) as readonly { readonly id: string }[];
  await runCli(place, ["approve", waiting?.id ?? ""]);
  assert.equal((await call).isError, undefined);
  assert.equal(existsSync(join(place.folder, "made")), true);
});

test("without any approver the call is denied at once, with a hint", async (t) => {
  const { client } = await connectMcp(t, createPlace(t), { args: ["--store", ":memory:"] });
  const result = await client.callTool({ name: "shell", arguments: { command: "touch made" } });
  assert.equal(result.isError, true);
  assert.match(textOf(result), /cannot ask for approval[\s\S]*--mode/);
});
