import assert from "node:assert/strict";
import { resolve } from "node:path/posix";
import { test } from "node:test";
import { createPolicyCommands } from "../src/app/host/policy.ts";
import type { Rule } from "../src/core/rule.ts";
import type { Verdict } from "../src/core/verdict.ts";
import { createPolicy } from "../src/policy/policy.ts";
import { jobOf, SHELL } from "./support/engines/policy-jobs.ts";

const COMMANDS = createPolicyCommands("/h", () => true);
const NO_RM: Rule = { command: ["rm"], decision: "deny" };
const NO_ENV: Rule = { path: "**/.env", decision: "deny" };

async function verdictOn(text: string, rules: readonly Rule[]): Promise<Verdict["kind"]> {
  const layers = [{ name: "user", rules, mayAllow: true }];
  const policy = createPolicy({ mode: "yolo", workspace: ["/w"], home: "/h", commands: COMMANDS, layers });
  const fact = { kind: "command", text, cwd: "/w" } as const;
  const reading = await COMMANDS.read(fact);
  const paths = reading.paths.map(({ text: path, cwd, access, suspected = false }) => {
    const named = { kind: "path", path: resolve(cwd, path), access } as const;
    return suspected ? { ...named, suspected } : named;
  });
  return policy.judge(jobOf([{ ...fact, reading }, ...paths], { tool: SHELL, input: { command: text } }))
    .kind;
}

async function allowedOf(lines: string, rules: readonly Rule[]): Promise<readonly string[]> {
  const allowed: string[] = [];
  for (const text of lines.split("\n")) if ((await verdictOn(text, rules)) === "allow") allowed.push(text);
  return allowed;
}

const FED = String.raw`su
su root
su - root
runuser
sudo -s
sudo -i
sudo su
doas -s
pkexec
unshare
unshare -r
nsenter -t 1 -a
chroot /
script z
script -q z
setarch
setarch x86_64
linux64
fakeroot
firejail
proot
capsh --
parallel
xargs -0 sh -c
xargs sh -c
poetry shell
ssh h
ssh -F /dev/stdin h
docker run -i image
distrobox enter box
aws-vault exec profile
yash
nu
rc
elvish
xonsh
pwsh
pwsh -Command -
rbash
ksh93
zsh5
telnet
R --no-save`;

test("programs that start a shell, or run the lines of their input, if they are given no command, may run what is denied", async () => {
  const given = (program: string): string =>
    `echo 'rm -rf x' | ${program}\n${program} <<< 'system("rm -rf x")'`;
  assert.deepEqual(await allowedOf(FED.split("\n").map(given).join("\n"), [NO_RM]), []);
});

const STARTED = String.raw`setarch x86_64 rm -rf x
setarch x86_64 -R rm -rf x
setarch -R rm -rf x
linux64 rm -rf x
gosu root rm -rf x
su-exec root rm -rf x
s6-setuidgid root rm -rf x
chpst -u root rm -rf x
setuidgid root rm -rf x
envdir d rm -rf x
su root -- -c 'rm -rf x'
su - root -c 'rm -rf x'
capsh --drop=cap_kill -- -c 'rm -rf x'
bwrap --ro-bind / / --dev /dev --proc /proc rm -rf x
gdbserver :1234 rm -rf x
perf sched record rm -rf x
perf kvm stat record rm -rf x
tmux new-session -d rm -rf x
tmux -S z neww rm -rf x
tmux send-keys rm Space -rf Space x Enter
zellij run -- rm -rf x
launchctl asuser 0 rm -rf x
distrobox enter box -- rm -rf x
wsl rm -rf x
proot ls ls ls ls ls ls ls ls ls ls ls ls ls ls ls ls ls rm -rf x
proot ls "$x" -rf x
strace -o '!rm -rf x' true
sftp -D 'rm -rf x'
git send-email --sendmail-cmd='rm -rf x' a.patch
more '+!rm -rf x' a.txt
R -e 'system("rm -rf x")'
ansible localhost -m shell -a 'rm -rf x'
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!rm -rf x' git x
GIT_CONFIG_PARAMETERS="'alias.x'='!rm -rf x'" git x
printf '[alias]\nx=!rm -rf x\n' > g; GIT_CONFIG_GLOBAL=g git x
export GIT_CONFIG_GLOBAL=g; printf '[alias]\nx=!rm -rf x\n' > g; git x
git log -1 --format='rm -rf x' --output=z; sh z
git log -1 --format=rm%x20-rf%x20x --output=z; sh z
echo 'rm -rf x' > ls; chmod +x ls; PATH=.:$PATH ls
echo 'rm -rf x' > ls; chmod +x ls; export PATH=.; ls`;

test("a denied command after arguments that are not in the tables, in settings, or under a name that a changed PATH finds is not allowed", async () => {
  assert.deepEqual(await allowedOf(STARTED, [NO_RM]), []);
});

test("the same programs with other commands are allowed beside a deny rule", async () => {
  const harmless = `su -c ls root
runuser -u root ls
sudo ls
setarch x86_64 ls
linux64 ls
gosu root ls
tmux ls
script -c ls z
parallel echo ::: a b
ssh -N -L 1:a:2 h
docker run image
poetry shell
GIT_CONFIG_NOSYSTEM=1 git status
PATH=/opt/bin:$PATH ls
git log -1 --output=z
ls | ts`;
  assert.deepEqual(await allowedOf(harmless, [NO_RM]), harmless.split("\n"));
});

test("git stash and git clean may remove a denied file if they take files that are not in the index", async () => {
  const all = `git stash -u
git stash -a
git stash push --include-untracked
git stash push --all
git stash save -u note
git clean -fdx
git clean --force sub`;
  assert.deepEqual(await allowedOf(all, [NO_ENV]), []);
  const others = `git add -u
git add src/a.ts
git stash
git stash push -m note
git stash pop
git stash list
git clean -nd`;
  assert.deepEqual(await allowedOf(others, [NO_ENV]), others.split("\n"));
});

test("without rules, a protected file that a written program or a script of sed names is not read", async () => {
  const reading = `sed 'r.env' a.txt
sed '1r.env' a.txt
sed -e '$r .env' a.txt
echo 'cat .env' > ls; chmod +x ls; PATH=. ls
echo 'cat .env' | su
echo 'cat .env' | setarch x86_64
echo 'cat .env' | script -q z
echo 'cat .env' | xargs -0 sh -c
gosu root cat .env
tmux new-session -d cat .env`;
  assert.deepEqual(await allowedOf(reading, []), []);
  const others = `sed 's/a.key/b/' a.txt
sed -i 's/server.key/b/' a.txt
echo x > ls; ls`;
  assert.deepEqual(await allowedOf(others, []), others.split("\n"));
});

test("text that is only known at run time is not proven", async () => {
  for (const text of ["echo ls | xargs sh -c", "xargs -0 bash -c", "xargs -I{} sh -c {}"]) {
    const reading = await COMMANDS.read({ kind: "command", text, cwd: "/w" });
    assert.deepEqual([reading.certainty, reading.runsUnknown, reading.argv], ["read", true, undefined], text);
  }
});
