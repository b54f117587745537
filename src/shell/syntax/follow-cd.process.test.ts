import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { afterCd, eitherFolder } from "./follow-cd.ts";

function go(...texts: readonly string[]): readonly string[] {
  const words = ["cd", ...texts].map((text) => ({ text, literal: true }));
  return afterCd(words, ["/w", "/v"], "/home/u");
}

test("a path is resolved from every folder in which the shell may be", () => {
  assert.deepEqual(go("a//./b/"), ["/w/a/b", "/v/a/b"]);
  assert.deepEqual(go("/x/./y"), ["/x/y"]);
  assert.deepEqual(go("--", "a"), ["/w/a", "/v/a"]);
  assert.deepEqual(go("-L", "a"), ["/w/a", "/v/a"]);
  assert.deepEqual(go(), ["/home/u"]);
  assert.deepEqual(go("--"), ["/home/u"]);
});

test("an undetermined target is unknown", () => {
  for (const texts of [["-"], [""], ["a", "b"], ["-e", "a"], ["-x"], ["--", "-"], ["-@"]]) {
    assert.deepEqual(go(...texts), [], texts.join(" "));
  }
  assert.deepEqual(afterCd([{ text: "cd", literal: true }], ["/w"], undefined), []);
  assert.deepEqual(
    afterCd(
      [
        { text: "cd", literal: true },
        { text: "a", literal: false },
      ],
      ["/w"],
      "/h",
    ),
    [],
  );
  assert.deepEqual(
    afterCd(
      [
        { text: "cd", literal: true },
        { text: "a", literal: true },
      ],
      [],
      "/h",
    ),
    [],
  );
  assert.deepEqual(
    afterCd(
      [
        { text: "cd", literal: true },
        { text: "/a", literal: true },
      ],
      [],
      "/h",
    ),
    ["/a"],
  );
});

test("two outcomes are merged, and unknown if either is", () => {
  assert.deepEqual(eitherFolder(["/a"], ["/b", "/a"]), ["/a", "/b"]);
  assert.deepEqual(eitherFolder(["/a"], []), []);
  const many = Array.from({ length: 6 }, (_, index) => `/${index}`);
  assert.deepEqual(
    eitherFolder(
      many,
      many.map((folder) => `${folder}x`),
    ),
    [],
  );
});

test("the folder that a shell reaches through links and .. is always predicted", (context) => {
  const root = temporaryFolder(context);
  for (const folder of ["w/a/b", "w/x", "far/deep/c", "far/x", "far/y"])
    mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(join(root, "far/deep"), join(root, "w/l"));
  const start = join(root, "w");
  const paths = [
    "a/..",
    "l/..",
    "l/../x",
    "l/../y",
    "l/c/../..",
    "l/c/../../y",
    "..",
    "../w/l/..",
    "l/../../w",
    "a/../l/c/..",
    "l/../y/../x",
  ];
  const seconds = [".", "..", "../x", "l/../y"];
  const cases = ["", "-P ", "-L "].flatMap((option) =>
    paths.flatMap((first) => seconds.map((second) => [`${option}${first}`, `${option}${second}`])),
  );
  for (const shell of ["/bin/bash", "/bin/sh"]) {
    const reached = goAll(shell, start, cases);
    assert.equal(reached.length, cases.length);
    for (const [index, steps] of cases.entries()) {
      if (reached[index] === "") continue;
      const predicted = steps.reduce<readonly string[]>(
        (cwds, step) =>
          afterCd(
            `cd ${step}`.split(" ").map((text) => ({ text, literal: true })),
            cwds,
            undefined,
          ),
        [start],
      );
      const real = predicted.flatMap((path) => existing(path));
      assert(
        predicted.length === 0 || real.includes(reached[index] ?? ""),
        `${shell} ${steps.join(", ")}: ${reached[index]}, predicted ${predicted.join(" ")}`,
      );
    }
  }
});

/** Returns the folder of a shell after the `cd`s of each case; empty if one of them fails. */
function goAll(shell: string, cwd: string, cases: readonly (readonly string[])[]): readonly string[] {
  const lines = cases.map((steps) => {
    const commands = [...steps.map((step) => `cd ${step}`), "pwd -P"];
    return `(${commands.join(" && ")}) 2>/dev/null || echo`;
  });
  const output = execFileSync(shell, ["-c", lines.join("\n")], { cwd, encoding: "utf8" });
  return output.split("\n").slice(0, -1);
}

function existing(path: string): readonly string[] {
  try {
    // The other shell resolves `..` by name.
    return [realpathSync.native(path)];
  } catch {
    return [];
  }
}
