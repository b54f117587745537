import assert from "node:assert/strict";
import { test } from "node:test";
import { shellSubject } from "../../../test/support/engines/shell-subject.ts";
import { isWithoutStorage, parseArguments } from "./command-part.ts";

const PROPERTIES = [
  "isBlind",
  "isOpen",
  "isKnown",
  "runsFile",
  "isShell",
  "readsCode",
  "runsCode",
  "printsKnownText",
  "opensNoFiles",
  "isRunner",
  "usesNetwork",
  "mayHaveAddress",
  "reachesAnyHost",
  "isRecursive",
  "readsFolders",
  "followsLinks",
] as const;

/** What holds for one of the parts of each command. */
const CASES: Readonly<Record<string, string>> = {
  ls: "isKnown",
  "echo a": "isKnown printsKnownText opensNoFiles",
  "echo $x": "isOpen isKnown printsKnownText opensNoFiles",
  "printf a": "isKnown printsKnownText opensNoFiles",
  "cat <<< a": "isKnown printsKnownText",
  "cat < f": "isKnown",
  'tee x <<< "$y"': "isKnown",
  $x: "isBlind isOpen",
  sh: "isBlind isKnown runsFile isShell",
  "sh x": "isKnown runsFile isShell",
  "sh -c ls": "isKnown runsFile isShell",
  "bash -s": "isBlind isKnown runsFile isShell",
  "bash --version": "isKnown runsFile isShell",
  "bash +e": "isBlind isKnown runsFile isShell",
  "bash -x": "isBlind isKnown runsFile isShell",
  "dash -": "isBlind isKnown runsFile isShell",
  ". f": "isKnown runsFile isShell",
  "source f": "isKnown runsFile isShell",
  "./x": "runsFile",
  "/bin/ls": "isKnown runsFile",
  mytool: "",
  "python3 a": "isKnown readsCode runsCode isRunner",
  "python3.12 a": "isKnown readsCode runsCode isRunner",
  "Python3 a": "isKnown readsCode runsCode isRunner",
  "gsed x": "isKnown readsCode runsCode",
  "nawk x": "isKnown readsCode runsCode isRunner",
  pypythonx: "",
  xpython: "",
  "xargs rm": "isOpen isKnown",
  "parallel rm": "isOpen isKnown mayHaveAddress",
  "find . -delete": "isKnown isRecursive",
  "find . -name x": "isKnown",
  "find . -exec ls ;": "isOpen isKnown isRecursive",
  "git grep --no-index x": "isKnown isRecursive",
  "git grep --untracked x": "isKnown isRecursive",
  "git grep x": "isKnown",
  "git add .": "isKnown",
  "git add -f .": "isKnown isRecursive",
  "git add --force .": "isKnown isRecursive",
  "git stage -Af .": "isKnown isRecursive",
  "git stage -A .": "isKnown",
  "git add -- f": "isKnown",
  "rg x": "isKnown isRecursive",
  "tar cf x y": "isKnown isRecursive",
  "tar chf x y": "isKnown isRecursive followsLinks",
  "tar -chf x y": "isKnown isRecursive followsLinks",
  "tar --dereference x": "isKnown isRecursive followsLinks",
  "mv a b": "isKnown isRecursive",
  "grep -r x": "isKnown isRecursive",
  "grep -d x": "isKnown isRecursive",
  "grep -v x": "isKnown",
  "grep -R x": "isKnown isRecursive followsLinks",
  "grep --recursive x": "isKnown isRecursive",
  "grep --directories=x": "isKnown isRecursive",
  "grep --dereference-recursive x": "isKnown isRecursive followsLinks",
  "zgrep -ir x": "isRecursive",
  "cp a b": "isKnown",
  "cp -a a b": "isKnown isRecursive",
  "cp -r a b": "isKnown isRecursive",
  "cp -L a b": "isKnown followsLinks",
  "cp -rL a b": "isKnown isRecursive followsLinks",
  "cp --recursive a b": "isKnown isRecursive",
  "cp --archive a b": "isKnown isRecursive",
  "cp --dereference a b": "isKnown followsLinks",
  "rm -r a": "isKnown isRecursive",
  "rm --rec a": "isKnown isRecursive",
  "scp a b": "isKnown usesNetwork followsLinks",
  "chmod 1 a": "isKnown",
  "chmod -R 1 a": "isKnown isRecursive",
  "chown --recursive x a": "isKnown isRecursive",
  "chmod -x-R a": "isKnown",
  "diff a b": "isKnown readsFolders followsLinks",
  "colordiff a b": "readsFolders followsLinks",
  "zip x y": "isKnown readsCode runsCode isRecursive followsLinks",
  "7z x": "isKnown isRecursive followsLinks",
  "rsync a b": "isKnown usesNetwork isRecursive",
  "rsync -aL a b": "isKnown usesNetwork isRecursive followsLinks",
  "rsync --copy-links a b": "isKnown usesNetwork isRecursive followsLinks",
  "rg --follow x": "isKnown isRecursive followsLinks",
  "rg -L x": "isKnown isRecursive followsLinks",
  "fd -L x": "isKnown isRecursive followsLinks",
  "make a": "isKnown readsCode runsCode isRunner",
  "gmake a": "isKnown readsCode runsCode isRunner",
  "npm test": "isKnown runsCode isRunner",
  "docker ps": "isKnown isRunner usesNetwork",
  "curl a.com": "isKnown usesNetwork",
  "go get a.com/x": "isKnown isRunner usesNetwork mayHaveAddress",
  "go install a.com/x@latest": "isKnown isRunner usesNetwork mayHaveAddress",
  "go mod download a.com/x": "isKnown isRunner usesNetwork mayHaveAddress",
  "go run a.com/x@latest": "isKnown isRunner usesNetwork mayHaveAddress",
  "go build a": "isKnown isRunner mayHaveAddress",
  "go build ./...": "isKnown isRunner",
  "go test ./... /x": "isKnown isRunner",
  "go version": "isKnown isRunner",
  "P=a go build": "isKnown isRunner mayHaveAddress",
  "cargo --version": "isKnown isRunner",
  "cargo --config=a": "isKnown isRunner mayHaveAddress",
  "lxc a:": "isKnown isRunner mayHaveAddress",
  "pip install x": "isKnown isRunner mayHaveAddress",
  "aws s3": "isKnown mayHaveAddress",
  "gpg -d": "isKnown mayHaveAddress",
  "systemctl status x": "isKnown",
  "systemctl -H a x": "isKnown mayHaveAddress",
  "systemctl --host=a x": "isKnown mayHaveAddress",
  "systemctl -rH a x": "isKnown mayHaveAddress",
  "systemctl status x-H": "isKnown",
  "go install a.com/x": "isKnown isRunner usesNetwork mayHaveAddress",
  "sudo -nh a ls": "isKnown mayHaveAddress",
  "sudo -n x-h": "isKnown",
  "systemctl -M a x": "isKnown mayHaveAddress",
  "systemctl --machine=a x": "isKnown mayHaveAddress",
  "tar cf a:b c": "isKnown mayHaveAddress isRecursive",
  "git config branch.main.remote a:b": "isKnown mayHaveAddress",
  "git config remote.pushDefault a:b": "isKnown mayHaveAddress",
  "git config imap.host a": "isKnown mayHaveAddress",
  "nvm install a": "isKnown mayHaveAddress",
  "fetch a": "isKnown usesNetwork",
  "git remote-http a": "isKnown usesNetwork",
  "git remote-ftp a": "isKnown usesNetwork",
  "git remote-ftps a": "isKnown usesNetwork",
  "git checkout daemonx": "isKnown",
  "curl -p=$x a": "isOpen isKnown usesNetwork reachesAnyHost",
  "git -c url.a:.insteadOf=b log": "isKnown mayHaveAddress",
  "git -c http.proxy=a log": "isKnown mayHaveAddress",
  "git config remote.x.url a:b": "isKnown mayHaveAddress",
  "git config a.pushurl b": "isKnown mayHaveAddress",
  "git config core.proxying b": "isKnown",
  "HTTPS_PROXY=a git log": "isKnown mayHaveAddress",
  "git send-email a": "isKnown usesNetwork",
  "git remote-https a": "isKnown usesNetwork",
  "git checkout http-client": "isKnown",
  "git checkout my-daemon": "isKnown",
  "pip list --proxy $x": "isOpen isKnown isRunner mayHaveAddress reachesAnyHost",
  "mytool --index-url=$x": "isOpen reachesAnyHost",
  "cargo add --git `x`": "isOpen isKnown isRunner mayHaveAddress reachesAnyHost",
  "git config remote.x.url $x:y": "isOpen isKnown mayHaveAddress reachesAnyHost",
  "mytool --name $x": "isOpen",
  "source $x": "isOpen isKnown runsFile isShell",
  "curl --proxy=$x a": "isOpen isKnown usesNetwork reachesAnyHost",
  "curl $x": "isOpen isKnown usesNetwork reachesAnyHost",
  "curl x$y": "isOpen isKnown usesNetwork",
  "curl `y`": "isOpen isKnown usesNetwork reachesAnyHost",
  "xargs curl": "isOpen isKnown usesNetwork reachesAnyHost",
  "parallel curl": "isOpen isKnown usesNetwork mayHaveAddress reachesAnyHost",
  "smbclient x <<< a": "readsCode runsCode usesNetwork",
  "xargs -I{} curl {}": "isOpen isKnown usesNetwork reachesAnyHost",
  "parallel curl {}": "isOpen isKnown usesNetwork mayHaveAddress reachesAnyHost",
  "xargs ls": "isOpen isKnown",
  "parallel ls": "isOpen isKnown mayHaveAddress",
  "git clone x": "isKnown usesNetwork",
  "git status": "isKnown",
  "git submodule update": "isKnown usesNetwork",
  "ssh x": "isKnown usesNetwork",
  "xargs curl a.com": "isOpen isKnown usesNetwork reachesAnyHost",
  "sh a-x": "isKnown runsFile isShell",
  "bash --versionx": "isBlind isKnown runsFile isShell",
  "bash -x--help": "isBlind isKnown runsFile isShell",
  "echo a $x": "isOpen isKnown printsKnownText opensNoFiles",
  "gawk x": "isKnown readsCode runsCode isRunner",
  "awk x": "isKnown readsCode runsCode isRunner",
  "nvim x": "isKnown readsCode runsCode isRunner",
  "vim x": "isKnown readsCode runsCode isRunner",
  "vi x": "isKnown readsCode runsCode isRunner",
  "rsync -a a b": "isKnown usesNetwork isRecursive",
  "rsync a-L b": "isKnown usesNetwork isRecursive",
  "rsync -avL a b": "isKnown usesNetwork isRecursive followsLinks",
  "cp a-L b": "isKnown",
  "git add -fA .": "isKnown isRecursive",
  "git add x-f": "isKnown",
  "git add x--force": "isKnown",
  "git add -f.": "isKnown",
  "git grep x--untracked y": "isKnown",
  "find x-delete": "isKnown",
  "rg add x": "isKnown isRecursive",
  "npm add -f x": "isKnown runsCode isRunner mayHaveAddress",
};

for (const [text, expected] of Object.entries(CASES))
  test(`${text}: ${expected}`, async () => {
    const { parts } = await shellSubject(text);
    const properties = PROPERTIES.filter((property) => parts.some((part) => part[property]));
    assert.equal(properties.join(" "), expected);
  });

/** What the members of a family of programs have in common. */
const FAMILIES: readonly (readonly [
  property: (typeof PROPERTIES)[number],
  argument: string,
  names: string,
])[] = [
  ["isRecursive", "x y", "rg ag ack fd fdfind tar bsdtar zip 7z rsync mv"],
  ["isRecursive", "-r x", "grep egrep fgrep zgrep ugrep cp scp rm"],
  ["isRecursive", "-R x y", "chmod chown chgrp"],
  ["followsLinks", "x y", "zip 7z scp diff gdiff sdiff colordiff icdiff wdiff dwdiff difft"],
  ["followsLinks", "-R x", "grep egrep fgrep zgrep ugrep"],
  ["followsLinks", "-L x", "rg ag ack fd fdfind rsync cp"],
  ["followsLinks", "-h x", "tar bsdtar"],
  ["isShell", "x", "sh bash dash ash zsh ksh mksh fish csh tcsh . source"],
  [
    "opensNoFiles",
    "x",
    "echo printf true false : sleep exit return date export unset local readonly shift wait kill pwd whoami",
  ],
];
for (const [property, argument, names] of FAMILIES)
  for (const name of names.split(" "))
    test(`${name} ${argument}: ${property}`, async () => {
      const { parts } = await shellSubject(`${name} ${argument}`);
      assert.ok(parts.some((part) => part[property]));
    });

for (const [text, expected] of [
  ["sftp h <<< a", true],
  ["ftp <<< a", true],
  ["tftp <<< a", true],
  ["smbclient <<< a", true],
  ["openssl <<< a", true],
  ["patch <<< a", true],
  ["git apply <<< a", true],
  ["git am <<< a", true],
  ["git commit <<< a", false],
  ["git apply a", false],
  ["openssl x", false],
  ["gpg --command-fd 0 -d x <<< a", true],
  ["gpg2 --multifile --encrypt <<< a", true],
  ["gpg --command-fd 0 -d x", false],
  ["gpg -e <<< a", false],
  ["patch -i a", false],
  ["scp a h: <<< a", false],
  ["lftp h", true],
  ["$x <<< a", false],
] as const)
  test(`${text} ${expected ? "reads" : "does not read"} commands or a patch`, async () => {
    assert.equal(
      (await shellSubject(text)).parts.some(({ readsCode }) => readsCode),
      expected,
    );
  });

test("without tables, everything that looks like a flag is one", () => {
  const parse = (...texts: readonly string[]) => {
    const words = texts.map((text) => ({ text, literal: true }));
    const { flags, hasUnknown, operands } = parseArguments("x", words, undefined);
    return [[...flags], hasUnknown, operands.map(({ text }) => text)];
  };
  assert.deepEqual(parse("a", "-", "--", "b+"), [[], false, ["a", "-", "--", "b+"]]);
  assert.deepEqual(parse("-x", "+y", "--z", "a"), [["-x", "+y", "--z"], true, ["a"]]);
});

test("a target that keeps nothing is no file", () => {
  const isNone = (text: string, literal = true): boolean => isWithoutStorage({ text, literal });
  for (const path of ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2"])
    assert.ok(isNone(path), path);
  for (const path of ["/dev/fd/0", "/dev/nullx", "x/dev/null", "/dev/sda", "a"])
    assert.ok(!isNone(path), path);
  assert.ok(!isNone("/dev/null", false));
});
