import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { isRunning } from "../../../test/support/programs/is-running.ts";
import { runningEngine, untilTrue, type Answered } from "../../../test/support/running.ts";
import { memoryArtifacts } from "../../../test/support/engines/tool-context.ts";
import type { JsonObject } from "../../core/json.ts";
import type { RunningOptions } from "../running/options.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==";

function open(t: TestContext, options: Partial<RunningOptions> = {}) {
  const made = runningEngine(t, { ...options, ...memory });
  const act = (action: string, more: JsonObject = {}) => made.run("python_action", { action, ...more });
  return {
    ...made,
    act,
    python: (code: string, more: JsonObject = {}) => act("execute", { code, ...more }),
  };
}

const memory = { artifacts: memoryArtifacts() };

function exceptionOf({ data }: Answered): JsonObject {
  return data["exception"] as JsonObject;
}

test("variables, imports and functions last; output and the last value are in the answer", async (t) => {
  const { python, root } = open(t);
  const first = await python(
    "import os, sys\ndef double(n):\n    return 2 * n\nprint('out')\nprint('err', file=sys.stderr)",
  );
  assert.deepEqual(
    [first.data["stdout"], first.data["stderr"], first.data["value"], first.data["cell"]],
    ["out\n", "err\n", null, 1],
  );
  const second = await python(
    "os.write(1, b'raw\\n')\nos.system('echo from a program')\n[double(21), os.getcwd()]",
  );
  assert.equal(second.text, `raw\nfrom a program\n[42, '${root}']`);
  assert.equal((await python("_")).data["value"], `[42, '${root}']`);
  assert.equal((await python("x = 1")).text, "[no output]");
  assert.equal((await python("__name__")).text, "'__main__'");
});

test("an exception has the lines of its cells, and the interpreter goes on", async (t) => {
  const { python } = open(t);
  await python("def fail(n):\n    # a comment\n    return 1 / n");
  const failed = await python("\nprint('before')\nfail(0)");
  assert.equal(failed.code, "ok");
  assert.match(
    failed.text,
    /^Traceback .*\n {2}File "<cell 2>", line 3, in <module>\n {4}fail\(0\)\n.*File "<cell 1>", line 3, in fail\n {4}return 1 \/ n\n.*ZeroDivisionError: division by zero$/ms,
  );
  // Standard output and errors are two pipes, which may be read in either order.
  assert.match(failed.text, /^before$/m);
  assert.doesNotMatch(failed.text, /python_session/);
  assert.deepEqual(exceptionOf(failed), {
    type: "ZeroDivisionError",
    message: "ZeroDivisionError: division by zero",
    line: 3,
    is_system: false,
  });
  const wrong = exceptionOf(await python("x = 1\nif x\n    pass"));
  assert.deepEqual([wrong["type"], wrong["line"]], ["SyntaxError", 2]);
  assert.equal(exceptionOf(await python("import sys; sys.exit(3)"))["type"], "SystemExit");
  assert.equal(exceptionOf(await python("open('/no/such/file')"))["is_system"], true);
  assert.equal(exceptionOf(await python("input()"))["type"], "EOFError");
  assert.equal(
    (await python("class Odd:\n    def __repr__(self):\n        raise ValueError('no')\nOdd()")).data[
      "value"
    ],
    null,
  );
  assert.equal((await python("1 + 1")).text, "2");
});

test("a time limit interrupts the code and keeps the variables", async (t) => {
  const { python } = open(t);
  await python("x = 5");
  const ended = await python("print('begun')\nwhile True:\n    pass", { timeout_seconds: 1 });
  assert.equal(ended.code, "TOOL_TIMEOUT");
  assert.match(ended.text, /the Python session default goes on with its variables/);
  assert.equal(ended.data["session_state"], "ready");
  assert.equal((await python("x")).text, "5");
});

test("a cancelled call also interrupts the program that the code waits for", async (t) => {
  const { python, root } = open(t);
  await python("x = 5");
  const controller = new AbortController();
  const running = open(t);
  const code = `import os\nos.system('touch ${root}/begun; sleep 600')`;
  await running.python("y = 6");
  const cancelled = running.run("python_action", { action: "execute", code }, { signal: controller.signal });
  await untilTrue("the program runs", () => existsSync(join(root, "begun")));
  controller.abort();
  assert.equal((await cancelled).code, "CANCELLED");
  assert.equal((await running.python("y")).text, "6");
});

test("code that ignores the interruption is ended with its interpreter, and the answer says so", async (t) => {
  const { run, python, root } = open(t);
  const code = `import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nopen('${root}/begun', 'w').close()\ntime.sleep(600)`;
  const controller = new AbortController();
  const running = run("python_action", { action: "execute", code }, { signal: controller.signal });
  await untilTrue("the code runs", () => existsSync(join(root, "begun")));
  controller.abort();
  const ended = await running;
  assert.match(ended.text, /default was ended; its variables are lost/);
  assert.equal(ended.data["session_state"], "ended");
  assert.equal((await python("1 + 1")).text, "2");
});

test("an interpreter that ends during a call is replaced by the next one", async (t) => {
  const { python } = open(t);
  const ended = await python("import os\nprint('last words', flush=True)\nos._exit(3)");
  assert.equal(ended.code, "TOOL_FAILED");
  assert.match(
    ended.text,
    /the interpreter of the Python session default is gone: it ended with exit code 3/,
  );
  assert.equal(ended.data["stdout"], "last words\n");
  assert.equal((await python("1 + 1")).text, "2");
});

test("images that the code or its programs write are returned", async (t) => {
  const { python } = open(t);
  const written = await python(
    `import base64, os\npixel = base64.b64decode('${PIXEL}')\nos.mkdir('charts')\n` +
      "open('charts/a.png', 'wb').write(pixel)\nopen('b.part', 'wb').write(pixel)\nos.rename('b.part', 'b.PNG')\n" +
      "os.system('cp b.PNG c.png')\nopen('d.png', 'w').write('no image')\nos.mkfifo('e.png')",
  );
  const images = written.result.content.filter(({ type }) => type === "image");
  assert.equal(images.length, 3);
  assert.deepEqual(images[0], { type: "image", data: PIXEL, mimeType: "image/png" });
  assert.match(written.text, /\[charts\/a\.png: image\/png, \d+ bytes\]/);
  assert.match(written.text, /\[d\.png is not shown: it is no image\]/);
  assert.equal((await python("open('b.PNG', 'rb').read()[1:4]")).data["images"], 0);
  const many = await python("for n in range(10):\n    open(f'{n}.png', 'wb').write(pixel)");
  assert.match(many.text, /\[2 more images are not shown\]/);
  await python("big = open('big.png', 'wb')\nbig.write(pixel)\nbig.truncate(6 << 20)").then(({ text }) =>
    assert.match(text, /big\.png is not shown: it is larger than 5 MB/),
  );
});

test("open figures of matplotlib are returned once and closed", async (t) => {
  const { python, root } = open(t);
  // The three functions of the package that are used.
  mkdirSync(join(root, "matplotlib"));
  writeFileSync(join(root, "matplotlib/__init__.py"), "");
  writeFileSync(
    join(root, "matplotlib/pyplot.py"),
    `import base64
figures = []
class Figure:
    def savefig(self, path):
        open(path, "wb").write(base64.b64decode("${PIXEL}"))
def figure(number=None):
    if number is None:
        figures.append(Figure())
    return figures[-1 if number is None else number]
def get_fignums():
    return list(range(len(figures)))
def close(which):
    figures.clear()
`,
  );
  const drawn = await python("import os, matplotlib.pyplot as plot\nplot.figure()\nos.environ['MPLBACKEND']");
  assert.equal(drawn.data["images"], 1);
  assert.match(drawn.text, /\n\[figure-1-0\.png: image\/png, \d+ bytes\]/);
  assert.equal(drawn.data["value"], "'Agg'");
  assert.equal((await python("1")).data["images"], 0);
  const saved = await python("plot.figure().savefig('own.png')");
  assert.match(saved.text, /own\.png/);
  assert.equal(saved.data["images"], 1, "a figure that was saved is not returned twice");
});

test("sessions are opened, listed and closed by their ids", async (t) => {
  const { act, python } = open(t, { limits: { interpreters: 2 } });
  assert.match((await act("list_sessions")).text, /no Python session is open/);
  const opened = await act("new_session", { session_id: "data" });
  assert.deepEqual(
    [opened.data["session_id"], opened.data["state"], opened.data["cells"]],
    ["data", "ready", 0],
  );
  assert.match(opened.text, /Python 3\.\d+/);
  assert.equal((await act("new_session")).data["session_id"], "py1");
  await python("x = 1", { session_id: "data" });
  assert.equal(exceptionOf(await python("x", { session_id: "py1" }))["type"], "NameError");
  assert.match(
    (await python("x")).text,
    /2 Python sessions are open, which is the limit\nuse one of data, py1/,
  );
  assert.match((await act("new_session", { session_id: "data" })).text, /already a Python session "data"/);
  assert.match(
    (await python("x", { session_id: "nope" })).text,
    /no Python session "nope".*\nopen: data, py1/,
  );
  const { sessions } = (await act("list_sessions")).data as { sessions: readonly JsonObject[] };
  assert.deepEqual(
    sessions.map(({ session_id, cells }) => [session_id, cells]),
    [
      ["data", 1],
      ["py1", 1],
    ],
  );
  await act("close", { session_id: "data" });
  assert.equal(isRunning(Number(opened.data["pid"])), false);
  assert.match((await act("close", { session_id: "data" })).text, /no Python session "data"/);
  assert.equal((await python("2")).text, "2");
  assert.equal((await act("execute")).code, "INVALID_INPUT");
  assert.equal((await act("close", { code: "1" })).code, "INVALID_INPUT");
});

test("calls that arrive together at a new session run one after the other, each with its own output", async (t) => {
  const { python } = open(t);
  const letters = ["a", "b", "c"];
  const answers = await Promise.all(
    letters.map((letter) =>
      python(`seen = globals().get('seen', '') + '${letter}'\nprint('${letter}')\nseen`),
    ),
  );
  assert.deepEqual(
    answers.map(({ code, text }) => [code, text]),
    [
      ["ok", "a\n'a'"],
      ["ok", "b\n'ab'"],
      ["ok", "c\n'abc'"],
    ],
  );
});

test("code waits for earlier code of its session; what is cancelled before its turn does not run", async (t) => {
  const { python, run, root } = open(t);
  const waits = `import os, time\nopen('begun', 'w').close()\nwhile not os.path.exists('go'):\n    time.sleep(0.01)\n'done'`;
  const first = python(waits, { timeout_seconds: 600 });
  await untilTrue("the code runs", () => existsSync(join(root, "begun")));
  const controller = new AbortController();
  const input = { action: "execute", code: "open('ran', 'w').close()" };
  const second = run("python_action", input, { signal: controller.signal });
  const third = python("os.path.exists('ran')", { timeout_seconds: 600 });
  controller.abort();
  assert.match((await second).text, /^.*cancelled.*\nthe code did not run: the Python session default was/);
  const late = await python("open('ran', 'w').close()", { timeout_seconds: 1 });
  assert.equal(late.code, "TOOL_TIMEOUT");
  assert.match(late.text, /the code did not run/);
  writeFileSync(join(root, "go"), "");
  assert.equal((await first).text, "'done'");
  assert.equal((await third).text, "False");
});

test("code that waits for an interpreter which ends runs in the next one", async (t) => {
  const { python } = open(t);
  const [ended, next] = await Promise.all([python("import os\nos._exit(3)"), python("1 + 1")]);
  assert.deepEqual([ended.code, next.text], ["TOOL_FAILED", "2"]);
});

test("interpreters and everything they started end with the session; a fork is no second interpreter", async (t) => {
  const { python, act, engine } = open(t);
  const { data } = await python(
    "import os, subprocess\nchild = subprocess.Popen(['sleep', '600'], start_new_session=True)\nos.fork()\nchild.pid",
  );
  const [{ pid } = {}] = (await act("list_sessions")).data["sessions"] as readonly JsonObject[];
  assert.equal(Number((await python("os.getpid()")).text), pid);
  const pids = [Number(pid), Number(data["value"])];
  assert.deepEqual(pids.map(isRunning), [true, true]);
  await engine.close();
  assert.deepEqual(pids.map(isRunning), [false, false]);
});

test("long output is cut at its beginning, and a long value at its end", async (t) => {
  const { python } = open(t);
  const { text, result } = await python("for n in range(10000):\n    print(n)\n'value'");
  assert.match(
    text,
    /^\[truncated: the last \d+ of 48890 characters; read_artifact id=\S+ reads the whole\]/,
  );
  assert.match(text, /9999\n'value'$/);
  assert.equal(result.meta.truncated?.shape, "log");
  const value = await python("'x' * 200000");
  assert.match(value.text, /x… \(200002 characters\)\n/);
});

test("without Python the error says what to install", async (t) => {
  const { python, root } = open(t, { environment: { PATH: "/nowhere" } });
  assert.match((await python("1")).text, /there is no python3 on the PATH\ninstall Python 3/);
  mkdirSync(join(root, "bin"));
  writeFileSync(join(root, "bin/python3"), "#!/bin/sh\necho no such version >&2; exit 127\n", {
    mode: 0o755,
  });
  const broken = open(t, { environment: { PATH: join(root, "bin") } });
  assert.match((await broken.python("1")).text, /python3: it ended with exit code 127: no such version/);
  const path = `${join(root, "bin")}:${process.env["PATH"] ?? ""}`;
  assert.equal((await open(t, { environment: { PATH: path } }).python("1 + 1")).text, "2");
});
