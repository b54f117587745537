import assert from "node:assert/strict";
import { test } from "node:test";
import { readsInBox } from "./reads-in-box.ts";

const reads = (text: string): boolean => readsInBox({ kind: "command", text, cwd: "/w" }, "/home/ada");

for (const text of [
  "ls *.md",
  "wc -l src/*.ts test/*.ts | tail -1",
  "du -sh * | sort -h",
  'echo $HOME "$PATH" ${LANG}',
  "awk -F, '{print $2}' data.csv",
  "awk 'NR>=10 && NR<=20' a.ts",
  "awk '$3 > 10 || $1 == \"x\" {print $1, $2}' a.txt",
  "git show HEAD~2:src/a.ts",
  "go version",
  "split --help",
  "cargo --version",
  "java -version",
  "man ls | head -5",
  "hexdump -C a.bin | head",
  "expr 2 + 3",
  "find *.d -name x",
  'printf %s "$HOME"',
  "uniq *.txt",
  "cargo -V",
  "cargo version",
  "rustc -V",
  "javac -version",
  "ruby -v",
  "php -v",
  "tsc -v",
])
  test(`in a read-only sandbox ${text} only reads`, () => assert.equal(reads(text), true));

for (const text of [
  "rm *.md",
  "*.sh",
  "$EDITOR a",
  "ls > *.md",
  "ls *.md > list",
  "ls *.md && touch a",
  "sort -o b *.md",
  "find . -name '*.md' -delete",
  "find . -exec cat {} +",
  "cat $FILE",
  'cat "$HOME/.ssh/id_rsa"',
  "A=1 ls *.md",
  "ls $(cat a)",
  "ls `cat a`",
  "ls {a,b}*",
  "awk 'BEGIN { system(\"ls\") }'",
  "awk 'BEGIN { \"ls\" | getline }'",
  "awk '{ print | \"sh\" }' a",
  "awk '{ print > \"b\" }' a",
  'awk \'{ printf "%s", $1 >> "b" }\' a',
  "awk 'BEGIN { ARGV[1] = \"/etc/shadow\"; ARGC = 2 } 1'",
  "awk -f a.awk b",
  "awk '@load \"x\"' b",
  "git show --textconv HEAD:a",
  "git show HEAD:/etc/passwd",
  "git -c core.pager=x show HEAD:a",
  "go run .",
  "cargo version --list",
  "sh --version < a",
  "man /tmp/x",
  "./ls *.md",
  "ps auxe",
  "unknown --help",
  "echo $OPENAI_API_KEY",
  'printf %s "$X"',
  "echo ${HOMEX}",
  "echo $HOME$KEY",
  "env npm test",
  "timeout 60 npm test",
  "nice rm a",
  "ls * | xargs rm",
  "command rm *.md",
  "time make",
  "sudo ls *.md",
  "< a.txt",
  "ls --frobnicate *.md",
  "ls -- *.md",
  "ls @args *.md",
  "uniq a* b*",
  "git branch a*",
  "git log HEAD:a",
  "git show 'a b:c'",
  "jq 'import:x' *.json",
  "go build",
])
  test(`nothing is proven about ${text}, also in a read-only sandbox`, () =>
    assert.equal(reads(text), false));

test("nothing is proven about input for a running program, or a command that asks for the machine", () => {
  const fact = { kind: "command", text: "ls *.md", cwd: "/w" } as const;
  assert.equal(readsInBox({ ...fact, interactive: true }), false);
  assert.equal(readsInBox({ ...fact, outside: true }), false);
});
