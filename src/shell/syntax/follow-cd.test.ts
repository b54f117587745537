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
  for (const texts of [
    ["-"],
    [""],
    ["a", "b"],
    ["-e", "a"],
    ["-x"],
    ["--", "-"],
    ["+1"].slice(1).concat("-@"),
  ]) {
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
  for (const options of [[], ["-P"], ["-L"]]) {
    for (const first of paths) {
      for (const second of [".", "..", "../x", "l/../y"]) {
        const texts = [first, second].map((path) => [...options, path]);
        for (const shell of ["/bin/bash", "/bin/sh"]) {
          const reached = tryGo(shell, start, texts);
          if (reached === undefined) continue;
          const foretold = texts.reduce<readonly string[]>(
            (cwds, args) =>
              afterCd(
                ["cd", ...args].map((text) => ({ text, literal: true })),
                cwds,
                undefined,
              ),
            [start],
          );
          const real = foretold.flatMap((path) => existing(path));
          assert(
            foretold.length === 0 || real.includes(reached),
            `${shell} ${JSON.stringify(texts)}: ${reached}, foretold ${foretold.join(" ")}`,
          );
        }
      }
    }
  }
});

/** Returns the folder of a shell after these `cd`s; undefined if one fails. */
function tryGo(shell: string, cwd: string, texts: readonly (readonly string[])[]): string | undefined {
  const script = `${texts.map((args) => `cd ${args.join(" ")}`).join(" && ")} && pwd -P`;
  try {
    return execFileSync(shell, ["-c", script], { cwd, encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return undefined;
  }
}

function existing(path: string): readonly string[] {
  try {
    // The other shell resolves `..` by name.
    return [realpathSync.native(path)];
  } catch {
    return [];
  }
}
