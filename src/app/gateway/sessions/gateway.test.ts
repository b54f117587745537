import type { Approvals, AskClient } from "../types/public-types.ts";
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { Reply } from "../../../core/content.ts";
import { defineTool } from "../../../schema/define/define-tool.ts";
import type { Policy } from "../../../core/policy.ts";
import type { EngineOptions } from "../../../engine/types/options.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { createMemoryArtifacts } from "../../../store/in-memory.ts";
import { aboutTools } from "../../../tools/about/family.ts";
import { createBuiltInGroups } from "../../host/sources/built-in-groups.ts";
import { codeOf, textOf } from "../../../../test/support/engines/engine.ts";
import { engineOf, say, slowSource } from "../../../../test/support/engines/sources.ts";
import type { ClientSession } from "./client-session.ts";
import type { ClientAnswer, ClientListener, ListName } from "../types/gateway-types.ts";
import { createApprovals } from "./approvals.ts";
import { createGateway, type Gateway, type GatewayOptions } from "./gateway.ts";

interface Opened {
  readonly engine: Engine;
  readonly gateway: Gateway;
  readonly approvals: Approvals;
}

function openGateway(
  t: TestContext,
  engineOptions: EngineOptions,
  options: Partial<GatewayOptions> = {},
): Opened {
  const approvals = createApprovals();
  const engine = engineOf(t, { approver: approvals.approver, ...engineOptions });
  const gateway = createGateway({ engine, approvals, ...options });
  t.after(() => gateway.close());
  return { engine, gateway, approvals };
}

const QUIET: ClientListener = { changed: () => undefined, log: () => undefined };

function run(
  session: ClientSession,
  name: string,
  input: object = {},
  ask?: AskClient,
): Promise<ClientAnswer> {
  const controller = new AbortController();
  return session.call({ name, input, controller, ...(ask !== undefined && { ask }) });
}

function namesOf(session: ClientSession): readonly unknown[] {
  return session.tools.list().map(({ name }) => name);
}

test("a list waits for sources that load, and not for one that hangs", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { engine, gateway } = openGateway(t, {});
  const [quick, hanging] = [slowSource("quick"), slowSource("hanging")];
  for (const source of [quick, hanging]) engine.sources.add(source);
  let isReady = false;
  const ready = gateway.ready().then(() => (isReady = true));
  quick.end([say("early")]);
  t.mock.timers.tick(2900);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isReady, false);
  t.mock.timers.tick(200);
  await ready;
  assert.deepEqual(namesOf(gateway.open([], QUIET)), ["early"]);
});

test("links are only for clients whose version has them", (t) => {
  const { face } = openGateway(t, {}).gateway.open([], QUIET);
  assert.equal(face("client", "2025-06-18").hasLinks, true);
  assert.equal(face("client", "2026-07-28").hasLinks, true);
  assert.equal(face("client", "2025-03-26").hasLinks, false);
  assert.equal(face("client", undefined).hasLinks, false);
});

test("many changes are one notification to every client", async (t) => {
  const { engine, gateway } = openGateway(t, {});
  const notified: ListName[][] = [[], []];
  const all = Promise.withResolvers<void>();
  for (const list of notified)
    gateway.open([], {
      log: () => undefined,
      changed(what) {
        list.push(what);
        if (notified.every(({ length }) => length > 0)) all.resolve();
      },
    });
  for (let index = 0; index < 1000; index += 1) engine.add(say(`tool_${index}`));
  const alive = setInterval(() => undefined, 1000);
  await all.promise;
  clearInterval(alive);
  assert.deepEqual(notified, [["tools"], ["tools"]]);
});

test("a client that activates tools is notified once, and no other client is", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (const toolLimit of [6, 100]) {
    const { engine, gateway } = openGateway(t, {}, { toolLimit: { tools: toolLimit } });
    createBuiltInGroups(engine.groups);
    engine.add([...aboutTools(), say("one"), say("two"), say("three")]);
    for (const name of ["notes", "plans"]) {
      engine.groups.create(name, { active: false });
      engine.add([say(`read_${name}`)], { group: name });
    }
    const notified: string[] = [];
    const listenerOf = (who: string): ClientListener => ({
      log: () => undefined,
      changed: (what) => notified.push(`${who}: ${what}`),
    });
    const [session] = [gateway.open([], listenerOf("one")), gateway.open([], listenerOf("two"))];
    t.mock.timers.tick(1000);
    assert.deepEqual(notified.splice(0), ["one: tools", "two: tools"], "what was added");
    const { result } = await run(session, "activate_tools", { groups: ["notes", "plans"] });
    assert.equal(codeOf(result), "ok");
    t.mock.timers.tick(1000);
    assert.deepEqual(notified, ["one: tools"], `limit ${toolLimit}`);
  }
});

test("of thousands of tools a client sees a few, and those of a group it activates", async (t) => {
  const many = Array.from({ length: 3000 }, (_, index) => say(`server__tool_${index}`));
  const { engine, gateway } = openGateway(t, { tools: many });
  createBuiltInGroups(engine.groups);
  engine.add(aboutTools());
  engine.groups.create("notes", { active: false });
  engine.add([say("write_note"), say("read_note")], { group: "notes" });
  const [session, other] = [gateway.open([], QUIET), gateway.open([], QUIET)];
  const builtIn = aboutTools().map(({ name }) => name);
  assert.deepEqual(namesOf(session), builtIn, "the built-in tools that are active stay");
  assert.equal(codeOf((await run(session, "server__tool_7")).result), "TOOL_DISABLED");
  const { result } = await run(session, "activate_tools", { groups: ["notes"], tools: ["server__tool_7"] });
  assert.equal(codeOf(result), "ok");
  const shown = [
    "search_tools",
    "activate_tools",
    "load_skill",
    "read_artifact",
    "server__tool_7",
    "write_note",
    "read_note",
  ];
  assert.deepEqual(new Set(namesOf(session)), new Set(shown));
  assert.equal(textOf((await run(session, "write_note")).result), "write_note");
  assert.equal(codeOf((await run(session, "server__tool_7")).result), "ok");
  assert.deepEqual(namesOf(other), builtIn, "the other client has activated nothing");
  assert.equal(codeOf((await run(other, "write_note")).result), "TOOL_DISABLED");
  const unknown = await run(session, "activate_tools", { tools: ["nothing"] });
  assert.equal(codeOf(unknown.result), "INVALID_INPUT");
  assert.deepEqual(new Set(namesOf(session)), new Set(shown), "a choice that cannot be changes nothing");
});

test("up to the limit a client sees every tool", (t) => {
  const tools = Array.from({ length: 96 }, (_, index) => say(`tool_${index}`));
  const { engine, gateway } = openGateway(t, { tools: [...aboutTools(), ...tools] });
  const session = gateway.open([], QUIET);
  assert.equal(namesOf(session).length, 100);
  engine.add(say("one_more"));
  assert.deepEqual(
    namesOf(session),
    aboutTools().map(({ name }) => name),
  );
});

test("an approval for always holds for every client, one for the session for one client", async (t) => {
  const asking: Policy = {
    judge: (_, { grants = [] } = {}) =>
      grants.some(({ rule }) => rule !== undefined)
        ? { kind: "allow", reason: "granted", rule: "grant" }
        : {
            kind: "ask",
            reason: "it asks",
            rule: "test",
            grant: { id: "say", tool: "say", verdict: "allow" } as never,
          },
  };
  for (const [scope, expected] of [
    ["once", [2, 1]],
    ["session", [1, 1]],
    ["always", [1, 0]],
  ] as const) {
    const { gateway } = openGateway(t, { tools: [say("say")], policy: asking });
    const counts = [0, 0];
    const sessions = [gateway.open([], QUIET), gateway.open([], QUIET)];
    const ask =
      (index: number): AskClient =>
      async () => {
        counts[index] = (counts[index] ?? 0) + 1;
        return { approved: true, scope };
      };
    for (const index of [0, 0, 1]) {
      const { result } = await run(sessions[index]!, "say", {}, ask(index));
      assert.equal(codeOf(result), "ok");
    }
    assert.deepEqual(counts, expected, scope);
  }
});

test("a client that leaves cancels its own calls and no others", async (t) => {
  const started = { one: Promise.withResolvers<void>(), two: Promise.withResolvers<void>() };
  const wait = defineTool({
    name: "wait",
    description: "Waits.",
    input: { type: "object", properties: { who: { type: "string" } } },
    run: ({ who }, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
        started[who as "one" | "two"].resolve();
      }),
  });
  const { gateway } = openGateway(t, { tools: [wait] });
  const [one, two] = [gateway.open([], QUIET), gateway.open([], QUIET)];
  const cancelling = new AbortController();
  const calls = [
    run(one, "wait", { who: "one" }),
    two.call({ name: "wait", input: { who: "two" }, controller: cancelling }),
  ];
  await Promise.all([started.one.promise, started.two.promise]);
  await one.close();
  assert.equal(codeOf((await calls[0]!).result), "CANCELLED");
  assert.equal(await Promise.race([calls[1]!.then(() => "ended"), Promise.resolve("runs")]), "runs");
  cancelling.abort();
  assert.equal(codeOf((await calls[1]!).result), "CANCELLED");
});

test("a text that was cut can be read in parts, each with the address of the next", async (t) => {
  const artifacts = createMemoryArtifacts({ maxBytes: 16 * 1024 * 1024 });
  const long = "0123456789".repeat(700_000);
  const { gateway } = openGateway(t, { tools: [say("say", long)], artifacts }, { artifacts });
  const session = gateway.open([], QUIET);
  const link = (await run(session, "say")).link();
  let [uri, read] = [link?.["uri"] as string, ""];
  while (uri !== "") {
    const { contents } = (await session.artifacts.read(uri)) as unknown as {
      readonly contents: readonly { readonly text: string; readonly _meta: { readonly next?: string } }[];
    };
    read += contents[0]?.text ?? "";
    uri = contents[0]?._meta.next ?? "";
  }
  assert.equal(read.length > 4 * 1024 * 1024, true);
  assert.ok(long.startsWith(read.slice(0, 4_000_000)));
  for (const odd of [
    "artifact://",
    "artifact://a/b",
    "artifact://%zz",
    "file:///etc/passwd",
    "artifact://x?start=-1",
  ])
    assert.equal(await session.artifacts.read(odd), undefined, odd);
});

test("however many answers are cut, the client is notified soon and once that there is more to list", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const artifacts = createMemoryArtifacts();
  const { gateway } = openGateway(
    t,
    { tools: [say("say", "x".repeat(1_000_000))], artifacts },
    { artifacts },
  );
  t.mock.timers.tick(1000);
  const notified: ListName[] = [];
  const session = gateway.open([], { log: () => undefined, changed: (what) => notified.push(what) });
  for (let count = 0; count < 5; count += 1) assert.notEqual((await run(session, "say")).link(), undefined);
  t.mock.timers.tick(1000);
  assert.deepEqual(notified, ["resources"]);
});

test("a source that fails is logged to every client", async (t) => {
  const { engine, gateway } = openGateway(t, {});
  const logged = Promise.withResolvers<string>();
  gateway.open([], {
    changed: () => undefined,
    log: (level, message) => logged.resolve(`${level}: ${message as string}`),
  });
  const source = slowSource("tools");
  engine.sources.add(source);
  source.end(new Error("it burns"));
  assert.match(await logged.promise, /^warning: tools: .*it burns/);
});

test("content of every kind is passed on", async (t) => {
  const { gateway } = openGateway(t, {
    tools: [
      say("picture", undefined, {
        run: () => new Reply([{ type: "image", data: "aGk=", mimeType: "image/png" }]),
      }),
    ],
  });
  const { result } = await run(gateway.open([], QUIET), "picture");
  assert.deepEqual(result.content, [{ type: "image", data: "aGk=", mimeType: "image/png" }]);
});
