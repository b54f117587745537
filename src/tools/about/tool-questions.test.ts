import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createSkills } from "../../app/host/skills/skills.ts";
import { agentTools } from "../agents/family.ts";
import { browserTools } from "../browser/family.ts";
import { builtInTools } from "../built-in.ts";
import { sessionTools } from "../session/family.ts";
import { createToolIndex } from "./search-tools.ts";

/** Questions of a reader who knows what each tool is for, and not how the index is built. */
const QUESTIONS = readFileSync("test/fixtures/tool-questions.txt", "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const [names = "", question = ""] = line.split(": ");
    return { names: names.split(", "), question };
  });

const options = { root: "/", environment: {} };
const tools = [
  ...builtInTools(options),
  ...browserTools({ ...options, browser: {} }),
  ...sessionTools({ skills: createSkills([]), dumpsFolder: "/" }),
  ...agentTools(),
];
const index = createToolIndex(tools.map((tool) => ({ tool, group: tool.group })));
const find = (question: string): readonly string[] => index.search(question, 5).map(({ tool }) => tool.name);

test("of 200 questions more than half find a right tool first, and 170 among the first five", (t) => {
  assert.equal(QUESTIONS.length, 200);
  for (const { names } of QUESTIONS)
    for (const name of names)
      assert.ok(
        tools.some((tool) => tool.name === name),
        name,
      );
  const ranks = QUESTIONS.map(({ question, names }) =>
    find(question).findIndex((name) => names.includes(name)),
  );
  const first = ranks.filter((rank) => rank === 0).length;
  const five = ranks.filter((rank) => rank >= 0).length;
  t.diagnostic(`hit@1 ${first}, hit@5 ${five} of ${ranks.length}`);
  assert.ok(first > 100, `${first} first`);
  assert.ok(five >= 170, `${five} among five`);
});

for (const [question, name] of [
  ["remove file", "delete_file"],
  ["deleting files", "delete_file"],
  ["looking at pictures", "image_recognition"],
] as const)
  test(`"${question}" finds ${name}`, () => assert.ok(find(question).includes(name)));
