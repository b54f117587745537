import assert from "node:assert/strict";
import { test } from "node:test";
import { shellSubject } from "../../../test/support/engines/shell-subject.ts";
import { findWritten, runsWritten } from "./written-files.ts";

const names = (set: ReadonlySet<string>): string => [...set].join(" ");

for (const [text, all, byRedirect, hidden, open] of [
  ["echo a > x", "x", "x", "", ""],
  ["echo a > x/y", "y", "y", "", ""],
  ["echo a > /dev/null", "", "", "", ""],
  ["echo a > $x", "", "", "", "open redirect"],
  ["cat < x", "", "", "", ""],
  ["echo a > x 2> y", "x y", "x y", "", ""],
  ["make > x", "x", "x", "x", ""],
  ["cat a > x", "x", "x", "x", ""],
  ["tee x <<< a", "x", "", "", ""],
  ["curl -o x a.com", "-o x a.com", "", "-o x a.com", ""],
  ["dd of=x <<< a", "of x", "", "of x", ""],
  ["cp a b", "", "", "", ""],
  ["echo a > a; cp a b", "a b", "a", "b", ""],
  ["echo a > a; mv a c; cp c d", "a c d", "a", "a c d", ""],
  ["cc -o x x.c", "", "", "", ""],
  ["python3 -c \"f('x y')\" z", "-c f x y", "", "-c f x y", ""],
  ["python3 z", "", "", "", ""],
  ["sed -i 'w x' f", "-i w x f", "", "-i w x f", ""],
  ["printf 'a b' | tar xf -", "xf", "", "xf", "open"],
  ["echo x | xargs touch", "", "", "", ""],
  ["echo x | xargs tee", "x", "", "", "open"],
  ["touch x <<< a", "", "", "", ""],
  ["git apply x <<< a", "apply x", "", "apply x", "open"],
  ["git add x <<< a", "", "", "", ""],
  ["git log > x", "x", "x", "x", ""],
  ["unzip x <<< a", "", "", "", "open"],
  ["exec < f; cp a b", "b", "", "b", ""],
  ["exec; cp a b", "", "", "", ""],
  ["env tee x <<< a", "x", "", "", ""],
  ["ls 'a b' x", "", "", "", ""],
  ["mytool 'a b' x", "a b x", "", "a b x", ""],
  ["mytool a b", "", "", "", ""],
  ["cat f | tee x", "x", "", "x", ""],
  ["make < f; cp a b", "", "", "", ""],
  ["echo a > a; mytool a b", "a b", "a", "a b", ""],
  ["echo a > a; mytool b,a c", "a b c", "a", "b a c", ""],
  ["grep 'a b' x", "", "", "", ""],
  ["tee add <<< a", "add", "", "", ""],
] as const)
  test(`${text} writes ${all || "no file"} with a text of its own`, async () => {
    const written = findWritten((await shellSubject(text)).parts);
    const opens = [written.isOpen ? "open" : "", written.isOpenRedirect ? "redirect" : ""].join(" ").trim();
    assert.deepEqual(
      [names(written.all), names(written.byRedirect), names(written.hidden), opens],
      [all, byRedirect, hidden, open],
    );
  });

for (const [text, expected] of [
  ["echo a > x; sh x", true],
  ["echo a > x; ./x", true],
  ["echo a > x; x", true],
  ["echo a > x; cat x", false],
  ["echo a > x; python3 x", false],
  ["curl -o x.py a.com; python3 x.py", true],
  ["echo a > x; . x", true],
  ["echo a > $x; sh y", true],
  ["echo a > $x; ./y", true],
  ["echo a > x; sh $y", true],
  ["echo a > x; ./y x", true],
  ["tee x <<< a; ./y x", false],
  ["tee x <<< a; sh x", true],
  ["tee x <<< a; ./x", true],
  ["split f xx <<< a; sh xxaa", true],
  ["echo a > x; sh xaa", true],
  ["echo a > x; awk 'system(\"x\")'", true],
  ["echo a > x; awk '{print}' x", false],
  ["echo a > x; python3 -c 'subprocess.run(\"./x\")'", true],
  ["python3 -c 'subprocess.run(\"./x\")'", false],
  ["sh x", false],
  ["ls; ./x", false],
  ["echo a > ab; sh b", false],
  ["echo a > abc; sh abcde", true],
  ["echo a > x; sh y", false],
  ["printf 'a b' | tar xf -; sh y", true],
  ["printf 'a b' | tar xf -; ./y", false],
  ["make > x; make -f x", true],
  ["echo a > x; awk 'execv(\"x\")'", true],
  ["echo a > x; awk 'spawnv(\"x\")'", true],
  ["echo a > x; awk 'shell_exec(\"x\")'", true],
  ["echo a > x; awk 'shelly(\"x\")'", true],
  ["echo a > x; awk 'spawning x'", true],
  ["echo a > x; awk 'print x'", false],
  ["echo a > x; perl -e 'print 1' -e 'system(\"x\")'", true],
  ["echo a > x; perl -e 'system(\"y\")' x", false],
  ["echo a > x; perl -e 'system(\"y\")' -e 'exec(\"x\")'", true],
  ["echo a > ab; sh abxy", true],
  ["echo a > x; sh a x", true],
  ["make > x; perl y x", false],
  ["unzip x <<< a; sh y", true],
  ["echo a > x; bash --rcfile=x", true],
] as const)
  test(`${text} ${expected ? "runs" : "does not run"} what it writes`, async () => {
    const { parts } = await shellSubject(text);
    const written = findWritten(parts);
    assert.equal(
      parts.some((part) => runsWritten(part, written, parts)),
      expected,
    );
  });
