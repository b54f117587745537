import type { Word } from "../../../core/command.ts";
import type { Flags, Program, Use } from "./program.ts";

const COPY_FLAGS: Flags = {
  safe: "-a,--archive -b --backup=? -d -f,--force -i,--interactive -H -l,--link -L,--dereference -n,--no-clobber -P,--no-dereference -p --preserve=? --no-preserve= --parents -R,-r,--recursive --reflink=? --remove-destination --sparse= --strip-trailing-slashes -s,--symbolic-link -S,--suffix= -T,--no-target-directory -u,--update[=] -v,--verbose -x,--one-file-system -Z --context=? --attributes-only --debug --copy-contents --keep-directory-symlink",
  writes: "-t,--target-directory=w",
};

/** Programs that inspect, create, move and remove files and folders. */
export const FILE_PROGRAMS: readonly Program[] = [
  {
    names: "ls dir vdir",
    flags: {
      safe: "-a,--all -A,--almost-all --author -b,--escape --block-size= -B,--ignore-backups -c -C --color=? --full-time -d,--directory -D,--dired -f -F,--classify[=] -g -G,--no-group -h,--human-readable --si -H --dereference-command-line --dereference-command-line-symlink-to-dir --hide= --hyperlink=? --indicator-style= -i,--inode -I,--ignore= -k,--kibibytes -l -m -n,--numeric-uid-gid -N,--literal -o -p --file-type -q,--hide-control-chars --show-control-chars -Q,--quote-name --quoting-style= -r,--reverse -R,--recursive -s,--size -S --sort= -t --time= --time-style= -T,--tabsize= -u -U -v -w,--width= --format= -x -X -Z,--context --zero -1 -@ -e -O --group-directories-first --help --version",
      opaque: "-L,--dereference",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "stat",
    flags: {
      safe: "-L,--dereference -f,--file-system -c,--format= --printf= -t,--terse --cached= -x --help --version",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "file",
    flags: {
      safe: "-b,--brief -i,--mime --mime-type --mime-encoding --extension --apple -E -h,--no-dereference -k,--keep-going -l,--list -L,--dereference -n,--no-buffer -N,--no-pad -0,--print0 -p,--preserve-date -r,--raw -s,--special-files -F,--separator= -e,--exclude= -P,--parameter= -S,--no-sandbox --help -v,--version",
      opaque: "-m,--magic-file=r -f,--files-from=r",
      writes: "-C,--compile",
      executes: "-z,--uncompress -Z,--uncompress-noreport",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "du",
    flags: {
      safe: "-0,--null -a,--all --apparent-size -A -B,--block-size= -b,--bytes -c,--total -D,--dereference-args -d,--max-depth= -H -h,--human-readable --inodes -k -l,--count-links -m -P,--no-dereference -S,--separate-dirs --si -s,--summarize -t,--threshold= --time=? --time-style= -x,--one-file-system --exclude= -I= --help --version",
      opaque: "-L,--dereference --files0-from=r -X,--exclude-from=r",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "df",
    flags: {
      safe: "-a,--all -B,--block-size= --direct -h,--human-readable -H,--si -i,--inodes -k -l,--local --no-sync --output=? -P,--portability -T,--print-type -t,--type= --total -x,--exclude-type= -v -m -g --help --version",
      writes: "--sync",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "tree",
    flags: {
      safe: "-a -d -f -i -x -L= -P= -I= --gitignore --matchdirs --metafirst --ignore-case --noreport --charset= --filelimit= --prune --info --du --si --timefmt= --sort= -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -S -n -C -A -J -X --dirsfirst --filesfirst --inodes --device --nolinks --hintro=r --houtro=r -H= -T= --help --version",
      opaque: "-l --gitfile=r --infofile=r --fromfile --fromtabfile",
      writes: "-o=w -R",
    },
    operands: "read",
    readOnly: true,
    lists: clustersThatWrite,
  },
  {
    names: "pwd",
    flags: { safe: "-L,--logical -P,--physical --help --version" },
    operands: "none",
    readOnly: true,
  },
  {
    names: "basename",
    flags: { safe: "-a,--multiple -s,--suffix= -z,--zero --help --version" },
    operands: "none",
    readOnly: true,
  },
  { names: "dirname", flags: { safe: "-z,--zero --help --version" }, operands: "none", readOnly: true },
  {
    names: "realpath grealpath",
    flags: {
      safe: "-E,--canonicalize -e,--canonicalize-existing -m,--canonicalize-missing -L,--logical -P,--physical -q,--quiet --relative-to=r --relative-base=r -s,--strip,--no-symlinks -z,--zero --help --version",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "readlink",
    flags: {
      safe: "-f,--canonicalize -e,--canonicalize-existing -m,--canonicalize-missing -n,--no-newline -q,--quiet -s,--silent -v,--verbose -z,--zero --help --version",
    },
    operands: "read",
    readOnly: true,
  },
  {
    names: "rm grm",
    flags: {
      safe: "-r,-R,--recursive -f,--force -i -I --interactive=? -d,--dir -v,--verbose --one-file-system --no-preserve-root --preserve-root=? -P -W -x --help --version",
    },
    operands: "write",
  },
  {
    names: "rmdir",
    flags: { safe: "-p,--parents -v,--verbose --ignore-fail-on-non-empty" },
    operands: "write",
  },
  { names: "unlink", operands: "write" },
  {
    names: "shred",
    flags: {
      safe: "-f,--force -n,--iterations= -s,--size= -u --remove=? -v,--verbose -x,--exact -z,--zero --random-source=r",
    },
    operands: "write",
  },
  {
    names: "mv gmv",
    flags: {
      safe: "-b --backup=? -f,--force -i,--interactive -n,--no-clobber --strip-trailing-slashes -S,--suffix= -T,--no-target-directory -u,--update[=] -v,--verbose -Z,--context --debug --exchange --no-copy -h",
      writes: "-t,--target-directory=w",
    },
    operands: "write",
  },
  { names: "cp gcp", flags: COPY_FLAGS, operands: "copy" },
  {
    names: "install ginstall",
    flags: {
      safe: "-b --backup=? -c -C,--compare -D -d,--directory -g,--group= -m,--mode= -o,--owner= -p,--preserve-timestamps -s,--strip -S,--suffix= -T,--no-target-directory -v,--verbose --debug --preserve-context -Z,--context",
      writes: "-t,--target-directory=w",
      executes: "--strip-program=x",
    },
    operands: "write",
  },
  {
    names: "ln gln",
    flags: {
      safe: "-b --backup=? -d,-F,--directory -f,--force -i,--interactive -L,--logical -n,--no-dereference -P,--physical -r,--relative -s,--symbolic -S,--suffix= -T,--no-target-directory -v,--verbose -h",
      writes: "-t,--target-directory=w",
    },
    operands: "write",
  },
  { names: "link", operands: "write" },
  {
    names: "mkdir",
    flags: { safe: "-m,--mode= -p,--parents -v,--verbose -Z,--context[=]" },
    operands: "write",
  },
  { names: "mkfifo mknod", flags: { safe: "-m,--mode= -Z,--context[=]" }, operands: "write" },
  {
    names: "mktemp",
    flags: { safe: "-d,--directory -u,--dry-run -q,--quiet --suffix= -t", writes: "-p,--tmpdir=w" },
    operands: "write",
  },
  {
    names: "touch",
    flags: { safe: "-a -c,--no-create -d,--date= -f -h,--no-dereference -m -r,--reference=r -t= --time=" },
    operands: "write",
  },
  {
    names: "truncate",
    flags: { safe: "-c,--no-create -o,--io-blocks -r,--reference=r -s,--size=" },
    operands: "write",
  },
  {
    names: "chmod",
    flags: {
      safe: "-R,--recursive -c,--changes -f,--silent,--quiet -v,--verbose --no-preserve-root --preserve-root --reference=r -h -H -L -P --dereference --no-dereference",
    },
    operands: "owner",
    patternFlags: ["--reference"],
  },
  {
    names: "chown chgrp chattr chflags setfacl chcon setfattr xattr",
    flags: {
      safe: "-R,--recursive -c,--changes -f,--silent,--quiet -v,--verbose -h,--no-dereference --dereference --from= -H -L -P --no-preserve-root --preserve-root --reference=r",
    },
    operands: "owner",
    patternFlags: ["--reference"],
  },
  { names: "getfacl lsattr getfattr", operands: "read" },
  {
    names: "tee",
    flags: { safe: "-a,--append -i,--ignore-interrupts -p --output-error=?" },
    operands: "write",
  },
  { names: "sponge", flags: { safe: "-a" }, operands: "write" },
  {
    names: "split csplit",
    flags: {
      safe: "-a,--suffix-length= --additional-suffix= -b,--bytes= -C,--line-bytes= -d --numeric-suffixes=? -x --hex-suffixes=? -e,--elide-empty-files -l,--lines= -n,--number= -t,--separator= -u,--unbuffered --verbose",
      executes: "--filter=x",
    },
    operands: "filter",
  },
  { names: "dd dcfldd", operands: "settings" },
  { names: "trash trash-put gio srm wipe", operands: "write" },
];

/** `tree` takes the values of all letters in a cluster from the following words: in `-Lo 1 out` the second is written. */
function clustersThatWrite({ flags }: Use): readonly Word[] {
  return flags.map(({ word }) => word).filter(({ text }) => /^-[^-].*[oR]/.test(text));
}
