import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { parseNotify, type Notify } from "../config/settings/notify-setting.ts";
import { approvalQuestion } from "../host/approvals/approval-question.ts";
import { notifyOf } from "./notify.ts";
import { firstDialog } from "./state/dialog.ts";
import { FIRST_STATE, type ReplState } from "./state/repl-state.ts";
import { createStore, type Store } from "./state/store.ts";

const REQUEST = {
  callId: "c",
  tool: "shell",
  risk: "high",
  input: { command: "printf '\u{1b}]0;x\u{7}'" },
  facts: [],
  reason: "it is high risk",
  hash: "h",
  grant: { tool: "shell", decision: "allow" },
} as const;

interface Notified {
  readonly store: Store;
  readonly set: (change: Partial<ReplState>) => void;
  readonly ask: (tool?: string) => void;
  readonly stop: () => void;
  /** Returns what was written since the last time, titles left out. */
  readonly written: () => string;
  readonly titles: string[];
  time: number;
}

function open(
  t: TestContext,
  notify: Notify,
  { folder = "/w/project", environment = {} }: { folder?: string; environment?: Record<string, string> } = {},
): Notified {
  const store = createStore({ ...FIRST_STATE, agentState: "idle" });
  let bytes = "";
  const titles: string[] = [];
  const set = (change: Partial<ReplState>): void => store.change((state) => ({ ...state, ...change }));
  const write = (text: string): void => {
    const title = /^\u{1b}\]2;(.*)\u{7}$/u.exec(text)?.[1];
    if (title === undefined) bytes += text;
    else titles.push(title);
  };
  const now = (): number => notified.time;
  const stop = notifyOf(store, { notify, folder, environment, write, now });
  t.after(stop);
  const notified: Notified = {
    store,
    set,
    ask(tool = "shell") {
      const request = { ...REQUEST, tool };
      const question = approvalQuestion(request);
      set({ approvals: [{ id: 1, request, question, dialog: firstDialog(question) }] });
    },
    stop,
    written() {
      const text = bytes;
      bytes = "";
      return text;
    },
    titles,
    time: 0,
  };
  return notified;
}

test("a question rings the bell once, and the title says what the REPL waits for", (t) => {
  const { ask, set, written, titles, stop } = open(t, "bell");
  assert.equal(written(), "\u{1b}[22;2t");
  set({ agentState: "waiting_for_model" });
  ask();
  set({ isArmed: true });
  assert.equal(written(), "\u{7}");
  set({ approvals: [], agentState: "executing_tools" });
  set({ agentState: "idle" });
  assert.equal(written(), "", "the task was short");
  const states = ["ready", "working", "waiting for you", "working", "ready"];
  assert.deepEqual(
    titles,
    states.map((state) => `toolwright: ${state} (project)`),
  );
  stop();
  assert.equal(written(), "\u{1b}[23;2t");
  set({ agentState: "waiting_for_model" });
  assert.equal(titles.length, states.length);
});

for (const { after, agentState, says } of [
  { after: 9_000, agentState: "idle", says: "" },
  { after: 42_000, agentState: "idle", says: "\u{1b}]9;finished after 42 s (project)\u{7}" },
  { after: 42_000, agentState: "failed", says: "\u{1b}]9;failed after 42 s (project)\u{7}" },
] as const)
  test(`a task that is ${agentState} after ${after} ms writes ${JSON.stringify(says)}`, (t) => {
    const notified = open(t, "osc");
    notified.set({ agentState: "waiting_for_model" });
    notified.written();
    notified.time = after;
    notified.set({ agentState });
    assert.equal(notified.written(), says);
    notified.set({ spent: undefined });
    assert.equal(notified.written(), "");
  });

for (const environment of [{ VTE_VERSION: "7200" }, { TERM: "foot" }, { TERM: "rxvt-unicode-256color" }])
  test(`with ${JSON.stringify(environment)} a question is sent as OSC 777`, (t) => {
    const { ask, written } = open(t, "osc", { environment });
    written();
    ask();
    assert.equal(written(), "\u{1b}]777;notify;Toolwright;shell needs your approval (project)\u{7}");
  });

test("names cannot end the sequence that they are in", (t) => {
  const { ask, written, titles } = open(t, "osc", { folder: "/w/a\u{7}\u{1b}]0;b" });
  written();
  ask("x\u{7}\u{9c}\u{1b}\\y");
  const all = [written().slice(0, -1).slice(1), ...titles].join("");
  assert.doesNotMatch(all, /[\p{Cc}]/u);
});

test("a program relative to the current folder is refused, and other values are taken as they are", () => {
  assert.throws(
    () => parseNotify(["./notify"], "FILE: notify"),
    /^ToolError: FILE: notify: \.\/notify is a different/,
  );
  assert.throws(() => parseNotify([""], "FILE: notify"), /FILE: notify: the name of the program is empty/);
  for (const notify of ["off", ["notify-send"], ["/bin/notify", "./x"]] as const)
    assert.equal(parseNotify(notify, "notify"), notify);
});

test("desktop rings the bell, and starts notify-send only in a graphical session", async (t) => {
  const folder = temporaryFolder(t);
  const text = join(folder, "text");
  writeFileSync(
    join(folder, "notify-send"),
    `#!/bin/sh\nprintf "%s" "$*" > ${text}.part && mv ${text}.part ${text}\n`,
    {
      mode: 0o755,
    },
  );
  const path = { PATH: `${folder}:/usr/bin:/bin` };
  const plain = open(t, "desktop", { environment: { ...path, DISPLAY: "" } });
  plain.written();
  plain.ask();
  assert.equal(plain.written(), "\u{7}");
  const watcher = watch(folder);
  t.after(() => watcher.close());
  const graphical = open(t, "desktop", { environment: { ...path, WAYLAND_DISPLAY: "wayland-0" } });
  graphical.written();
  graphical.ask("edit_file");
  assert.equal(graphical.written(), "\u{7}");
  while (((await once(watcher, "change")) as [string, string])[1] !== "text");
  assert.equal(
    readFileSync(text, "utf8"),
    "--app-name=Toolwright Toolwright edit_file needs your approval (project)",
  );
});

test("off writes nothing", (t) => {
  const notified = open(t, "off");
  notified.set({ agentState: "waiting_for_model" });
  notified.ask();
  notified.time = 60_000;
  notified.set({ approvals: [], agentState: "idle" });
  assert.deepEqual([notified.written(), notified.titles], ["", []]);
});

test("a command gets the text in its environment, and no shell reads it", async (t) => {
  const root = temporaryFolder(t);
  const folder = join(root, "$(touch made) `touch made`");
  mkdirSync(folder);
  const program = join(root, "notify");
  writeFileSync(
    program,
    '#!/bin/sh\nprintf "%s|%s" "$1" "$TOOLWRIGHT_NOTIFICATION" > out.part && mv out.part out\n',
    { mode: 0o755 },
  );
  writeFileSync(join(root, "run"), `#!/bin/sh\ncd ${root} && exec ./notify "$@"\n`, { mode: 0o755 });
  const watcher = watch(root);
  t.after(() => watcher.close());
  const { ask } = open(t, [join(root, "run"), "a;b"], { folder, environment: { PATH: "/usr/bin:/bin" } });
  ask();
  for (;;) {
    const [, name] = (await once(watcher, "change")) as [string, string];
    if (name === "out") break;
  }
  assert.equal(
    readFileSync(join(root, "out"), "utf8"),
    "a;b|shell needs your approval ($(touch made) `touch made`)",
  );
});

test("a command that fails is shown once", async (t) => {
  const { ask, set, store } = open(t, ["/no/such/program"]);
  const notices = (): readonly unknown[] => store.get().blocks.filter(({ kind }) => kind === "notice");
  const shown = new Promise<void>((resolve) => {
    store.subscribe(() => notices().length > 0 && resolve());
  });
  ask();
  await shown;
  set({ approvals: [] });
  ask();
  await new Promise((resolve) => setImmediate(resolve));
  assert.match(JSON.stringify(notices()), /^\[\{[^{]*notify failed: [^{]*ENOENT[^{]*\}\]$/);
});
