import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openTestRepl, told, type TestRepl } from "../../../test/support/programs/repl.ts";
import { startWebServer } from "../../../test/support/servers/web-server.ts";
import { editText } from "./input/edit-text.ts";
import { farewell } from "./state/describe-spent.ts";

const YES = { text: "Yes.", repeat: true };
const ESC = "\u{1b}";

const write = (path: string, content: string) => ({ name: "write_file", input: { path, content } });
const edit = (old_string: string, new_string: string) => ({
  name: "edit_file",
  input: { path: "sum.ts", old_string, new_string },
});

function says(repl: TestRepl, line: string): Promise<unknown> {
  return repl.until(line, (state) => told(state).includes(line) && state.agentState !== "executing_tools");
}

/** Waits until the agent has answered, and is ready for the next message. */
async function ask(repl: TestRepl, text: string, answer = "Yes."): Promise<void> {
  const isDone = (state: ReturnType<TestRepl["store"]["get"]>): boolean =>
    told(state).filter((line) => line === `markdown: ${answer}`).length > before &&
    ["idle", "done"].includes(state.agentState) &&
    state.waiting.length === 0;
  const before = told(repl.store.get()).filter((line) => line === `markdown: ${answer}`).length;
  repl.send(text);
  await repl.until(`the answer to ${text}`, isDone);
}

test("Esc Esc puts the last message into the prompt, in a conversation without it", async (t) => {
  const repl = openTestRepl(t, [{ text: "One." }, { text: "Two." }, YES]);
  await ask(repl, "first", "One.");
  await ask(repl, "second", "Two.");
  repl.press("\u{c}");
  const { id } = repl.store.get().info ?? {};
  repl.press(ESC);
  assert.equal(repl.store.get().hint, "Esc again edits the last message");
  repl.press(ESC);
  const state = await repl.until("another conversation", ({ info }) => info?.id !== id);
  await repl.until("the message", () => repl.prompt.getText() === "second");
  assert.deepEqual(told(state).slice(0, 2), ["prompt: first", "markdown: One."]);
  assert.ok(!told(state).includes("markdown: Two."));
  repl.press("\r");
  await says(repl, "markdown: Yes.");
});

test("Esc Esc that arrive together edit the first message too, and the old conversation is stored", async (t) => {
  const repl = openTestRepl(t, [YES]);
  await ask(repl, "only");
  const { id = "" } = repl.store.get().info ?? {};
  repl.press(ESC + ESC);
  await repl.until("another conversation", ({ info }) => info?.id !== id);
  await repl.until("the message", () => repl.prompt.getText() === "only");
  repl.press("\u{15}");
  assert.match(await repl.command("/sessions"), new RegExp(`^${id} .*only`, "m"));
});

test("a message that cannot be edited says why, and a single Esc changes nothing", async (t) => {
  const repl = openTestRepl(t, [YES]);
  await repl.until("it is ready", ({ agentState }) => agentState === "idle");
  repl.press(ESC);
  assert.equal(repl.store.get().hint, undefined);
  repl.press(ESC + ESC);
  const state = await repl.until("the reason", ({ blocks }) => blocks.at(-1)?.kind === "notice");
  assert.equal(told(state).at(-1), "notice: the message cannot be edited: there is no message to edit yet");
});

test("/undo takes back changes of calls one after the other, /diff shows what is left", async (t) => {
  const calls = [{ name: "read_file", input: { path: "sum.ts" } }];
  const script = [{ calls }, { calls: [edit("a - b", "a + b")] }, { calls: [write("new.txt", "x\n")] }];
  const repl = openTestRepl(t, [...script, YES], { mode: "yolo" });
  const [sum, made] = [join(repl.folder, "sum.ts"), join(repl.folder, "new.txt")];
  writeFileSync(sum, "a - b\n");
  assert.match(await repl.command("/undo"), /no call of this chat has changed a file/);
  await ask(repl, "go");
  const changes = repl.store.get().blocks.flatMap((one) => (one.kind === "call" && one.change) || []);
  assert.match(changes.join(""), /\n-a - b\n\+a \+ b\n--- \/dev\/null\n\+\+\+ b\/new\.txt\n@@ .*\n\+x\n$/);
  const diff = await repl.command("/diff");
  assert.match(diff, /--- a\/sum\.ts\n\+\+\+ b\/sum\.ts\n@@ .*\n-a - b\n\+a \+ b\n/);
  assert.match(diff, /--- \/dev\/null\n\+\+\+ b\/new\.txt/);
  assert.equal(await repl.command("/undo"), "undid write_file: new.txt\n");
  assert.ok(!existsSync(made));
  assert.equal(await repl.command("/undo"), "undid edit_file: sum.ts\n");
  assert.equal(readFileSync(sum, "utf8"), "a - b\n");
  assert.match(await repl.command("/undo"), /no call of this chat/);
});

test("/undo never overwrites a change of the person, and checks again when it is repeated", async (t) => {
  const repl = openTestRepl(t, [{ calls: [write("note.txt", "from the call\n")] }, YES], { mode: "yolo" });
  const file = join(repl.folder, "note.txt");
  await ask(repl, "go");
  writeFileSync(file, "from the call, and mine\n");
  for (let time = 0; time < 2; time += 1) {
    assert.match(await repl.command("/undo"), /note\.txt was changed after the call; nothing was undone/);
    assert.equal(readFileSync(file, "utf8"), "from the call, and mine\n");
  }
  rmSync(file);
  assert.match(await repl.command("/undo"), /was changed after the call/);
  writeFileSync(file, "from the call\n");
  assert.equal(await repl.command("/undo"), "undid write_file: note.txt\n");
  assert.ok(!existsSync(file));
});

test("/model lists the models that can be used, chooses one by a part of its name and remembers it", async (t) => {
  const { origin } = await startWebServer(t, (request, response) => {
    const models = [{ name: "qwen3:8b" }, { name: "llama3:8b" }];
    response.statusCode = request.url === "/api/tags" ? 200 : 404;
    response.end(JSON.stringify({ models }));
  });
  const nowhere = {
    LMSTUDIO_BASE_URL: `${origin}/x`,
    LLAMACPP_BASE_URL: `${origin}/x`,
    VLLM_BASE_URL: `${origin}/x`,
  };
  const repl = openTestRepl(t, [YES], {}, { OLLAMA_HOST: origin, ...nowhere });
  assert.match(
    await repl.command("/model"),
    /^model scripted[^]*\nollama\/qwen3:8b +http:[^]*chooses one\n$/,
  );
  assert.match(await repl.command("/model 8b"), /ollama\/qwen3:8b[^]*ollama\/llama3:8b/);
  assert.match(await repl.command("/model nope"), /no model that can be used has "nope" in its name/);
  assert.match(await repl.command("/model qwen"), /^model ollama\/qwen3:8b, saved in .*config\.json\n$/);
  assert.equal(repl.store.get().info?.model, "ollama/qwen3:8b");
  const config = readFileSync(join(repl.home, ".toolwright", "config.json"), "utf8");
  assert.equal((JSON.parse(config) as { model: string }).model, "ollama/qwen3:8b");
});

test("without a model the REPL names what can be used, and /tour shows a call, an approval and a denial", async (t) => {
  const { origin } = await startWebServer(t, (_, response) =>
    response.end('{"models": [{"name": "qwen3"}]}'),
  );
  const repl = openTestRepl(t, [YES], { model: "" }, { OLLAMA_HOST: origin });
  await repl.until("the offer", (state) =>
    told(state).some((line) => line.includes("you can use ollama/qwen3")),
  );
  assert.ok(told(repl.store.get()).some((line) => line.includes("/tour shows Toolwright without one")));
  repl.send("/tour");
  await repl.until("the question", ({ isArmed }) => isArmed);
  assert.equal(repl.store.get().approvals[0]?.request.tool, "write_file");
  repl.press("y");
  const state = await repl.until(
    "the end",
    (one) =>
      one.command === undefined && one.calls.length === 0 && told(one).at(-1)?.includes("/model") === true,
  );
  const lines = told(state);
  assert.ok(
    lines.includes("ok: ls .") && lines.includes("ok: write_file toolwright-tour.txt"),
    lines.join("\n"),
  );
  assert.ok(lines.includes("failed: shell cryptsetup luksFormat /dev/toolwright-tour"), lines.join("\n"));
  assert.equal(state.info?.model, "no model");
  assert.equal(await repl.command("/undo"), "undid write_file: toolwright-tour.txt\n");
});

test("/clear starts a new conversation on an empty screen", async (t) => {
  const repl = openTestRepl(t, [YES]);
  await ask(repl, "hello");
  const { id } = repl.store.get().info ?? {};
  repl.send("/clear");
  const state = await repl.until(
    "another conversation",
    ({ info, blocks }) => info?.id !== id && blocks.length === 0,
  );
  assert.equal(state.screen, 1);
  assert.match(await repl.command("/sessions"), /hello/);
});

test("/cost, /context, /status, /mcp, /tools and /permissions report on the session", async (t) => {
  const repl = openTestRepl(t, [YES]);
  await ask(repl, "hello");
  assert.match(
    await repl.command("/cost"),
    /^1 turn, \S+ tokens, 0 calls, \d+ s of work\nthe price of scripted/,
  );
  assert.match(
    await repl.command("/context"),
    /^about 128\.0k tokens fit; the provider counted \S+ for the last request\nsystem prompt +\S+ tokens +\d+ %\n {2}instructions [^]*\n {2}environment [^]*\ntools [^]*\n {2}files \(7\) [^]*\nmessages [^]*\n {2}your messages \(1\) +\d+ tokens[^]*\nfree [^]*are estimates/,
  );
  assert.match(
    await repl.command("/status"),
    /^conversation +chat-[^]*\nmode +auto\nlevel +ask\n[^]*\nbackground processes +0\nspent +1 turn/,
  );
  assert.match(await repl.command("/mcp"), /^no MCP servers/);
  assert.equal(await repl.command("/tools"), await repl.command("/tool"));
  assert.match(await repl.command("/permissions"), /^no rules and no approvals of your own\n/);
  assert.match(await repl.command("/help"), /^\/exit, \/quit +leave$[^]*^\/tool, \/tools \[NAME\] /m);
  assert.match(
    farewell(repl.store.get()),
    /^1 turn, \S+ tokens\ntoolwright chat --resume chat-\w+ continues/,
  );
});

test("the number of background processes falls when one ends by itself", async (t) => {
  const shell = {
    name: "shell",
    input: { command: "while [ ! -e stop ]; do sleep 0.05; done", background: true },
  };
  const repl = openTestRepl(t, [{ calls: [shell] }, YES], { mode: "yolo" });
  await ask(repl, "go");
  const running = await repl.until("one runs", ({ info }) => info?.background === 1);
  assert.match(farewell(running), /^ended 1 background process\n1 turn|^ended 1 background process\n2 turns/);
  writeFileSync(join(repl.folder, "stop"), "");
  await repl.until("it ended", ({ info }) => info?.background === 0);
});

test("/init asks the agent for AGENTS.md", async (t) => {
  const repl = openTestRepl(t, [{ ...YES, when: "AGENTS.md" }]);
  repl.send("/init");
  await says(repl, "markdown: Yes.");
});

test("/reasoning shows what the model thinks as a block", async (t) => {
  const repl = openTestRepl(t, [{ text: "Yes.", reasoning: "It asks.", repeat: true }]);
  await ask(repl, "one");
  assert.ok(!told(repl.store.get()).some((line) => line.startsWith("thought")));
  assert.equal(await repl.command("/reasoning on"), "reasoning is shown\n");
  await ask(repl, "two");
  assert.ok(told(repl.store.get()).includes("thought: It asks."));
  assert.equal(await repl.command("/reasoning"), "reasoning is hidden\n");
});

test("the calls of a sub-agent carry its name", async (t) => {
  const script = [
    { calls: [{ name: "subagent", input: { task: "count the files" } }] },
    { calls: [{ name: "ls", input: { path: "." } }] },
    YES,
  ];
  const repl = openTestRepl(t, script, { mode: "yolo" });
  await ask(repl, "go");
  const call = repl.store.get().blocks.find((block) => block.kind === "call" && block.result.name === "ls");
  assert.ok(call?.kind === "call" && call.isOfChild);
  assert.match(call.agent ?? "", /\w/);
});

test("Ctrl-R searches earlier messages: text narrows, Ctrl-R goes back, Enter takes, Esc closes", async (t) => {
  const repl = openTestRepl(t, [YES]);
  for (const text of ["build it", "test it", "build that"]) await ask(repl, text);
  repl.press("\u{12}");
  for (const key of "buil") repl.press(key);
  assert.deepEqual(repl.store.get().search, { typed: "buil", skipped: 0, match: "build that" });
  repl.press("\u{12}");
  assert.equal(repl.store.get().search?.match, "build it");
  repl.press("\u{12}");
  assert.equal(repl.store.get().search?.match, "build it");
  repl.press("\r");
  assert.deepEqual([repl.prompt.getText(), repl.store.get().search], ["build it", undefined]);
  repl.press("\u{12}");
  for (const key of ["x", "\u{7f}", "q"]) repl.press(key);
  assert.deepEqual(repl.store.get().search, { typed: "q", skipped: 0, match: undefined });
  repl.press(ESC);
  assert.deepEqual([repl.prompt.getText(), repl.store.get().search], ["build it", undefined]);
});

test("a text is edited in the editor; one that fails changes nothing and says so", async (t) => {
  assert.equal(await editText(`sed -i -e s/one/two/`, "one\nline"), "two\nline");
  const repl = openTestRepl(t, [YES]);
  repl.prompt.setText("mine");
  await repl.edit("false");
  assert.equal(repl.prompt.getText(), "mine");
  assert.match(told(repl.store.get()).at(-1) ?? "", /false failed \(exit code 1\); the message is unchanged/);
  await repl.edit("printf edited >");
  assert.equal(repl.prompt.getText(), "edited");
});

test("an edit whose old text is not in the file is answered to the model without a question", async (t) => {
  const repl = openTestRepl(t, [
    { calls: [edit("not there", "x")] },
    { calls: [edit("a - b", "a + b")] },
    YES,
  ]);
  const file = join(repl.folder, "sum.ts");
  writeFileSync(file, "a - b\n");
  repl.send("EDIT");
  const state = await repl.until("a question", ({ isArmed }) => isArmed);
  assert.deepEqual(told(state).at(-1), "failed: edit_file sum.ts");
  assert.equal(state.approvals[0]?.question.heading, "Edit sum.ts  +1 −1");
  repl.press("y");
  await says(repl, "markdown: Yes.");
  assert.equal(readFileSync(file, "utf8"), "a + b\n");
});

test("what was allowed for good is listed in words, with the command that revokes it", async (t) => {
  const repl = openTestRepl(t, [
    { calls: [{ name: "write_file", input: { path: "b.txt", content: "x\n" } }] },
    YES,
  ]);
  repl.send("WRITE");
  await repl.until("a question", ({ isArmed }) => isArmed);
  repl.press("a");
  await says(repl, "markdown: Yes.");
  const shown = await repl.command("/permissions");
  assert.match(shown, /^allow +write_file on b\.txt\n +\/approve --revoke (\S+)\n/);
  assert.match(await repl.command("/approve --grants"), /always +\S+ \S+ +write_file, writing \/\S+b\.txt\n/);
  assert.match(await repl.command(/\/approve --revoke \S+/.exec(shown)?.[0] ?? ""), /^revoked /);
});
