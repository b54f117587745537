import assert from "node:assert/strict";
import { test } from "node:test";
import type { Config } from "../config/config.ts";
import { chooseFolders } from "./choose-folders.ts";

const CONFIG = { workspace: ["/work"], userHome: "/home/Ann", broadWorkspace: false } as unknown as Config;

test("a folder that contains the home folder is refused in whatever case it is written", () => {
  for (const root of ["/", "/home", "/HOME", "/home/Ann", "/home/ann", "/Home/ANN"])
    assert.deepEqual(chooseFolders(CONFIG, [root]), ["/work"], root);
  assert.deepEqual(chooseFolders(CONFIG, ["/HOME/ANN", "/home/Ann/project", "/"]), ["/home/Ann/project"]);
  assert.throws(() => chooseFolders({ ...CONFIG, workspace: ["/home/ANN"] }, []), /cannot be the workspace/);
});

test("folders beside and in the home folder are not refused", () => {
  for (const root of ["/home/Anna", "/home/Ann/project", "/hom"])
    assert.deepEqual(chooseFolders(CONFIG, [root]), [root]);
});
