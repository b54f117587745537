import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf } from "../../../test/support/generators/command-words.ts";
import { mayHaveAddress, mayNameHosts } from "./network-programs.ts";

/** Programs of the tables with options or settings for hosts among many others: how the words of each line count. */
const CASES: Readonly<Record<"arguments" | "code" | "urls", string>> = {
  arguments: `slogin a
git annex initremote x type=rsync rsyncurl=a:b`,
  code: `tar cf a:b c
gtar cf a:b c
cpio -oF a:b
cpio --file=u@a:b
systemd-run -H a x
systemd-run --host=a x
systemctl --machine=a x
mount a:b c
umount a:b
asdf plugin add x a:b
mise plugin install x a:b
export TAPE=a:b
export my_proxy+=a
export PIP_INDEX_URL=a
export PROXY_HOSTS=a
declare -x NPM_CONFIG_REGISTRY=a
typeset -x DB_HOST=a
set -a
set -ea
set -o allexport`,
  urls: `cpio -oF a
gtar cf a b
systemd-run a
export A=a:b
export a https_proxy
set -e
git log annexes`,
};

for (const [places, lines] of Object.entries(CASES)) {
  for (const line of lines.split("\n")) {
    test(`hosts of ${line} are found in its ${places}`, () => {
      const command = commandOf(line);
      const name = command.words[0]?.text;
      const [names, has] = [mayNameHosts(name, command), mayHaveAddress(name, command, false)];
      assert.equal(names ? "arguments" : has ? "code" : "urls", places);
    });
  }
}
