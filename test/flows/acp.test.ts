import assert from "node:assert/strict";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { RequestError } from "@agentclientprotocol/sdk";
import { call, openEditor, saidTo, text } from "./support/acp.ts";
import { createReplPlace, type Script } from "./support/repl.ts";

const WRITE = call("write_file", { path: "b.txt", content: "new\n" });
const STORY: Script = [
  {
    reasoning: "First I look.",
    text: "I read and write.",
    calls: [
      call("read_file", { path: "a.txt" }),
      WRITE,
      call("todo_write", { todos: [{ content: "write it", status: "in_progress" }] }),
    ],
  },
  { calls: [WRITE, call("shell", { command: "touch c.txt" })] },
  { text: "Done." },
  { text: "I wait.", calls: [call("shell", { command: "sleep 600; touch never.txt" })] },
];

test("an editor drives a session: two calls, one approved for the session, one denied, a cancel, and the session loaded again", async (t) => {
  const place = createReplPlace(t, STORY);
  place.write("a.txt", "old\n");
  const isSleep = (title: string | null | undefined): boolean => /^(?:Run )?sleep/.test(title ?? "");
  const editor = await openEditor(t, place, {
    answer: ({ toolCall: { title } }) => {
      if (isSleep(title)) return "once";
      return title?.startsWith("Create b.txt") === true ? "session" : "no";
    },
  });
  const { agent, updates, permissions, until } = editor;
  const cwd = realpathSync(place.folder);
  const { sessionId, modes } = await agent.request("session/new", { cwd, mcpServers: [] });
  assert.equal(modes?.currentModeId, "auto");
  const { availableCommands } = await until("available_commands_update");
  const names = availableCommands.map(({ name }) => name);
  assert.ok(names.includes("context") && names.includes("undo") && !names.includes("quit"), names.join(" "));

  const { stopReason } = await agent.request("session/prompt", { sessionId, prompt: text("go") });
  assert.equal(stopReason, "end_turn");
  assert.equal(saidTo(editor), "I read and write.Done.");
  assert.ok(updates.some(({ sessionUpdate }) => sessionUpdate === "agent_thought_chunk"));
  const shown = updates.flatMap((one) => (one.sessionUpdate === "tool_call" ? [one] : []));
  assert.deepEqual(
    shown.map(({ title, kind }) => [title, kind]),
    [
      ["read_file a.txt", "read"],
      ["write_file b.txt", "edit"],
      ["todo_write", "think"],
      ["write_file b.txt", "edit"],
      ["touch c.txt", "execute"],
    ].map(([title, kind]) => [shown.find((one) => one.title.startsWith(title ?? ""))?.title, kind]),
  );
  assert.equal(new Set(shown.map(({ toolCallId }) => toolCallId)).size, 5);
  // The second write is covered by the approval of the first.
  assert.deepEqual(
    permissions.map(({ toolCall, options }) => [
      toolCall.toolCallId,
      options.map(({ kind }) => kind).slice(0, 2),
    ]),
    [
      [shown[1]?.toolCallId, ["allow_once", "allow_always"]],
      [shown[4]?.toolCallId, ["allow_once", "allow_always"]],
    ],
  );
  const path = join(cwd, "b.txt");
  assert.deepEqual(permissions[0]?.toolCall.content?.[0], { type: "diff", path, newText: "new\n" });
  const last = updates.findLast(
    (one) => one.sessionUpdate === "tool_call_update" && one.toolCallId === shown[1]?.toolCallId,
  );
  assert.deepEqual(last, {
    sessionUpdate: "tool_call_update",
    toolCallId: shown[1]?.toolCallId,
    status: "completed",
    content: [{ type: "diff", path, newText: "new\n" }],
  });
  const located = updates.find(
    (one) => one.sessionUpdate === "tool_call_update" && one.locations?.length === 1,
  );
  assert.ok(located?.sessionUpdate === "tool_call_update");
  assert.deepEqual(located.locations, [{ path: join(cwd, "a.txt"), line: 1 }]);
  const plan = await until("plan");
  assert.deepEqual(plan.entries, [{ content: "write it", status: "in_progress", priority: "medium" }]);
  assert.equal(readFileSync(path, "utf8"), "new\n");
  assert.ok(!existsSync(join(cwd, "c.txt")));

  const waiting = agent.request("session/prompt", { sessionId, prompt: text("wait") });
  await until("tool_call_update", ({ toolCallId, status }) => {
    const slept = updates.find((one) => one.sessionUpdate === "tool_call" && isSleep(one.title));
    return (
      slept?.sessionUpdate === "tool_call" && slept.toolCallId === toolCallId && status === "in_progress"
    );
  });
  await agent.notify("session/cancel", { sessionId });
  assert.equal((await waiting).stopReason, "cancelled");

  const { sessions } = await agent.request("session/list", { cwd });
  assert.deepEqual(
    sessions.map(({ sessionId: id, title, cwd: folder }) => [id, title, folder]),
    [[sessionId, "go", cwd]],
  );
  const before = updates.length;
  await agent.request("session/load", { sessionId, cwd, mcpServers: [] });
  const replayed = updates.slice(before);
  const said = replayed.flatMap((one) =>
    one.sessionUpdate.endsWith("message_chunk") && "content" in one ? [one.content] : [],
  );
  assert.deepEqual(said.slice(0, 2), [...text("go"), ...text("I read and write.")]);
  const replayedCalls = replayed.flatMap((one) => (one.sessionUpdate === "tool_call" ? [one.title] : []));
  assert.deepEqual(
    replayedCalls.slice(0, 5),
    shown.map(({ title }) => title),
  );
  const resumed = updates.length;
  assert.equal((await agent.request("session/resume", { sessionId, cwd })).modes?.currentModeId, "auto");
  assert.ok(!updates.slice(resumed).some(({ sessionUpdate }) => sessionUpdate.endsWith("message_chunk")));
  assert.equal(await editor.leave(), 0);
});

test("an approval for always holds in the next session, an edit that cannot work is not asked about, and a diff has the old text", async (t) => {
  const edit = call("edit_file", { path: "a.txt", old_string: "one", new_string: "two" });
  const place = createReplPlace(t, [
    { calls: [call("edit_file", { path: "a.txt", old_string: "none", new_string: "two" })] },
    { calls: [edit] },
    { text: "Done." },
  ]);
  const editor = await openEditor(t, place, { answer: () => "always" });
  const { agent, permissions, updates } = editor;
  const path = join(realpathSync(place.folder), "a.txt");
  for (const _ of ["asked", "granted"]) {
    place.write("a.txt", "one\n");
    const before = updates.length;
    const { sessionId } = await agent.request("session/new", { cwd: place.folder, mcpServers: [] });
    await agent.request("session/prompt", { sessionId, prompt: text("go") });
    const contents = updates
      .slice(before)
      .flatMap((one) => (one.sessionUpdate === "tool_call_update" ? (one.content ?? []) : []));
    assert.deepEqual(
      contents.findLast(({ type }) => type === "diff"),
      { type: "diff", path, oldText: "one\n", newText: "two\n" },
    );
  }
  assert.deepEqual(
    permissions.map(({ options }) => options.map(({ optionId }) => optionId).slice(0, 3)),
    [["once", "session", "always"]],
  );
});

test("slash commands and modes work, and what is wrong is answered with an error", async (t) => {
  const place = createReplPlace(t, [{ error: { code: "MODEL_FAILED", message: "the model is out" } }]);
  const editor = await openEditor(t, place);
  const { agent } = editor;
  const { sessionId } = await agent.request("session/new", { cwd: place.folder, mcpServers: [] });
  const prompt = (content: string) => agent.request("session/prompt", { sessionId, prompt: text(content) });
  await prompt("/mode plan");
  assert.equal((await editor.until("current_mode_update")).currentModeId, "plan");
  await agent.request("session/set_mode", { sessionId, modeId: "ask" });
  await prompt("/mode");
  await prompt("/nope");
  assert.match(saidTo(editor), /mode plan\n[^]*^\* mode ask [^]*\nunknown command \/nope/m);
  const failing: readonly (readonly [Promise<unknown>, RegExp])[] = [
    [prompt("hello"), /the model is out/],
    [agent.request("session/set_mode", { sessionId, modeId: "fast" }), /unknown mode fast/],
    [agent.request("session/prompt", { sessionId: "gone", prompt: text("hi") }), /gone/],
    [
      agent.request("session/new", { cwd: join(place.folder, "none"), mcpServers: [] }),
      /the folder .*none does not exist/,
    ],
    [
      agent.request("session/load", { sessionId: "none", cwd: place.folder, mcpServers: [] }),
      /no stored session/,
    ],
  ];
  for (const [answer, message] of failing)
    await assert.rejects(answer, (error: RequestError) => {
      assert.match(`${error.message} ${JSON.stringify(error.data ?? "")}`, message);
      return true;
    });
  await agent.request("session/close", { sessionId });
  await agent.request("session/delete", { sessionId });
  assert.deepEqual((await agent.request("session/list", {})).sessions, []);
});
