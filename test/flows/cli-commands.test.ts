import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BOUND_BY_PERMISSIONS } from "../support/faults/child-script.ts";
import { createPlace, programOnPath, runCli, runProcess, withoutProc } from "./support/cli.ts";
import { COMMANDS } from "../../src/app/cli/commands.ts";
import { SUMMARIES } from "../../src/app/cli/summaries.ts";

test("tools shows name, group, risk and one line each", async (t) => {
  const { code, stdout } = await runCli(createPlace(t), ["tools"]);
  assert.equal(code, 0);
  assert.match(stdout, /^read_file +files +low +Reads a file\.$/m);
  assert.match(stdout, /^shell +running +high +\S/m);
});

test("tools --json is a list of specs, --group filters it, and a group that is off needs --all", async (t) => {
  const place = createPlace(t);
  writeFileSync(join(place.home, "config.json"), '{"groups": {"running": false}}');
  const names = async (...flags: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await runCli(place, ["tools", "--json", ...flags]);
    return (JSON.parse(stdout) as readonly { name: string }[]).map(({ name }) => name);
  };
  assert.ok(!(await names()).includes("shell"));
  assert.ok((await names("--all")).includes("shell"));
  assert.deepEqual(await names("--all", "--group", "running"), [
    "shell",
    "view_background_processes",
    "stop_background_process",
    "batch",
    "python_action",
    "run_code",
  ]);
  const wrong = await runCli(place, ["tools", "--group", "file"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /did you mean files\?/);
});

for (const format of ["openai", "openai-responses", "anthropic", "google", "mcp"]) {
  test(`tools --format ${format} prints a JSON array`, async (t) => {
    const { stdout } = await runCli(createPlace(t), ["tools", "--format", format]);
    const tools = JSON.parse(stdout) as readonly object[];
    assert.ok(Array.isArray(tools) && tools.length > 0);
    assert.match(JSON.stringify(tools[0]), /"name":"/);
  });
}

test("tool shows parameters and aliases, also under an alias; an unknown one exits 2 with near names", async (t) => {
  const place = createPlace(t);
  const { stdout } = await runCli(place, ["tool", "file_read"]);
  assert.match(stdout, /^read_file$/m);
  assert.match(stdout, /^ {2}path\* +string/m);
  assert.match(stdout, /^ {2}start_line=1 +integer/m);
  assert.match(stdout, /^aliases +file_read$/m);
  const json = JSON.parse((await runCli(place, ["tool", "shell", "--json"])).stdout) as Record<
    string,
    unknown
  >;
  assert.deepEqual([json["name"], json["risk"], json["active"]], ["shell", "high", true]);
  const wrong = await runCli(place, ["tool", "shel"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /did you mean shell\?/);
  for (const name of ["subagent", "write_memory_dump"]) {
    assert.match((await runCli(place, ["tool", name])).stderr, /" exists only in sessions of an agent/);
  }
  assert.equal((await runCli(place, ["tool"])).code, 2);
});

test("explain shows what policy would decide and runs nothing", async (t) => {
  const place = createPlace(t);
  const { code, stdout } = await runCli(place, ["explain", "shell", "command=touch made", "--json"]);
  assert.equal(code, 0);
  const { kind, rule, risk, grant, facts } = JSON.parse(stdout) as Record<string, unknown>;
  assert.deepEqual([kind, rule, risk], ["ask", "mode.auto.high", "high"]);
  assert.deepEqual(grant, { tool: "shell", command: ["touch", "made"], exact: true, decision: "allow" });
  assert.match(JSON.stringify(facts), /"text":"touch made"/);
  assert.equal(existsSync(join(place.folder, "made")), false);
  assert.equal(existsSync(join(place.home, "state")), false, "and opens no store");
  const text = await runCli(place, ["explain", "read_file", "path=/opt/passwd"]);
  assert.match(text.stdout, /^ask: \/opt\/passwd is outside the workspace$/m);
  assert.match(text.stdout, /toolwright policy allow --access read --path '\/opt\/\*\*'/);
  const plan = await runCli(place, ["explain", "shell", "command=ls", "--mode", "yolo"]);
  assert.match(plan.stdout, /^allow/);
});

test("explain of a call that would not be judged exits as the call would, with the reason", async (t) => {
  const { code, stdout, stderr } = await runCli(createPlace(t), ["explain", "read_file", "--json"]);
  assert.equal(code, 2);
  const { kind, error } = JSON.parse(stdout) as { kind: unknown; error: { code: string } };
  assert.deepEqual([kind, error.code], [null, "INVALID_INPUT"]);
  assert.match(stderr, /path/);
});

test("call and batch of one folder share a session, another folder has its own", async (t) => {
  const [place, other] = [createPlace(t), createPlace(t)];
  const sessions = async (): Promise<readonly string[]> => {
    const { stdout } = await runCli(place, ["trace", "mark", "--json"]);
    const lines = stdout.trimEnd().split("\n");
    return lines.map((line) => (JSON.parse(line) as { readonly session: string }).session);
  };
  const input = '{"id":"mark","name":"nope"}\n';
  await runCli(place, ["batch"], { input });
  await runCli(place, ["batch"], { input });
  await runCli({ ...other, home: place.home }, ["batch"], { input });
  const [elsewhere, second, first] = await sessions();
  assert.equal(first, second);
  assert.notEqual(first, elsewhere);
});

test("a truncated answer can be read in full by a later process", async (t) => {
  const place = createPlace(t);
  const words = ["call", "shell", "command=seq 1 20000", "--mode", "yolo", "--json"];
  const { stdout } = await runCli(place, words);
  const { meta } = JSON.parse(stdout) as { meta: { truncated?: { artifactId?: string } } };
  const id = meta.truncated?.artifactId;
  assert.equal(typeof id, "string");
  const whole = await runCli(place, ["call", "read_artifact", `id=${id}`, "length=20"]);
  assert.equal(whole.code, 0, whole.stderr);
  assert.match(whole.stdout, /1\n2\n3\n/);
});

test("doctor reports that every check is ok, and config every setting with its origin", async (t) => {
  const place = createPlace(t);
  const { code, stdout } = await runCli(place, ["doctor"]);
  assert.equal(code, 0, stdout);
  for (const name of ["toolwright", "node", "settings", "workspace", "store", "tools", "ripgrep", "bash"]) {
    assert.match(stdout, new RegExp(`^ok +${name}: `, "m"));
  }
  assert.match(stdout, /\n\ntoolwright config lists each setting and its origin\n$/);
  assert.match((await runCli(place, ["config"])).stdout, /^mode +default +"auto"$/m);
});

const BAD: readonly (readonly [readonly string[], RegExp])[] = [
  [["cal"], /unknown command "cal"\n.*did you mean call/],
  [["--mode", "yolo", "tools"], /flags follow the command/],
  [["call"], /missing tool name/],
  [["call", "ls", "--jsn"], /unknown flag --jsn\n.*--json/],
  [["call", "ls", "--json=yes"], /--json takes no value/],
  [["call", "ls", "--mode"], /--mode needs a value/],
  [["call", "ls", "--mode", "--json"], /--mode needs a value/],
  [["call", "ls", "--mode", "yoloo"], /invalid value "yoloo" for --mode\n.*yolo/],
  [["call", "ls", "--timeout", "-1"], /flag --timeout: expected more than 0, got integer -1/],
  [["tools", "--format", "openapi"], /invalid value "openapi" for --format\n.*openai/],
  [["completion"], /unknown shell; expected bash, zsh, fish/],
  [["help", "cal"], /unknown command "cal"/],
];
for (const [args, says] of BAD) {
  test(`toolwright ${args.join(" ")} exits 2 and says what is wrong`, async (t) => {
    const { code, stdout, stderr } = await runCli(createPlace(t), args);
    assert.equal(code, 2, stdout);
    assert.equal(stdout, "");
    assert.match(stderr, says);
  });
}

test("every command has help with its flags and examples, under --help and help", async (t) => {
  const place = createPlace(t);
  for (const load of Object.values(COMMANDS)) {
    const { name, flags, examples } = await load();
    const { code, stdout } = await runCli(place, [name, "--help"]);
    assert.equal(code, 0);
    for (const flag of Object.keys(flags)) assert.ok(stdout.includes(`--${flag}`), `${name} --${flag}`);
    const lines = Object.keys(examples);
    assert.ok(lines.length > 0 && lines.every((line) => stdout.includes(`toolwright ${line}`)));
    assert.equal((await runCli(place, ["help", name])).stdout, stdout);
  }
});

test("the list of commands has the summary of each", async () => {
  const loaded = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const summaries = loaded.map(({ name, summary }) => [name, summary]);
  assert.deepEqual(Object.entries(SUMMARIES), summaries);
});

test("--version loads only the launcher; help loads no package, no database, and nothing that starts processes or servers", async (t) => {
  const place = createPlace(t);
  writeFileSync(
    join(place.folder, "watch.mjs"),
    `import { registerHooks } from "node:module";
     registerHooks({ load(url, context, next) { process.stderr.write(url + "\\n"); return next(url, context); } });`,
  );
  const loaded = async (...args: readonly string[]): Promise<readonly string[]> => {
    const environment = { NODE_OPTIONS: `--import=${join(place.folder, "watch.mjs")}` };
    return (await runProcess(place, args, { environment })).stderr.split("\n");
  };
  assert.deepEqual(
    (await loaded("--version")).filter((url) => url.includes("/dist/")),
    [],
  );
  for (const args of [["--help"], ["call", "--help"], ["completion", "bash"]]) {
    const urls = await loaded(...args);
    assert.ok(
      urls.some((url) => url.endsWith("/bin/program.js")),
      "the watch works",
    );
    const heavy =
      /node_modules|^node:(sqlite|child_process|http|https|http2|net|tls|worker_threads|readline)$/;
    assert.deepEqual(
      urls.filter((url) => heavy.test(url)),
      [],
      args.join(" "),
    );
  }
});

const hasBash = existsSync("/bin/bash");

test(
  "completion in bash offers commands, flags, tools and parameters",
  { skip: hasBash ? false : "needs bash" },
  async (t) => {
    const place = createPlace(t);
    const bin = programOnPath(place);
    const expected: Readonly<Record<string, readonly string[]>> = {
      "toolwright ex": ["explain"],
      "toolwright call read_f": ["read_file"],
      "toolwright call read_file ": ["path=", "start_line=", "limit="],
      "toolwright call shell --mode ": ["yolo", "edits", "auto", "ask", "plan"],
      "toolwright tools --f": ["--format"],
      "toolwright completion ": ["bash", "zsh", "fish"],
      "toolwright help doc": ["doctor"],
      "toolwright trash ": ["list", "restore", "empty"],
      "toolwright trash restore ": [],
      "toolwright trust ": [],
      "toolwright nonsense ": [],
    };
    const completions = Object.keys(expected).map((line) => {
      const words = line.split(" ");
      return `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
      COMPREPLY=(); _toolwright; echo "\${COMPREPLY[@]}"`;
    });
    const script = ["source <(toolwright completion bash); compopt() { :; }", ...completions].join("\n");
    const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: place.home, TOOLWRIGHT_HOME: place.home };
    const { stdout, stderr } = spawnSync("/bin/bash", ["-c", script], {
      cwd: place.folder,
      env,
      encoding: "utf8",
    });
    assert.equal(stderr, "");
    const offered = stdout.split("\n").map((line) => line.split(" ").filter(Boolean));
    assert.deepEqual(
      Object.fromEntries(Object.keys(expected).map((line, index) => [line, offered[index]])),
      expected,
    );
  },
);

test("standard output that cannot be written is an error that says so", { skip: withoutProc }, async (t) => {
  const place = createPlace(t);
  const env = { PATH: `${programOnPath(place)}:${process.env["PATH"]}`, TOOLWRIGHT_HOME: place.home };
  const { status, stderr } = spawnSync("/bin/sh", ["-c", "toolwright tools > /dev/full"], {
    env,
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.match(stderr, /^toolwright: cannot write to standard output: .*ENOSPC.*\n$/);
});

test("standard input that cannot be read is an error that says so", { skip: withoutProc }, async (t) => {
  const place = createPlace(t);
  const env = { PATH: `${programOnPath(place)}:${process.env["PATH"]}`, TOOLWRIGHT_HOME: place.home };
  for (const line of ["toolwright batch 0> out", "toolwright call ls --args - 0> out"]) {
    const options = { cwd: place.folder, env, encoding: "utf8" } as const;
    const { status, stderr } = spawnSync("/bin/sh", ["-c", line], options);
    assert.equal(status, 2, line);
    assert.match(stderr, /^toolwright: standard input cannot be read: .*EBADF.*\n$/);
  }
});

test("a folder without permission is an error that names it, not an empty list or an internal error", async (t) => {
  const place = createPlace(t);
  await runCli(place, ["call", "ls"]);
  const state = join(place.home, "state");
  chmodSync(state, 0o000);
  try {
    for (const command of ["trash", "restore", "sessions", "trace", "approve"]) {
      const { code, stdout, stderr } = await runProcess(place, [command], { under: BOUND_BY_PERMISSIONS });
      assert.deepEqual([code, stdout], [1, ""], command);
      assert.match(stderr, /^toolwright: .*EACCES: permission denied.*state/);
      assert.doesNotMatch(stderr, /report it| at /);
    }
  } finally {
    chmodSync(state, 0o700);
  }
});
