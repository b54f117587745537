// What commands with globs and variables may show without approval, by their effect: they run as a user's do, in mode auto, with nobody to ask.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { loadConfig } from "../../src/app/config/config.ts";
import { denyAll } from "../../src/app/host/approvals/answers.ts";
import { openHost } from "../../src/app/host/open-host.ts";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SECRET = "CANARY-8f21c";

/** Commands that would print a secret, or change something, if a glob or a variable had the effect that a shell gives it. */
const HOSTILE = [
  "cat .e*",
  "cat .*",
  "cat *",
  "cat */*",
  "cat */id_rsa",
  "cat k*s/*",
  "head ~/.ssh/*",
  "head $HOME/.ssh/*",
  "head ../home/.ssh/id_*",
  "grep -r CANARY .*",
  "grep -r CANARY *",
  "grep CANARY -r . -s --include=*",
  "wc -l .env* && cat d*d/*",
  "sort *",
  "sort odd/*",
  "sort -u odd/*",
  "cd odd && sort *",
  "cd odd && ls *",
  "cd odd && tail *",
  "cd odd && awk *",
  "cd odd && awk '{print}' *",
  "awk '{print}' .e*",
  "awk '1' */*",
  "diff * /dev/null",
  "od -c .e*",
  "hexdump -C .e*",
  "base64 .e*",
  "join .e* .e*",
  "strings * .e*",
  "git show HEAD:.env",
  "git show HEAD:./.e*",
  "echo $OPENAI_API_KEY",
  'printf "%s" "$OPENAI_API_KEY"',
  "echo ${OPENAI_API_KEY}",
  "printenv *",
  "ps aux",
  "ps auxe",
  "ps -ef",
  "man -P 'cat .env' ls",
  "go version",
  "ls * > out.txt",
  "ls * | tee out.txt",
] as const;

/** They must still work: a test in which nothing runs proves nothing. */
const HARMLESS = [
  "ls *.md",
  "wc -l src/*.ts",
  "cat src/*.ts",
  "awk '{print $1}' src/a.ts",
  "echo $HOME *.md",
] as const;

for (const { hasBoxes, hasDenies, name } of [
  { hasBoxes: true, hasDenies: false, name: "in a read-only sandbox" },
  { hasBoxes: true, hasDenies: true, name: "in a read-only sandbox, with a denied folder" },
  { hasBoxes: false, hasDenies: false, name: "where no sandbox works" },
])
  test(
    `globs and variables show no secret and change nothing ${name}`,
    { skip: hasBoxes && withoutBoxes },
    async (t) => {
      const root = temporaryFolder(t);
      const [folder, home] = [join(root, "work"), join(root, "home")];
      for (const name of ["src", "keys", "denied", "odd"]) mkdirSync(join(folder, name), { recursive: true });
      mkdirSync(join(home, ".ssh"), { recursive: true });
      mkdirSync(join(home, ".toolwright"));
      const settings = { shell: { readOnlyIsLow: true, sandbox: hasBoxes } };
      writeFileSync(join(home, ".toolwright/config.json"), JSON.stringify(settings));
      const rules = hasDenies ? [{ path: "denied/**", decision: "deny" }] : [];
      writeFileSync(join(home, ".toolwright/policy.json"), JSON.stringify({ rules }));
      for (const file of [".env", "keys/id_rsa", ...(hasDenies ? ["denied/a"] : []), "src/.env", "odd/.env"])
        writeFileSync(join(folder, file), `KEY=${SECRET}\n`);
      writeFileSync(join(home, ".ssh/id_rsa"), SECRET);
      for (const file of ["README.md", "src/a.ts"]) writeFileSync(join(folder, file), "public\n");
      // Names that a program takes for options.
      for (const file of [
        "-ofile",
        "--files0-from=list",
        "--output=x",
        "-f.env",
        "--compress-program=touch made",
      ])
        writeFileSync(join(folder, "odd", file), "public\n");
      writeFileSync(join(folder, "odd/list"), ".env\0../.env\0");
      const before = names(root);
      const variables = { HOME: home, PATH: process.env["PATH"], OPENAI_API_KEY: SECRET };
      const host = await openHost({
        need: "call",
        flags: {},
        config: loadConfig({}, { cwd: folder, variables, userHome: home }),
        warn: () => undefined,
        asksQueue: false,
        approvers: [denyAll("nobody is there", "")],
      });
      t.after(() => host.close());
      const run = async (command: string): Promise<string> =>
        JSON.stringify(
          await host.engine.run({ id: "1", name: "shell", input: { command } }, { session: command }),
        );
      // With a deny rule of one's own, every glob that may match it is a question.
      for (const command of HOSTILE.filter((_, index) => !hasDenies || index % 4 === 0)) {
        const answer = await run(command);
        assert.ok(!answer.includes(SECRET), `${command}: ${answer}`);
      }
      assert.deepEqual(names(root), before);
      assert.equal(existsSync(join(folder, "odd/made")), false);
      const answers = hasDenies ? [] : await Promise.all(HARMLESS.map(run));
      for (const [index, answer] of answers.entries())
        assert.equal(answer.includes('"exit_code":0'), hasBoxes, `${HARMLESS[index]}: ${answer}`);
    },
  );

/** Returns the files below a folder, without those of Toolwright. */
function names(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.includes(".toolwright"))
    .sort();
}
