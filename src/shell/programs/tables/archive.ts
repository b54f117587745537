import type { Word } from "../../../core/command.ts";
import type { FoundPath, Program, Use } from "./program.ts";

const TAR_SAFE =
  "-A,--catenate,--concatenate -c,--create -d,--diff,--compare --delete -r,--append -t,--list --test-label -u,--update -x,--extract,--get -v,--verbose -z,--gzip,--gunzip,--ungzip -j,--bzip2 -J,--xz --lzma --zstd -Z,--compress -a,--auto-compress -p,--preserve-permissions,--same-permissions -m,--touch -k,--keep-old-files --overwrite -h,--dereference -O,--to-stdout -S,--sparse -w,--interactive -W,--verify --exclude= --strip-components= --transform,--xform= --wildcards --owner= --group= --mode= --mtime= -s,--preserve-order --sort= --numeric-owner --no-same-owner --same-owner --no-recursion --one-file-system --force-local -b,--blocking-factor= --format= -H= --anchored --ignore-failed-read --totals=? --checkpoint=? -P,--absolute-names -B -i -n -o";

/** Programs that archive and compress files. */
export const ARCHIVE_PROGRAMS: readonly Program[] = [
  {
    names: "tar gtar bsdtar",
    flags: {
      safe: TAR_SAFE,
      opaque: "-f,--file= -C,--directory= -T,--files-from=r -X,--exclude-from=r",
      writes: "--remove-files -g,--listed-incremental=w --index-file=w",
      executes:
        "--to-command=x -I,--use-compress-program=x --checkpoint-action=x -F,--info-script,--new-volume-script=x --rmt-command=x --rsh-command=x",
    },
    paths: tarPaths,
    lists: namesThatExecute,
  },
  {
    names: "zip",
    flags: {
      safe: "-r,--recurse-paths -q -v -j -u -f -d -m -x= -i= -e -9 -0 -y -X",
      opaque: "-@",
      executes: "-T,--test --unzip-command,-TT=x",
      writes: "-O=w --out=w -b=w",
    },
    operands: "archive",
  },
  {
    names: "unzip",
    flags: { safe: "-l -t -v -Z -p -q -o -n -j -u -f -C -a -z -P= -x", writes: "-d=w" },
    operands: "read",
  },
  {
    names: "7z 7za 7zr rar unrar unar ar cpio pax",
    flags: { executes: "--to-command=x --rsh-command=x" },
    operands: "maybe-write",
  },
  {
    names:
      "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 brotli compress uncompress pigz pbzip2 lzip",
    flags: {
      safe: "-c,--stdout,--to-stdout -d,--decompress,--uncompress -f,--force -k,--keep -l,--list -n,--no-name -N,--name -q,--quiet -r,--recursive -t,--test -v,--verbose -1,--fast -2 -3 -4 -5 -6 -7 -8 -9,--best -T,--threads= -S,--suffix=",
      writes: "-o=w",
    },
    operands: "write",
  },
  {
    names: "zcat gzcat bzcat xzcat zstdcat lzcat",
    flags: { safe: "-f,--force -q,--quiet -v,--verbose" },
    operands: "read",
    readOnly: true,
  },
  {
    names: "patch",
    flags: {
      opaque: "-i,--input=r -d,--directory=d -p,--strip=",
      writes: "-o,--output=w -r,--reject-file=w",
      executes: "-e,--ed",
    },
    operands: "maybe-write",
  },
];

const TAR_MODES: ReadonlySet<string> = new Set(["-c", "-r", "-u", "-A", "-x", "-t", "-d", "--delete"]);
const WRITING_MODES: ReadonlySet<string> = new Set(["-c", "-r", "-u", "-A", "--delete"]);

/** The archive is written when packing and read when unpacking; unpacking writes into the target folder. */
function tarPaths(use: Use): readonly FoundPath[] {
  const old = oldStyle(use);
  const modes = [
    ...use.flags.map(({ flag }) => flag.name).filter((name) => TAR_MODES.has(name)),
    ...old.modes,
  ];
  const isPacking = modes.some((mode) => WRITING_MODES.has(mode));
  const archives = [
    ...use.flags.filter(({ flag }) => flag.name === "-f").flatMap(({ values }) => values),
    ...old.archives,
  ];
  const folders = use.flags.filter(({ flag }) => flag.name === "-C").flatMap(({ values }) => values);
  const members = isPacking ? use.operands.slice(old.words) : [];
  const isUnpacking = modes.includes("-x");
  return [
    ...archives.map((word): FoundPath => ({ word, access: isPacking ? "write" : "read" })),
    ...folders.map((word): FoundPath => ({ word, access: isUnpacking ? "write" : "read" })),
    ...members.flatMap((word) => memberPaths(word, folders)),
    ...(isUnpacking && folders.length === 0 ? [UNPACKED_HERE] : []),
  ];
}

const UNPACKED_HERE: FoundPath = { word: { text: ".", literal: true }, access: "write" };

/** The packed files are relative to the folder given by an option. */
function memberPaths(word: Word, folders: readonly Word[]): readonly FoundPath[] {
  if (folders.length === 0 || word.text.startsWith("/")) return [{ word, access: "read" }];
  return folders.map((folder) => ({
    word: { text: `${folder.text}/${word.text}`, literal: word.literal && folder.literal },
    access: "read",
  }));
}

/** Handles `tar xzf file`: the first word is a cluster without its dash, followed by its values. */
function oldStyle({ flags, operands }: Use): {
  readonly modes: readonly string[];
  readonly archives: readonly Word[];
  readonly words: number;
} {
  const [first, ...rest] = operands;
  const isNew = flags.some(({ flag }) => TAR_MODES.has(flag.name));
  if (first === undefined || isNew || !/^[A-Za-z]+$/.test(first.text))
    return { modes: [], archives: [], words: 0 };
  const letters = first.text.split("");
  const valued = letters.filter((letter) => "fbCTXHgFIKNV".includes(letter));
  const archives = rest.filter((_, index) => valued[index] === "f");
  return { modes: letters.map((letter) => `-${letter}`), archives, words: 1 + valued.length };
}

/** A file with such a name becomes an option when a shell pattern expands to it. */
function namesThatExecute({ operands }: Use): readonly Word[] {
  return operands.filter(({ text }) => text.startsWith("--"));
}
