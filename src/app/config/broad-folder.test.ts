import assert from "node:assert/strict";
import { test } from "node:test";
import { broadFolderWarning } from "./broad-folder.ts";
import type { PathSettings } from "./groups.ts";

const HOME = "/home/Ann";

const pathsOf = (folder: string): PathSettings => ({
  home: `${HOME}/.toolwright`,
  userHome: HOME,
  workspace: [folder],
  broadWorkspace: false,
  store: ":memory:",
  files: { user: `${HOME}/.toolwright/config.json`, project: `${folder}/.toolwright/config.json` },
});

for (const [folder, isBroad] of [
  ["/home/Ann", true],
  ["/HOME/ann", true],
  ["/home", true],
  ["/", true],
  ["/home/Ann/project", false],
  ["/home/Annabel", false],
  ["/srv", false],
] as const)
  test(`a session in ${folder} ${isBroad ? "warns" : "does not warn"} about the home folder`, () => {
    const paths = pathsOf(folder);
    const warning = broadFolderWarning(paths);
    assert.equal(warning?.includes(folder), isBroad || undefined);
    assert.equal(broadFolderWarning({ ...paths, broadWorkspace: true }), undefined);
  });
