// Any program that prints its schema for --schema and answers JSON with JSON is a tool.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "toolwright";
import { createExternalSource } from "toolwright/sources";
import { childEnvironment } from "toolwright/tools";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-programs-")));
const program = (text: string): string => `#!/bin/sh\n${text}\n`;
writeFileSync(
  join(folder, "greet"),
  program(`if [ "$1" = --schema ]; then
  echo '{"name": "greet", "description": "Greets.", "parameters": {"who": {"type": "string", "required": true}}}'
  exit
fi
echo '{"progress": "thinking"}' >&2
printf '{"greeting": "hello", "asked": %s}' "$(cat)"`),
  { mode: 0o755 },
);
writeFileSync(join(folder, "broken"), program("exit 1"), { mode: 0o755 });

const engine = createEngine({ mode: "yolo" });
engine.sources.add(
  createExternalSource({
    directories: [{ path: folder }],
    cwd: folder,
    environment: childEnvironment(process.env),
    // Only you can say that a program is harmless; by itself it is of high risk.
    tools: { greet: { risk: "low", effects: "none" } },
  }),
);
try {
  // Nobody has to wait: a call of a name that is not known yet does.
  const result = await engine.run({ id: "1", name: "greet", input: { who: "you" } });
  console.log(result);
  assert.ok(result.ok);
  assert.deepEqual(result.data, { greeting: "hello", asked: { who: "you" } });

  // What a model is shown should be whole.
  await engine.sources.settled();
  assert.deepEqual(
    engine.list().map(({ name, risk }) => [name, risk]),
    [["greet", "low"]],
  );
  const [problem] = engine.sources.problems();
  console.log(problem?.message);
  assert.equal(problem?.reason, "exit_code");

  rmSync(join(folder, "broken"));
  assert.deepEqual((await engine.sources.refresh()).state, "complete");
  assert.deepEqual(engine.sources.problems(), []);
} finally {
  await engine.close();
  rmSync(folder, { recursive: true });
}
