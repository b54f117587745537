import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, until } from "./support/cli.ts";
import { connectHttp, connectMcp, serveMcp, textOf, type Connected } from "./support/mcp-client.ts";

function withParameters(address: URL, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

async function namesOf({ client }: Connected): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

test("a name of --tools that matches no tool is a warning, with the nearest name", async (t) => {
  const limited = await connectMcp(t, createPlace(t), {
    args: ["--tools", "nope*,raed_file,grep,s__prompt"],
  });
  assert.deepEqual(await namesOf(limited), ["grep"]);
  await until("the warnings are printed", () => limited.told().includes("raed_file"));
  assert.match(limited.told(), /warning: --tools: no tool matches "nope\*"/);
  assert.match(limited.told(), /no tool matches "raed_file": did you mean read_file/);
  assert.doesNotMatch(limited.told(), /"grep"|s__prompt/);
});

for (const isModern of [false, true])
  test(`two clients ${isModern ? "without" : "with"} a handshake have their own ceilings, and neither gets more than the gateway allows`, async (t) => {
    const place = createPlace(t);
    const { address } = await serveMcp(t, place, ["--tools", "read_file,shell,think,grep"]);
    const asked: string[] = [];
    const elicit = (who: string, action: "accept" | "decline") => () => {
      asked.push(who);
      return { action, content: { answer: "once" } } as const;
    };
    const bound = await connectHttp(t, withParameters(address, { mode: "plan", tools: "read_*,shell" }), {
      elicit: elicit("bound", "accept"),
      isModern,
    });
    const greedy = await connectHttp(t, withParameters(address, { mode: "yolo", tools: "*" }), {
      elicit: elicit("greedy", "decline"),
      isModern,
    });
    const plain = await connectHttp(t, address, { elicit: elicit("plain", "accept"), isModern });

    assert.deepEqual((await namesOf(bound)).toSorted(), ["read_file", "shell"]);
    assert.deepEqual((await namesOf(greedy)).toSorted(), ["grep", "read_file", "shell", "think"]);

    const touch = ({ client }: Connected, file: string): ReturnType<typeof client.callTool> =>
      client.callTool({ name: "shell", arguments: { command: `touch ${file}` } });
    const isMade = (file: string): boolean => existsSync(join(place.folder, file));

    const refused = await touch(bound, "by-bound");
    assert.equal(refused.isError, true);
    assert.match(textOf(refused), /plan/);
    assert.deepEqual([isMade("by-bound"), asked], [false, []], "in plan mode nobody is even asked");

    assert.equal((await touch(greedy, "by-greedy")).isError, true);
    assert.deepEqual(
      [isMade("by-greedy"), asked],
      [false, ["greedy"]],
      "yolo in the address is not more than auto",
    );

    assert.notEqual((await touch(plain, "by-plain")).isError, true);
    assert.deepEqual(
      [isMade("by-plain"), asked],
      [true, ["greedy", "plain"]],
      "the others' ceilings are not its own",
    );

    for (const one of [bound, greedy, plain]) {
      const written = await one.client
        .callTool({ name: "write_file", arguments: { path: "written", content: "x" } })
        .catch(() => ({ isError: true }));
      assert.equal(written.isError, true);
    }
    assert.equal(isMade("written"), false, "a tool that the gateway does not offer is nobody's");
    assert.equal(
      (
        await bound.client
          .callTool({ name: "think", arguments: { thought: "x" } })
          .catch(() => ({ isError: true }))
      ).isError,
      true,
    );
    assert.notEqual(
      (await greedy.client.callTool({ name: "think", arguments: { thought: "x" } })).isError,
      true,
    );
  });

test("a client begins with the default set, and activates a tool that search_tools finds", async (t) => {
  const { address } = await serveMcp(t, createPlace(t), ["--mode", "yolo"]);
  const connected = await connectHttp(t, address, { elicit: () => ({ action: "decline" }) });
  const { client } = connected;
  const first = await namesOf(connected);
  assert.ok(first.includes("edit_file") && !first.includes("str_replace_editor"), first.join(" "));
  assert.ok(first.length <= 18, first.join(" "));
  const think = (): ReturnType<typeof client.callTool> =>
    client.callTool({ name: "think", arguments: { thought: "x" } });
  assert.match(textOf(await think()), /not active/);
  assert.match(
    textOf(await client.callTool({ name: "search_tools", arguments: { query: "think" } })),
    /think \[not active/,
  );
  await client.callTool({ name: "activate_tools", arguments: { tools: ["think", "read_file"] } });
  assert.equal(textOf(await think()), "Noted.");
});
