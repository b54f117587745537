import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { SourceProblem } from "../../core/source.ts";
import {
  externalEngine,
  schemaOf,
  shellTool,
  writeProgram,
} from "../../../test/support/programs/programs.ts";
import { runScriptAsNobody, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { isLong } from "../../../test/support/property-runs.ts";
import { names } from "../../../test/support/engines/sources.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { listPrograms } from "./list-programs.ts";

/** Returns the result for each file, by its name. */
function byFile(problems: readonly SourceProblem[]): Readonly<Record<string, string>> {
  return Object.fromEntries(problems.map(({ subject, reason }) => [subject.split("/").at(-1), reason]));
}

const PROGRAMS = isLong ? 300 : 60;

test(`of ${PROGRAMS} programs, three that hang, two that crash and one that prints 100 MB do not affect the others`, async (t) => {
  const odd: Readonly<Record<string, string>> = {
    hang_1: "#!/bin/sh\nexec sleep 60\n",
    hang_2: "#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 0.2; done\n",
    hang_3: "#!/bin/sh\nsleep 60 & wait\n",
    crash_1: "#!/bin/sh\necho broken >&2\nexit 3\n",
    crash_2: "#!/bin/sh\nkill -SEGV $$\n",
    loud: "#!/bin/sh\nhead -c 100000000 /dev/zero\n",
  };
  const good = Array.from({ length: PROGRAMS - Object.keys(odd).length }, (_, index) => `tool_${index}`);
  const programs = Object.fromEntries(good.map((name) => [name, shellTool(schemaOf(name), "echo 1")]));
  const { engine } = await externalEngine(t, { ...programs, ...odd });
  assert.deepEqual(new Set(names(engine)), new Set(good));
  assert.equal(names(engine).length, good.length);
  const problems = engine.sources.problems();
  assert.deepEqual(byFile(problems), {
    crash_1: "exit_code",
    crash_2: "exit_code",
    hang_1: "timeout",
    hang_2: "timeout",
    hang_3: "timeout",
    loud: "too_large",
  });
  const crash = problems.find(({ subject }) => subject.endsWith("crash_1"));
  assert.match(crash?.message ?? "", /exit code 3 .*broken/);
});

test("files that are not programs are skipped, unusable programs are listed with the reason", async (t) => {
  const { engine, tools } = await externalEngine(t, { good: shellTool(schemaOf("good"), "echo 1") });
  const tool = (name: string): string => shellTool(schemaOf(name), "echo 1");
  for (const name of [".hidden", "backup~", "old.bak", "edit.swp", "merge.orig", "#auto#"])
    writeProgram(tools, name, tool("passed_over"));
  writeFileSync(join(tools, "notes.md"), "not executable");
  mkdirSync(join(tools, "folder"));
  symlinkSync(writeProgram(join(tools, "folder"), "far", tool("linked")), join(tools, "link"));
  symlinkSync(join(tools, "nowhere"), join(tools, "dangling"));
  writeProgram(tools, "no_interpreter", "#!/nonexistent/interpreter\n");
  writeProgram(tools, "headless", "echo hello\n");
  writeProgram(tools, "silent", "#!/bin/sh\n");
  writeProgram(tools, "evil", tool("../../x"));
  writeProgram(tools, "odd\nname", tool("from_an_odd_file"));
  chmodSync(writeProgram(tools, "open_to_all", tool("open_to_all")), 0o777);
  await engine.sources.refresh();
  assert.deepEqual([...names(engine)].sort(), ["from_an_odd_file", "good", "linked"]);
  assert.deepEqual(byFile(engine.sources.problems()), {
    dangling: "failed",
    evil: "bad_name",
    headless: "not_json",
    no_interpreter: "failed",
    open_to_all: "untrusted",
    silent: "not_json",
  });
  const lost = engine.sources.problems().find(({ subject }) => subject.endsWith("no_interpreter"));
  assert.match(lost?.hint ?? "", /#!\/bin\/sh/);
});

test("the name in the schema counts, not the file name, and of two equal names the first wins", async (t) => {
  const { engine } = await externalEngine(t, {
    "a.py": shellTool(schemaOf("weather"), "echo 1"),
    "b.py": shellTool(schemaOf("weather"), "echo 2"),
    read_file: shellTool(schemaOf("something_else"), "echo 3"),
  });
  assert.deepEqual([...names(engine)].sort(), ["something_else", "weather"]);
  assert.match(engine.get("weather")?.source ?? "", /^external:\/.*\/a\.py$/);
  const [problem] = engine.sources.problems();
  assert.equal(problem?.reason, "name_taken");
  assert.match(
    problem?.message ?? "",
    /b\.py: the name "weather" is taken by "weather" of external:.*\/a\.py$/,
  );
});

test("a schema that cannot be compiled is a problem", async (t) => {
  const parameters = { type: "object", properties: { a: { type: "string", pattern: "(" } } };
  const { engine } = await externalEngine(t, { odd: shellTool(schemaOf("odd", { parameters }), "echo 1") });
  assert.deepEqual(
    engine.sources.problems().map(({ reason }) => reason),
    ["bad_schema"],
  );
});

test("a folder that does not exist has no programs, and a world-writable one is not used", async (t) => {
  const folder = join(temporaryFolder(t), "tools");
  assert.deepEqual(await listPrograms(folder), []);
  writeProgram(folder, "tool", shellTool(schemaOf("tool"), "echo 1"));
  chmodSync(folder, 0o777);
  await assert.rejects(listPrograms(folder), /is world-writable/);
  chmodSync(folder, 0o755);
  assert.equal((await listPrograms(folder)).length, 1);
});

test("a file, and a folder with too many programs, cannot be a folder of tools", async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "file"), "");
  await assert.rejects(listPrograms(join(folder, "file")), /not a folder/);
  for (let count = 0; count <= 1000; count += 1) writeProgram(join(folder, "bin"), `p${count}`, "");
  await assert.rejects(listPrograms(join(folder, "bin")), /1001 programs, more than 1000/);
});

test("a program without execute permission is listed, and a folder that cannot be read rejects", (t) => {
  const folder = temporaryFolder(t);
  chmodSync(writeProgram(join(folder, "tools"), "theirs", "#!/bin/sh\n"), 0o611);
  mkdirSync(join(folder, "closed"), { mode: 0o000 });
  const { stdout, stderr } = runScriptAsNobody(`
    const { listPrograms } = await import(${JSON.stringify(sourceUrl("src/sources/external/list-programs.ts"))});
    const [listed] = await listPrograms(${JSON.stringify(join(folder, "tools"))});
    const failed = await listPrograms(${JSON.stringify(join(folder, "closed"))}).catch((error) => error.message);
    console.log(JSON.stringify([listed.problem.reason, failed]));
  `);
  const [reason, failed] = JSON.parse(stdout || JSON.stringify([stderr])) as readonly string[];
  assert.equal(reason, "failed");
  assert.match(failed ?? "", /permission denied/);
});
