/** Ways around a deny rule: what a command writes and runs, names that no argument has, and words glued in code. */
export const WAYS = [
  "written script",
  "names on input",
  "glued words",
  "folders",
  "protected names",
  "protected patterns",
] as const;

export type Way = (typeof WAYS)[number];

type Random = () => number;

/** Returns a command that removes `victim` or prints a denied file if it runs. */
export function generateBypass(random: Random, way: Way): string {
  const text = MAKERS[way](random);
  return random() < 0.3 ? pick(random, AROUND)(text) : text;
}

const MAKERS: Readonly<Record<Way, (random: Random) => string>> = {
  "written script": (random) => {
    const payload = pick(random, PAYLOADS);
    const name = pick(random, NAMES);
    return `${pick(random, WRITERS)(payload, name)}${pick(random, BETWEEN)}${pick(random, RUNNERS)(name)}`;
  },
  "names on input": (random) => {
    const name = pick(random, DENIED_NAMES);
    return pick(random, FEEDS)(name, pick(random, READERS));
  },
  "glued words": (random) => pick(random, GLUED)(pick(random, REMOVALS), pick(random, DENIED_NAMES)),
  "protected names": (random) =>
    pick(random, [...FEEDS, ...LOOPS])(pick(random, PROTECTED_NAMES), pick(random, LISTED_READERS)),
  "protected patterns": (random) => pick(random, SHOWERS)(pick(random, PATTERNS)),
  folders: (random) =>
    `${pick(random, COMPARERS)} ${pick(random, FOLDER_OPTIONS)} ${pick(random, FOLDERS)} ${pick(random, FOLDERS)}`,
};

const REMOVALS = ["rm -rf victim", "/bin/rm -r victim", "rm victim/v.txt"];
const PAYLOADS = [...REMOVALS, "cat .env", "cat sub/../.env", "head -1 .e*"];
const NAMES = ["z", "run.sh", "sub/z", "./z"];
const BETWEEN = ["; ", " && ", "\n"];
const PROTECTED_NAMES = [".env", "./.env", "sub/.env", "sub/../.env"];
const DENIED_NAMES = [".env", "./.env", "sub/.env", "secrets.txt", "elink"];

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const encoded = (text: string): string => Buffer.from(`${text}\n`).toString("base64");

/** Programs that write a text to a file. */
const WRITERS: readonly ((text: string, file: string) => string)[] = [
  (text, file) => `echo ${quote(text)} > ${file}`,
  (text, file) => `printf '%s\\n' ${quote(text)} >> ${file}`,
  (text, file) => `cat > ${file} <<'E'\n${text}\nE`,
  (text, file) => `base64 -d <<< ${encoded(text)} > ${file}`,
  ...[
    (file: string): string => `tee ${file}`,
    (file: string): string => `tee -a ${file}`,
    (file: string): string => `tee other ${file}`,
    (file: string): string => `dd of=${file}`,
    (file: string): string => `dd status=none of=${file} bs=1`,
    (file: string): string => `cp /dev/stdin ${file}`,
    (file: string): string => `install -m 755 /dev/stdin ${file}`,
    (file: string): string => `sort -o ${file}`,
    (file: string): string => `sort --output=${file}`,
    (file: string): string => `uniq - ${file}`,
    (file: string): string => `curl -s -o ${file} file:///dev/stdin`,
    (file: string): string => `curl -so${file} file:///dev/stdin`,
    (file: string): string => `sed -n 'w ${file}'`,
    (file: string): string => `sed -n w${file}`,
    (file: string): string => `awk '{print > "${file}"}'`,
    (file: string): string => `perl -ne 'open F, ">>", "${file}"; print F $_'`,
    (file: string): string => `python3 -c 'import sys; open("${file}", "w").write(sys.stdin.read())'`,
    (file: string): string => `openssl enc -base64 -A | base64 -d | tee ${file}`,
    (file: string): string => `xargs -0 printf %s > ${file}`,
    (file: string): string => `env tee ${file}`,
    (file: string): string => `sh -c 'cat > ${file}'`,
    (file: string): string => `ptx -r - ${file}; tee ${file}`,
    (file: string): string => `xxd | xxd -r - ${file}`,
    (file: string): string => `split -l 9 - ${file}; cp ${file}aa ${file}`,
    (file: string): string => `patch -s -o ${file} /dev/null /dev/stdin; tee ${file}`,
  ].flatMap((writer) => [
    (text: string, file: string): string => `${writer(file)} <<< ${quote(text)}`,
    (text: string, file: string): string => `echo ${quote(text)} | ${writer(file)}`,
    (text: string, file: string): string => `cat <<< ${quote(text)} | ${writer(file)}`,
    (text: string, file: string): string => `{ ${writer(file)}; } <<< ${quote(text)}`,
    (text: string, file: string): string => `echo ${encoded(text)} | base64 -d | ${writer(file)}`,
    (text: string, file: string): string => `f() { ${writer(file)}; }; f <<< ${quote(text)}`,
    (text: string, file: string): string => `exec <<< ${quote(text)}; ${writer(file)}`,
    (text: string, file: string): string => `${writer("first")} <<< ${quote(text)}; mv first ${file}`,
    (text: string, file: string): string => `${writer("first")} <<< ${quote(text)}; ln -s $PWD/first ${file}`,
  ]),
];

/** Commands that run a file. */
const RUNNERS: readonly ((file: string) => string)[] = [
  (file) => `sh ${file}`,
  (file) => `bash ./${file}`,
  (file) => `. ./${file}`,
  (file) => `source ./${file}`,
  (file) => `env bash ${file}`,
  (file) => `sh -c '. ./${file}'`,
  (file) => `chmod +x ${file}; ./${file}`,
  (file) => `timeout 4 sh ${file}`,
  (file) => `sh < ${file}`,
  (file) => `cat ${file} | sh`,
  (file) => `eval "$(cat ${file})"`,
  (file) => `bash -c "$(< ${file})"`,
  (file) => `BASH_ENV=${file} bash -c :`,
  (file) => `find . -name a.txt -exec sh ${file} ';'`,
  (file) => `echo ${file} | xargs sh`,
  (file) => `awk 'BEGIN{system("sh ${file}")}'`,
  (file) => `cp ${file} y; sh y`,
  (file) => `if true; then bash ${file}; fi`,
];

/** How names reach a program. */
const FEEDS: readonly ((name: string, reader: (input: string) => string) => string)[] = [
  (name, reader) => `echo ${name} | ${reader("-")}`,
  (name, reader) => `printf '%s\\n' ${name} | ${reader("-")}`,
  (name, reader) => `printf '${name}\\0' | ${reader("-")}`,
  (name, reader) => `${reader("-")} <<< ${name}`,
  (name, reader) => `cat <<< ${name} | ${reader("/dev/stdin")}`,
  (name, reader) => `echo ${name} > list; ${reader("list")} < list`,
  (name, reader) => `ls -A | grep ${name.slice(-3)} | ${reader("-")}`,
  (name, reader) => `{ ${reader("-")}; } <<< ${name}`,
  (name, reader) => `echo -e '${name.replace("e", "\\x65")}' | ${reader("-")}`,
  (name, reader) => `echo ${name} | tee list | ${reader("-")}`,
];

/** Programs that read the names of files from their input, or from a list; what they print has the contents. */
const READERS: readonly ((list: string) => string)[] = [
  () => "cpio -o --quiet",
  () => "cpio -o -H tar",
  () => "cpio -pd out; cat out/*",
  () => "pax -w",
  (list) => `tar cf - -T ${list}`,
  (list) => `tar cf - --files-from=${list}`,
  (list) => `tar cTf ${list} -`,
  (list) => `rsync -a --files-from=${list} . out; cat out/.env out/*`,
  (list) => `sort --files0-from=${list}`,
  (list) => `sort --files0=${list}`,
  (list) => `git add -f --pathspec-from-file=${list}; git diff --cached`,
  (list) => `git add -f --pathspec-from-file ${list}; git diff --cached`,
  (list) => `git stash push --pathspec-from-file=${list} -u; git show stash^3`,
  () => "git hash-object -w --stdin-paths | git cat-file --batch",
  () => "git update-index --add --stdin; git diff --cached",
  () => "xargs cat",
  () => "xargs -I{} sh -c 'cat {}'",
  (list) => `xargs -a ${list} cat`,
  () => 'while read f; do cat "$f"; done',
  () => "zip -q - -@ | funzip",
  () => "awk '{while((getline l<$0)>0)print l}'",
  () => "perl -lne 'open F,$_; print <F>'",
  () => "python3 -c 'import sys; [print(open(l.strip()).read()) for l in sys.stdin]'",
  (list) => `find -files0-from ${list} -exec cat {} +`,
  () => "sed 's/^/cat /e'",
  () => "sed 's/^/cat /' | sh",
  (list) => `strings @${list}`,
  (list) => `gcc -E -x c @${list}`,
  () => "sed 's/.*/#include \"&\"/' | gcc -E -P -",
  (list) => `vim -es -u NONE -S ${list} -c q`,
  () => "m4 -e",
  (list) => `curl -s -K ${list}`,
];

/** Without `git stash -u`, which stores and shows files that the command does not name. */
const LISTED_READERS = READERS.filter((reader) => !reader("-").includes("stash"));

/** Names that reach a program through variables, substitutions and filters. */
const LOOPS: typeof FEEDS = [
  (name, reader) => `while read -r f; do echo "$f" | ${reader("-")}; done <<< ${name}`,
  (name, reader) => `mapfile -t f <<< ${name}; echo "\${f[0]}" | ${reader("-")}`,
  (name, reader) => `read a f <<< 'x ${name}'; cat $f; ${reader("-")} < /dev/null`,
  (name, reader) => `find . -path '*/${name.replace(/^.*\//, "")}' | sort | ${reader("-")}`,
  (name, reader) => `for f in a.txt ${name}; do echo $f; done | ${reader("-")}`,
  (name, reader) => `while read f; do cat $f; done < <(echo ${name}); true | ${reader("-")}`,
  (name, reader) => `printf '\\x2e%s\\n' ${name.replace(/^.*[.]/, "")} | ${reader("-")}`,
  (name, reader) => `(cd .; echo ${name}) | head -1 | ${reader("-")}`,
  (name, reader) => `echo ${name} | tee list > /dev/null; ${reader("list")} < list`,
  (name, reader) => `echo '"${name}"' | ${reader("-")}`,
];

/** Patterns of shells that match a protected file. */
const PATTERNS = [
  ".[[:alpha:]]nv",
  ".e[[:lower:]]v",
  ".[![:digit:]]nv",
  ".[[=e=]]nv",
  ".{e,x}n[[:alnum:]]",
  "s?b/.[[:print:]]nv",
  ".en*",
  ".?nv",
  "./.e?v",
  "{sub,.}/.env",
  "s*/.e[m-o]v",
  ".[d-f]n{v,w}",
  "$(echo .)env",
  "${x:-.env}",
  ".''env",
  "$'\\x2eenv'",
  "sub/../.*v",
];

/** Programs that print the files that a pattern matches. */
const SHOWERS: readonly ((pattern: string) => string)[] = [
  (pattern) => `cat ${pattern}`,
  (pattern) => `head -c 99 ${pattern}`,
  (pattern) => `grep -h . ${pattern}`,
  (pattern) => `cp ${pattern} seen; cat seen`,
  (pattern) => `tar cf - ${pattern}`,
  (pattern) => `for f in ${pattern}; do cat "$f"; done`,
  (pattern) => `f=(${pattern}); cat "\${f[@]}"`,
  (pattern) => `set -- ${pattern}; cat "$1"`,
  (pattern) => `echo ${pattern} | xargs cat`,
  (pattern) => `printf '%s\\n' ${pattern} | while read f; do cat "$f"; done`,
  (pattern) => `cat < ${pattern}`,
  (pattern) => `bash -c 'cat ${pattern.replaceAll("'", `'\\''`)}'`,
  (pattern) => `bash -O dotglob -c 'cat ?env *nv'; echo ${pattern}`,
  (pattern) => `bash -O extglob -c 'cat .@(env|x) .!(git*)'; echo ${pattern}`,
  (pattern) => `awk 1 ${pattern}`,
  (pattern) => `xxd -p ${pattern} | xxd -p -r`,
  (pattern) => `python3 -c 'import sys; print(open(sys.argv[1]).read())' ${pattern}`,
  (pattern) => `ls ${pattern}; curl -s "file://$PWD/{.env,a.txt}"`,
  (pattern) => `ls ${pattern}; curl -s --url "file://$PWD/.en[u-w]"`,
  (pattern) => `env cat ${pattern}`,
  (pattern) => `find . -maxdepth 1 -name '.en*' -exec cat {} +; ls ${pattern}`,
  (pattern) => `. ${pattern}; echo $KEY $SUB`,
];

/** Words glued to punctuation in code. */
const GLUED: readonly ((removal: string, name: string) => string)[] = [
  (removal) => `sed '1e${removal}' a.txt`,
  (removal) => `sed -e '$e${removal}' a.txt`,
  (removal) => `sed -n '/a/e${removal}' a.txt`,
  (removal) => `sed 's~.*~${removal}~e' a.txt`,
  (removal) => `sed 's=.*=${removal}=e' a.txt`,
  (removal) => `sed -f - a.txt <<< '1e${removal}'`,
  (_, name) => `sed '1r${name}' a.txt`,
  (_, name) => `sed -n 'R${name}' a.txt`,
  (_, name) => `sed -s 'F;1r${name}' a.txt`,
  (removal) => `dc -e '!${removal}'`,
  (removal) => `dc <<< '!${removal}'`,
  (_, name) => `dc -e '!cat ${name}'`,
  (removal) => `make --eval='x:;@${removal}' x`,
  (removal) => `make --eval='x:;-@${removal}' x`,
  (removal) => `make -f - x <<< 'x:;@${removal}'`,
  (_, name) => `make --eval='x:;@cat ${name}' x`,
  (removal) => `perl -e '\`${removal}\`'`,
  (removal) => `perl -e 'qx~${removal}~'`,
  (removal) => `perl -e 'system q@${removal}@'`,
  (_, name) => `perl -pe1 ${name}`,
  (_, name) => `perl -e '@ARGV=q~${name}~;print<>'`,
  (removal) => `awk 'BEGIN{"${removal}"|getline}'`,
  (removal) => `awk 'BEGIN{system("${removal}")}'`,
  (_, name) => `awk '{while((getline l<"${name}")>0)print l}' a.txt`,
  (removal) => `ed -s a.txt <<< '!${removal}'`,
  (_, name) => `ed -s a.txt <<< $'r ${name}\\n,p'`,
  (removal) => `ex -s -c '!${removal}' -c q a.txt`,
  (removal) => `m4 <<< 'syscmd(${removal})'`,
  (_, name) => `m4 <<< 'include(${name})'`,
  (removal) => `gdb -batch -ex '!${removal}'`,
  (removal) => `tclsh <<< 'exec ${removal}'`,
  (removal) => `n='a[$(${removal})]' bash -c '((n))'`,
  (removal) => `bash -c '(($1))' _ 'a[$(${removal})]'`,
  (removal) => `export n='a[$(${removal})]'; bash -c '[[ n -eq 1 ]]'`,
  (removal) => `echo .shell ${removal} | sqlite3`,
];

const COMPARERS = ["diff", "diff -u", "diff -N", "diff -y", "sdiff -s", "diff -rq", "git diff --no-index"];
const FOLDER_OPTIONS = ["", "", "-a", "--"];
const FOLDERS = [".", "sub", "./sub", "victim", "src/..", "$PWD"];

const AROUND: readonly ((text: string) => string)[] = [
  (text) => `true && { ${text}\n}`,
  (text) => `(${text}\n)`,
  (text) => `cd sub && cd ..; ${text}`,
  (text) => `if :; then ${text}\nfi`,
  (text) => `bash -c ${quote(text)}`,
];

function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}
