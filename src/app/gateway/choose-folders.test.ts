import assert from "node:assert/strict";
import { test } from "node:test";
import type { PathSettings } from "../config/groups.ts";
import { chooseFolders } from "./choose-folders.ts";

const PATHS: PathSettings = {
  home: "/home/Ann/.toolwright",
  userHome: "/home/Ann",
  workspace: ["/work"],
  broadWorkspace: false,
  store: ":memory:",
  files: { user: "/home/Ann/.toolwright/config.json", project: "/project/.toolwright/config.json" },
};

test("a folder that contains the home folder is refused in whatever case it is written", () => {
  for (const root of ["/", "/home", "/HOME", "/home/Ann", "/home/ann", "/Home/ANN"])
    assert.deepEqual(chooseFolders(PATHS, [root]), ["/work"], root);
  assert.deepEqual(chooseFolders(PATHS, ["/HOME/ANN", "/home/Ann/project", "/"]), ["/home/Ann/project"]);
  assert.throws(() => chooseFolders({ ...PATHS, workspace: ["/home/ANN"] }, []), /cannot be the workspace/);
});

test("folders beside and in the home folder are not refused", () => {
  for (const root of ["/home/Anna", "/home/Ann/project", "/hom"])
    assert.deepEqual(chooseFolders(PATHS, [root]), [root]);
});
