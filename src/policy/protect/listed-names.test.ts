import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeShell } from "../../../test/support/engines/judge-shell.ts";

const READ = "protected-read";
const TARGET = "protected-target";

for (const [command, rule] of [
  ["echo .env | xargs cat", READ],
  ["echo '\".env\"' | xargs cat", READ],
  ["echo '.\\env' | xargs cat", READ],
  ["printf '\\x2eenv' | xargs cat", READ],
  ["printf 'a\\0.env\\0' | xargs -0 cat", READ],
  ["echo a,.env | xargs -d, cat", READ],
  ["echo .env | sort | head -1 | xargs -I% cp % out", READ],
  ["echo .env | sudo env xargs sh -c 'cat a'", READ],
  ["echo .env | parallel head -1", READ],
  ["(echo .env; echo a) | xargs cat", READ],
  ["for f in .env; do echo $f; done | xargs cat", READ],
  ["find . -name .env | xargs cat", READ],
  ["find . -name '*.pem' -print0 | xargs -0 cat", READ],
  ["ls -a | grep '^.env$' | xargs cat", READ],
  ["ls -a | grep -v '^.env$' | xargs cat", undefined],
  ["find . -not -name .env | xargs cat", undefined],
  ["git ls-files | xargs cat", undefined],
  ["grep -rl 'process.env' src | xargs grep '\\.env'", undefined],
  ["echo .env | xargs ls -l", undefined],
  ["xargs -a .env echo", READ],
  ["xargs < .env", READ],
  ["printf '.env\\n' | while read f; do cat \"$f\"; done", READ],
  ["while read -r f; do cat < $f; done <<< .env", READ],
  ["while read a b; do cat $b; done <<E\na .env\nE", READ],
  ["read -d: f <<< .env:; cat $f", READ],
  ["read <<< .env; cat $REPLY", READ],
  ['mapfile -t f <<< .env; cat "${f[0]}"', READ],
  ["while read f; do cat $f; done < <(echo .env)", READ],
  ["while read f; do cat $f; done <<< a.txt", undefined],
  ["echo .env | tar -cT -", READ],
  ["echo .env | cpio -o", READ],
  ["echo sub/.env | rsync --files-from=- . out", READ],
  ["echo .env | git add -f --pathspec-from-file=-", READ],
  ["printf '.env\\0' | sort --files0-from=-", READ],
  ["echo .env > l; tar -cT l", READ],
  ["echo .env > l; xargs -a l cat", READ],
  ["echo .env | tee l; while read f; do cat $f; done < l", READ],
  ["cat > l <<< .env; xargs cat < l", READ],
  ["echo .env > l; cat l", undefined],
  ["echo .env >> .gitignore; git ls-files | xargs wc -l", READ],
  ["ls -A | grep env | xargs cat", READ],
  ["ls -A | grep env | sed 's/^/cat /e'", READ],
  ["ls -A | grep env | awk '{while((getline l<$0)>0)print l}'", READ],
  ["ls -A | grep txt | sed 's/^/cat /e'", undefined],
  ["ls -A | grep env | sed 's/a/b/'", undefined],
  ["ls -A | grep env | wc -l", undefined],
  ["echo .env > list; tar cTf list - < list", READ],
  ["echo .env > list; tar cTf list - <<< a.txt", undefined],
  ["cp a l; echo .env; xargs cat < l", READ],
  ["echo .env | dd of=l; xargs cat < l", READ],
  ["echo .env; xargs cat < l", undefined],
  ["echo .env > l; wc l", undefined],
  ["echo .env > l; mapfile f < l; cat $f", READ],
  ["echo .env | xargs -i cat {}", READ],
  ["echo .env | xargs -I% cat a", undefined],
  ["echo .git/hooks/x | xargs touch", TARGET],
  ["echo .bashrc | xargs -I{} cp evil {}", TARGET],
  ["echo .bashrc > l; xargs -I{} cp evil {} < l", TARGET],
  ["echo .bashrc | while read f; do echo x >> $f; done", TARGET],
  ["echo a.txt | xargs -I{} cp evil {}", undefined],
  ["echo /etc/cron.d/x | xargs tee", TARGET],
] as const)
  test(`in yolo, ${JSON.stringify(command)} ${rule === undefined ? "runs" : `needs approval by ${rule}`}`, async () => {
    const verdict = await judgeShell(command, [], "yolo");
    if (rule === undefined) assert.equal(verdict.kind, "allow", verdict.reason);
    else assert.deepEqual([verdict.kind, verdict.rule], ["ask", rule]);
  });

test("a list of hundreds of names is read to its end", async () => {
  const names = Array.from({ length: 300 }, (_, index) => `f${index}.txt`);
  for (const run of ["xargs -n1 wc", 'while read f; do wc "$f"; done']) {
    const list = (last: string): string => `printf '%s\\n' ${[...names, last].join(" ")} | ${run}`;
    assert.equal((await judgeShell(list("a.txt"), [], "yolo")).kind, "allow");
    const verdict = await judgeShell(`cat <<E | ${run}\n${[...names, ".env"].join("\n")}\nE`, [], "yolo");
    assert.equal(verdict.rule, READ, run);
  }
});
