import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf } from "../../../test/support/generators/command-words.ts";
import type { Word } from "../../core/command.ts";
import { createBudget } from "../syntax/budget.ts";
import { parseCommand } from "./parse-command.ts";
import { unwrap } from "./unwrap.ts";

/**
 * Commands, after `[variables]` and before `<<< input`, and all that they start: `STARTERS: words`, texts for a shell in quotes, the folder
 * if it is another (`-`: not known), the input, and what is doubted. A `?` follows what is only known at run time.
 */
const CASES = String.raw`[A=1]  => doubt: it sets a variable that later commands may read
[PAGER=less]  => a variable: less | doubt: it sets a variable that later commands may read
[PAGER=less] ls => ls: less
[PAGER='less -R'] ls => ls: 'less -R'
[PAGER=$x] ls => ls: '$x?' | runs unknown text
env PAGER=less ls => env: less | env: PAGER=less ls
[PAGER=less] sudo ls => sudo: less | sudo: PAGER=less ls
env GIT_PAGER='a b' ls => env: GIT_PAGER=a b ls | env: 'a b'
$x y => doubt: the program $x is unknown
mytool rm =>
[PAGER=less] mytool rm => mytool: less
python3 -c $x => runs unknown text
python3 -W $x a =>
python3 -c x =>
perl -e $x -e y => runs unknown text
perl -I $x a => runs unknown text
perl -e x -e $y => runs unknown text
sed -e $x =>
tar -I $x => tar: '$x?' | doubt: tar runs text that is only known at run time | runs unknown text
git $x => doubt: the subcommand of git is unknown
git $x y => doubt: the subcommand of git is unknown
git log $x =>
git =>
tar -I 'a b' x => tar: 'a b'
strace -o '|rm x' ls => strace: ls | strace: 'rm x'
strace -o '!rm x' ls => strace: ls | strace: 'rm x'
strace -o '|$x' ls => strace: ls | strace: '$x'
strace -o 'a|b' ls => strace: ls
strace -o log ls => strace: ls
sudo -p '|x' ls => sudo: ls
rsync -e 'a b' x y: => rsync: 'a b'
tar cf '|x' y =>
sudo -D sub ls => sudo: ls in /w/sub
env -C sub ls => env: ls in /w/sub
ssh -o ProxyCommand='a b' h ls => ssh: 'ProxyCommand=a b' | ssh: 'a b' | ssh: 'ls' in -
trap 'rm x' EXIT => trap: 'rm x'
trap EXIT =>
trap $x EXIT => trap: '$x?' | doubt: trap runs text that is only known at run time | runs unknown text
trap =>
trap -l =>
alias =>
alias a=b => alias: 'b' | doubt: alias changes what later commands mean
alias a='b c' d => alias: 'b c' | doubt: alias changes what later commands mean
alias =b => alias: 'b' | doubt: alias changes what later commands mean
alias a=$x => alias: '$x?' | doubt: alias runs text that is only known at run time | runs unknown text
alias -p =>
alias -x => doubt: alias changes what later commands mean
source => doubt: source changes what later commands mean
. a => doubt: . changes what later commands mean
. $x => doubt: . changes what later commands mean | runs unknown text
source a $x => doubt: source changes what later commands mean | runs unknown text
source $x b => doubt: source changes what later commands mean | runs unknown text
hash =>
hash -p a b => doubt: hash changes what later commands mean
enable -x => doubt: enable changes what later commands mean
export A=b => doubt: export changes what later commands mean
export PAGER=less => export: less | doubt: export changes what later commands mean
export =>
unset x => doubt: unset changes what later commands mean
concurrently 'a b' 'c' => concurrently: 'a b' | concurrently: 'c'
concurrently 'a b' $x => concurrently: 'a b' | concurrently: '$x?' | doubt: concurrently runs text that is only known at run time | runs unknown text
pee - =>
pee '' =>
pee a <<< in => pee: 'a' < in
pee a <<< $x? => pee: 'a' < $x?
docker exec c ls => docker: ls in -
docker exec c =>
docker exec c <<< rm x => docker: sh in - < rm x | docker: 'rm x' in - < rm x | doubt: sh reads commands from its input
ssh h => doubt: ssh may read commands from its input
ssh h <<< rm x => ssh: sh in - < rm x | ssh: 'rm x' in - < rm x | doubt: sh reads commands from its input
ssh h ls -l => ssh: 'ls -l' in -
ssh -p 1 h ls => ssh: 'ls' in -
ssh h -p 1 ls => ssh: 'ls' in -
ssh $h ls => ssh: 'ls' in - | doubt: the start of the command that ssh runs is unknown
ssh h -o ProxyCommand='a b' ls => ssh: 'ProxyCommand=a b' | ssh: 'a b' | ssh: 'ls' in -
su => su: sh | doubt: sh reads commands from its input
su x <<< rm y => su: sh < rm y | su: 'rm y' < rm y | doubt: sh reads commands from its input
su - => su: sh | doubt: sh reads commands from its input
su - x => su: sh | doubt: sh reads commands from its input
su - x y => su: sh y
su x y => su: sh y
su -c 'a b' => su: 'a b'
su -c 'a b' x => su: 'a b'
su x -c 'a b' => su: 'a b'
runuser -u x a b => runuser: a b
capsh -- -c x => capsh: sh -c x | capsh>sh: 'x'
capsh -- => capsh: sh | doubt: sh reads commands from its input
sudo A=1 B=2 ls => sudo: A=1 B=2 ls
sudo A=1 =>
sudo PAGER=less ls => sudo: less | sudo: PAGER=less ls
sudo -s a b => sudo: a b | sudo: 'a b'
sudo -s => sudo: sh | doubt: sh reads commands from its input
sudo -s <<< rm x => sudo: sh < rm x | sudo: 'rm x' < rm x | doubt: sh reads commands from its input
sudo -i => sudo: sh | doubt: sh reads commands from its input
sudo - ls => sudo: ls
env - A=1 ls => env: A=1 ls
env - - ls => env: ls
env =1 ls => env: =1 ls
env a b=c => env: a b=c
env A=1 - =>
cross-env A=1 - ls => cross-env: A=1 ls
flock f ls => flock: ls
flock f -c 'a b' => flock: 'a b'
flock -c x => flock: 'x'
flock $f ls => flock: ls | doubt: the start of the command that flock runs is unknown
flock f - x => flock: - x
flock -n f -w 1 ls => flock: ls
timeout 5 =>
timeout 5 ls => timeout: ls
timeout $x ls => timeout: ls | doubt: the start of the command that timeout runs is unknown
ip netns exec x ls => ip: ls
nice --unknown ls a => nice: ls a | nice: a | doubt: nice has an unknown option: --unknown
nice -n $x ls a b => nice: ls a b | nice: a b | nice: b | doubt: the start of the command that nice runs is unknown
nice $x ls => nice: $x? ls | nice: ls | doubt: the start of the command that nice runs is unknown
nice -$x ls => nice: ls | doubt: the start of the command that nice runs is unknown
nice =>
sudo --unknown ls => sudo: ls | doubt: sudo has an unknown option: --unknown
bash -c 'a b' => bash: 'a b'
bash -c $x => bash: '$x?' | doubt: what bash would run is unknown | runs unknown text
bash $x => doubt: what bash would run is unknown | runs unknown text
bash f =>
bash => doubt: bash reads commands from its input
bash -c '$@' a b => bash: a b | bash: b | bash: '$@' | doubt: the text runs the arguments after it
bash -c x y <<< in => bash: 'x' < in
bash -s => doubt: bash reads commands from its input
zsh f $x =>
bash --rcfile $x f => runs unknown text
find . -exec rm {} ; => find: rm {}?
find . -exec rm {} + -exec ls ; => find: rm {}? | find: ls ?
find . -exec ; =>
find . -exec =>
find $x -exec rm {} ; => find: rm {}? | doubt: the command that find starts is unknown
find . -name x =>
find . -ok rm -- {} ; => find: rm -- {}?
find . -exec sh -c 'a' {} ; => find: sh -c a {}? | find>sh: 'a'
env -S 'a b' c => env: a b c
env '-Sa b' c => env: a b c
env -S 'a $b' => env: a $b? | doubt: how env splits its argument is unknown
env -S =>
env -i ls => env: ls
env -S '' =>
env --split-string='a b' c => env: a b c
env -S 'env -S a' b => env: env -S a b | env>env: a b
xargs =>
xargs ls => xargs: ls ?
xargs ls <<< a b => xargs: ls ? a? b? < a b
xargs -I{} ls {} <<< a => xargs: ls {}? < a | xargs: ls a? < a
xargs ls <<< $x? => xargs: ls ? x? < $x?
xargs -a f ls => xargs: ls ?
eval => doubt: eval may read commands from its input
eval a b => eval: 'a b'
eval a $b => eval: 'a $b?' | doubt: eval runs text that is only known at run time | runs unknown text
eval $a $b => eval: '$a $b?' | doubt: the start of the command that eval runs is unknown | runs unknown text
eval '' =>
eval - =>
watch => doubt: watch may read commands from its input
watch ls -l => watch: 'ls -l'
watch -x ls => watch: ls
entr -s 'a b' => entr: 'a b'
parallel => parallel: sh | doubt: sh reads commands from its input
parallel a <<< b => parallel: a ? b? < b | parallel: 'a' < b | parallel: 'a' < b
parallel <<< b => parallel: sh < b | parallel: 'b' < b | doubt: sh reads commands from its input
tmux new a b => tmux: new a b | tmux: a b | tmux: b
tmux -x a => tmux: a | doubt: tmux has an unknown option: -x
tmux 'a b' => tmux: a b
tmux $x b => tmux: $x? b | tmux: b | doubt: the start of the command that tmux runs is unknown
tmux a/b --c d => tmux: a/b --c d | tmux: d
proot a b c d e f g h i j k l m n o p => proot: a b c d e f g h i j k l m n o p | proot: b c d e f g h i j k l m n o p | proot: c d e f g h i j k l m n o p | proot: d e f g h i j k l m n o p | proot: e f g h i j k l m n o p | proot: f g h i j k l m n o p | proot: g h i j k l m n o p | proot: h i j k l m n o p | proot: i j k l m n o p | proot: j k l m n o p | proot: k l m n o p | proot: l m n o p | proot: m n o p | proot: n o p | proot: o p | proot: p
proot a b c d e f g h i j k l m n o p q => proot: a b c d e f g h i j k l m n o p q | proot: b c d e f g h i j k l m n o p q | proot: c d e f g h i j k l m n o p q | proot: d e f g h i j k l m n o p q | proot: e f g h i j k l m n o p q | proot: f g h i j k l m n o p q | proot: g h i j k l m n o p q | proot: h i j k l m n o p q | proot: i j k l m n o p q | proot: j k l m n o p q | proot: k l m n o p q | proot: l m n o p q | proot: m n o p q | proot: n o p q | proot: o p q | proot: p q | fault: a command may begin at more than 16 words
proot => proot: sh | doubt: sh reads commands from its input
proot <<< rm x => proot: sh < rm x | proot: 'rm x' < rm x | doubt: sh reads commands from its input
proot a-b a- @c 'd e' f => proot: a-b a- @c d e f | proot: f
unshare => unshare: sh | doubt: sh reads commands from its input
unshare <<< rm x => unshare: sh < rm x | unshare: 'rm x' < rm x | doubt: sh reads commands from its input
unshare -r ls => unshare: ls
setarch x86_64 => setarch: x86_64 | setarch>x86_64: sh | doubt: sh reads commands from its input
script => script: sh | doubt: sh reads commands from its input
script f => script: sh | doubt: sh reads commands from its input
script -c 'a b' => script: 'a b'
docker run i =>
docker run i a => docker: a in -
docker run i <<< a => docker: sh in - < a | docker: 'a' in - < a | doubt: sh reads commands from its input
docker run -x i a => docker: a in - | doubt: docker has an unknown option: -x
git bisect run a b => git: a b
git submodule foreach a b => git: 'a b'
git submodule foreach => doubt: git may read commands from its input
git -c alias.x='!a b' x => git: 'alias.x=!a b' | git: 'a b'
gdb --args a b => gdb: a b
gdb a b =>
scp a h:b =>
git rebase -x 'a b' c => git: 'a b'`;

const CASE = /^(?:\[(?<variables>.*?)\] )?(?<line>.*?)(?: <<< (?<input>.*?))? =>(?: (?<started>.*))?$/;

for (const text of CASES.split("\n")) {
  test(`what it starts: ${text}`, () => {
    const { variables = "", line = "", input, started = "" } = CASE.exec(text)?.groups ?? {};
    assert.equal(startedBy(line, input, variables), started);
  });
}

for (const [depth, isDeep] of [
  [31, false],
  [32, true],
] as const) {
  test(`${depth} programs that start each other are ${isDeep ? "too many" : "all found"}`, () => {
    const { commands, fault } = unwrapped(commandOf(`${"env ".repeat(depth)}ls`));
    assert.equal(commands.length, depth);
    assert.equal(fault, isDeep ? "programs are nested too deeply" : undefined);
  });
}

test("programs that split their arguments again and again are too many", () => {
  const { fault } = unwrapped(commandOf(`env ${"-S env ".repeat(40)}ls`));
  assert.equal(fault, "programs are nested too deeply");
});

const unwrapped = (command: ReturnType<typeof commandOf>) => unwrap(parseCommand(command), createBudget());

const show = (words: readonly Word[]): string =>
  words.map(({ text, literal }) => (literal ? text : `${text}?`)).join(" ");

const place = (cwds: readonly string[], input: Word | undefined): string =>
  `${cwds.join() === "/w" ? "" : ` in ${cwds.join() || "-"}`}${input === undefined ? "" : ` < ${show([input])}`}`;

function startedBy(line: string, input: string | undefined, variables: string): string {
  const more = {
    assignments: commandOf(variables).words,
    ...(input !== undefined && { input: { text: input.replace(/\?$/, ""), literal: !input.endsWith("?") } }),
  };
  const { commands, scripts, doubt, fault, runsUnknown } = unwrapped(commandOf(line, more));
  return [
    ...commands.map(({ command: { words, assignments, cwds, via, input: own } }) => {
      return `${via.join(">")}: ${show([...assignments, ...words])}${place(cwds, own)}`;
    }),
    ...scripts.map(
      ({ text, cwds, via, input: own }) => `${via.join(">")}: '${show([text])}'${place(cwds, own)}`,
    ),
    ...(doubt === undefined ? [] : [`doubt: ${doubt}`]),
    ...(fault === undefined ? [] : [`fault: ${fault}`]),
    ...(runsUnknown ? ["runs unknown text"] : []),
  ].join(" | ");
}
