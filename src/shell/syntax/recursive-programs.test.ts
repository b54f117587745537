import assert from "node:assert/strict";
import { test } from "node:test";
import { comparesFolders, descends, followsLinks } from "./recursive-programs.ts";

type Trait = (
  program: string,
  words: readonly { readonly text: string; readonly literal: boolean }[],
) => boolean;

/** Returns the commands that have the trait. */
function having(trait: Trait, lines: string): readonly string[] {
  return lines.split("\n").filter((line) => {
    const words = line.split(" ").map((text) => ({ text, literal: true }));
    return trait(words[0]?.text ?? "", words);
  });
}

test("git takes or removes whole folders only with some options", () => {
  const taking = `git add -f x
git stage --force x
git add -vf x
git stash -u
git stash -ku
git stash push -a
git stash push -ak
git stash --include-untracked
git stash --inc
git stash push --all
git stash --al
git clean -f
git clean -fdx
git clean -dfx
git clean --force
git clean --f
git diff --no-index a b
git grep --untracked x`;
  assert.deepEqual(having(descends, taking), taking.split("\n"));
  const others = `git add -A
git add x-f
git stash
git stash -k
git stash push -m x
git stash x-u
git stash x--all
git stash --index
git stash -1u
git clean -n
git clean x-f
git clean x--force
git clean -1f
git status -u
tar-stash -u
mytool clean -f
mytool stash -u
mytool add -f`;
  assert.deepEqual(having(descends, others), []);
});

test("programs that descend, compare folders or follow links do so always or with an option", () => {
  const descending = `rg x
tar c x
grep -r x
cp -a x y
rm -rf x
find . -delete
chmod -R x y`;
  assert.deepEqual(having(descends, descending), descending.split("\n"));
  assert.deepEqual(having(descends, "cp x y\ngrep x y\nfind . -name x\nls -R x\nmytool -r x\nchmod x y"), []);
  const following = `zip x y
diff x y
grep -R x
rg -L x
7z a x y
scp x y
ack -f x
fd -L x
tar ch x
bsdtar -h x
rsync -aL x y
rsync -k x y
rsync --copy-links x y
cp -L x y
cp -aL x y`;
  assert.deepEqual(having(followsLinks, following), following.split("\n"));
  assert.deepEqual(
    having(followsLinks, "cp -r x y\ncp x-L y\nrsync -a x y\ngrep -r x\nrg x\nls -L x\nmytool -L x"),
    [],
  );
  assert.deepEqual(["diff", "sdiff", "cmp", ""].filter(comparesFolders), ["diff", "sdiff"]);
});
