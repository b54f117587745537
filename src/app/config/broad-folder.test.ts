import assert from "node:assert/strict";
import { test } from "node:test";
import { broadFolderWarning } from "./broad-folder.ts";

const HOME = "/home/Ann";

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
    const config = { workspace: [folder], userHome: HOME, broadWorkspace: false } as const;
    const warning = broadFolderWarning(config);
    assert.equal(warning?.includes(folder), isBroad || undefined);
    assert.equal(broadFolderWarning({ ...config, broadWorkspace: true }), undefined);
  });
