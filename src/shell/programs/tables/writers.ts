import { dataFiles, listsOldStyle, proxies, tarPaths } from "./argument-paths.ts";
import { program, programs } from "./lines.ts";
import type { Program } from "./program.ts";

/** Programs that write files, use the network or change the machine, and those that read in ways that are not proven. */
export const writers = (): readonly Program[] => [
  ...programs({
    "rm grm": `write
      -r,-R,--recursive -f,--force -i -I --interactive=? -d,--dir -v,--verbose --one-file-system
      --no-preserve-root --preserve-root=? -P -W -x --help --version`,
    rmdir: "write -p,--parents -v,--verbose --ignore-fail-on-non-empty",
    unlink: "write",
    shred: `write
      -f,--force -n,--iterations= -s,--size= -u --remove=? -v,--verbose -x,--exact -z,--zero
      --random-source=r`,
    "mv gmv": `write
      -b --backup=? -f,--force -i,--interactive -n,--no-clobber --strip-trailing-slashes -S,--suffix=
      -T,--no-target-directory -u,--update[=] -v,--verbose -Z,--context --debug --exchange --no-copy -h
      > -t,--target-directory=w`,
    "cp gcp": `copy
      -a,--archive -b --backup=? -d -f,--force -i,--interactive -H -l,--link -L,--dereference
      -n,--no-clobber -P,--no-dereference -p --preserve=? --no-preserve= --parents -R,-r,--recursive
      --reflink=? --remove-destination --sparse= --strip-trailing-slashes -s,--symbolic-link
      -S,--suffix= -T,--no-target-directory -u,--update[=] -v,--verbose -x,--one-file-system -Z
      --context=? --attributes-only --debug --copy-contents --keep-directory-symlink
      > -t,--target-directory=w`,
    "install ginstall": `write
      -b --backup=? -c -C,--compare -D -d,--directory -g,--group= -m,--mode= -o,--owner=
      -p,--preserve-timestamps -s,--strip -S,--suffix= -T,--no-target-directory -v,--verbose --debug
      --preserve-context -Z,--context
      > -t,--target-directory=w
      ! --strip-program=x`,
    "ln gln": `write
      -b --backup=? -d,-F,--directory -f,--force -i,--interactive -L,--logical -n,--no-dereference
      -P,--physical -r,--relative -s,--symbolic -S,--suffix= -T,--no-target-directory -v,--verbose -h
      > -t,--target-directory=w`,
    link: "write",
    mkdir: "write -m,--mode= -p,--parents -v,--verbose -Z,--context[=]",
    "mkfifo mknod": "write -m,--mode= -Z,--context[=]",
    mktemp: "write -d,--directory -u,--dry-run -q,--quiet --suffix= -t > -p,--tmpdir=w",
    touch: "write -a -c,--no-create -d,--date= -f -h,--no-dereference -m -r,--reference=r -t= --time=",
    truncate: "write -c,--no-create -o,--io-blocks -r,--reference=r -s,--size=",
    tee: "write -a,--append -i,--ignore-interrupts -p --output-error=?",
    sponge: "write -a",
    "split csplit": `filter
      -a,--suffix-length= --additional-suffix= -b,--bytes= -C,--line-bytes= -d --numeric-suffixes=? -x
      --hex-suffixes=? -e,--elide-empty-files -l,--lines= -n,--number= -t,--separator= -u,--unbuffered
      --verbose
      ! --filter=x`,
    "dd dcfldd": "settings",
    "trash trash-put gio srm wipe": "write",
    unzip: "read -l -t -v -Z -p -q -o -n -j -u -f -C -a -z -P= -x > -d=w",
    "7z 7za 7zr rar unrar unar ar": "maybe-write",
    "gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 brotli compress uncompress pigz pbzip2 lzip": `write
      -c,--stdout,--to-stdout -d,--decompress,--uncompress -f,--force -k,--keep -l,--list -n,--no-name
      -N,--name -q,--quiet -r,--recursive -t,--test -v,--verbose -1,--fast -2 -3 -4 -5 -6 -7 -8
      -9,--best -T,--threads= -S,--suffix=
      > -o=w`,
    patch:
      "maybe-write ~ -i,--input=r -d,--directory=d -p,--strip= > -o,--output=w -r,--reject-file=w ! -e,--ed",
    "wget wget2": `urls
      -q,--quiet -v,--verbose -nv,--no-verbose -S,--server-response --spider -T,--timeout= -t,--tries=
      -U,--user-agent= --header= --no-check-certificate -c,--continue -r,--recursive -l,--level=
      -np,--no-parent -k,--convert-links -p,--page-requisites -m,--mirror --method= --user= --password=
      --max-redirect= -A,--accept= -R,--reject= -N,--timestamping
      ~ -i,--input-file=r --post-data= --body-data= --post-file=r --body-file=r --load-cookies=r
      --ca-certificate=r --certificate=r --private-key=r
      > -O,--output-document=w -o,--output-file=w -a,--append-output=w -P,--directory-prefix=w
      --save-cookies=w --warc-file=w --hsts-file=w --rejected-log=w
      ! --use-askpass=x -e,--execute= --config=r`,
    "rsync rclone": `remote
      -v,--verbose -q,--quiet -c,--checksum -a,--archive -r,--recursive -R,--relative -b,--backup
      -u,--update -l,--links -L,--copy-links -H,--hard-links -p,--perms -E -A -X -o,--owner -g,--group
      -D -t,--times -O -S -n,--dry-run -W -x -z,--compress -C -h,--human-readable -P --partial
      --progress --stats --delete --delete-after --delete-before --delete-during --delete-excluded
      --exclude= --include= -f,--filter= --max-size= --bwlimit= --timeout= --port= -i,--itemize-changes
      --existing --ignore-existing -m,--prune-empty-dirs --info= --chmod= --chown=
      ~ --files-from=n --exclude-from=r --include-from=r --password-file=r
      > --remove-source-files --log-file=w --backup-dir=w --partial-dir=w -T,--temp-dir=w
      --write-batch=w --only-write-batch=w
      ! -e,--rsh=x --rsync-path=x --daemon -M,--remote-option= --early-input=r`,
    "nc ncat netcat": "none -l -v -n -z -u -4 -6 -k -p= -w= -s= ! -e,--exec=x -c,--sh-exec=x --lua-exec=r -U",
    "telnet ftp lftp tftp openssl gpg http https httpie xh aria2c axel fetch lynx w3m links elinks gh glab aws gcloud az":
      "looks ! --exec=x -e=",
    "ping ping6 traceroute tracepath dig nslookup host whois mtr nmap arp ifconfig ss netstat route tcpdump":
      "none > -w=w -oN=w -oX=w -oG=w -oA=w -K ! -z=x --script=r",
    "kill pkill killall skill xkill killall5": "none -l,--list -s,--signal= -n= -f -u= -x -9 -15 -1 -2 -3 -0",
    rustc: "looks > -o=w --out-dir=w --emit= ! -C,--codegen= -Z=",
    "javac tsc": "looks",
  }),
  program(
    "man info apropos whatis perldoc",
    "looks ! -P,--pager=x -H,--html=x? -C,--config-file=r -T,--troff-device=? -p,--preprocessor=",
    { readsInBox: true, proves: ({ operands }) => operands.every(({ text }) => /^[\w.+:-]+$/.test(text)) },
  ),
  ...programs({ "cpio pax": "maybe-write ! --to-command=x --rsh-command=x" }, { readsNames: () => true }),
  program(
    "zip",
    `archive
    -r,--recurse-paths -q -v -j -u -f -d -m -x= -i= -e -9 -0 -y -X
    ~ -@
    > -O=w --out=w -b=w
    ! -T,--test --unzip-command,-TT=x`,
    {
      readsNames: ({ flags }) => flags.some(({ flag }) => flag.name === "-@"),
    },
  ),
  ...programs(
    {
      chmod: `owner
        -R,--recursive -c,--changes -f,--silent,--quiet -v,--verbose --no-preserve-root --preserve-root
        --reference=r -h -H -L -P --dereference --no-dereference`,
      "chown chgrp chattr chflags setfacl chcon setfattr xattr": `owner
        -R,--recursive -c,--changes -f,--silent,--quiet -v,--verbose -h,--no-dereference --dereference
        --from= -H -L -P --no-preserve-root --preserve-root --reference=r`,
    },
    { patternFlags: ["--reference"] },
  ),
  ...programs(
    {
      "mount umount swapon swapoff losetup cryptsetup fsck e2fsck tune2fs resize2fs": "maybe-write",
      "blkdiscard hdparm lvremove vgremove pvremove zpool zfs mdadm": "maybe-write",
      "mkfs mke2fs mkswap mkdosfs wipefs newfs fdisk sfdisk cfdisk gdisk sgdisk parted diskutil format":
        "write",
      "shutdown reboot halt poweroff init telinit systemctl service rc-service initctl": "looks",
      "modprobe insmod rmmod setenforce update-alternatives ldconfig": "looks",
      "useradd userdel usermod groupadd passwd chpasswd visudo chsh vipw": "looks",
      "ufw iptables ip6tables nft firewall-cmd": "looks",
    },
    { ungrantable: "privilege" },
  ),
  // A file with such a name becomes an option when a shell pattern expands to it.
  program(
    "tar gtar bsdtar",
    `looks
    -A,--catenate,--concatenate -c,--create -d,--diff,--compare --delete -r,--append -t,--list
    --test-label -u,--update -x,--extract,--get -v,--verbose -z,--gzip,--gunzip,--ungzip -j,--bzip2
    -J,--xz --lzma --zstd -Z,--compress -a,--auto-compress -p,--preserve-permissions,--same-permissions
    -m,--touch -k,--keep-old-files --overwrite -h,--dereference -O,--to-stdout -S,--sparse
    -w,--interactive -W,--verify --exclude= --strip-components= --transform,--xform= --wildcards
    --owner= --group= --mode= --mtime= -s,--preserve-order --sort= --numeric-owner --no-same-owner
    --same-owner --no-recursion --one-file-system --force-local -b,--blocking-factor= --format= -H=
    --anchored --ignore-failed-read --totals=? --checkpoint=? -P,--absolute-names -B -i -n -o
    ~ -f,--file= -C,--directory= -T,--files-from=n -X,--exclude-from=r
    > --remove-files -g,--listed-incremental=w --index-file=w
    ! --to-command=x -I,--use-compress-program=x --checkpoint-action=x
    -F,--info-script,--new-volume-script=x --rmt-command=x --rsh-command=x`,
    {
      paths: tarPaths,
      readsNames: listsOldStyle,
      lists: ({ operands }) => operands.filter(({ text }) => text.startsWith("--")),
    },
  ),
  program(
    "curl",
    `urls
    -s,--silent -S,--show-error -L,--location -f,--fail --fail-with-body -i,--include -I,--head
    -v,--verbose -k,--insecure -g,--globoff -G,--get -N,--no-buffer -4,--ipv4 -6,--ipv6 --compressed
    -X,--request= -H,--header= -A,--user-agent= -e,--referer= -u,--user= -m,--max-time=
    --connect-timeout= --retry= --retry-delay= -r,--range= -x,--proxy= --resolve= --url= --http1.1
    --http2 --no-progress-meter -#,--progress-bar -w,--write-out= --max-redirs= -Z,--parallel
    --create-dirs
    ~ --url-query= --variable= -d,--data,--data-ascii,--data-raw,--data-binary,--data-urlencode=
    -F,--form= --json= --form-string= -b,--cookie= -n,--netrc --netrc-file=r -E,--cert=r --key=r
    --cacert=r --capath=r --unix-socket=r -C,--continue-at= -T,--upload-file=r
    > -o,--output=w -O,--remote-name --remote-name-all -J,--remote-header-name -c,--cookie-jar=w
    -D,--dump-header=w --output-dir=w --trace=w --trace-ascii=w --stderr=w --hsts=w --alt-svc=w
    --etag-save=w --libcurl=w
    ! -K,--config=n -q,--disable --engine= -Q,--quote=`,
    { paths: dataFiles },
  ),
  program(
    "scp sftp",
    "remote -3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v -c= -l= -J= -P= -X= ~ -i=r -b=n ! -D=x -S=x -o=x -F=r",
    { lists: proxies },
  ),
  program(
    "ssh autossh mosh slogin rsh dropbear",
    `none
    -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -y -b= -B= -c= -D= -e= -J= -L=
    -l= -m= -O= -p= -P= -Q= -R= -W= -w=
    ~ -i=r -S=
    > -E=w
    ! -o=x -F=r -I=r`,
    {
      stopsAtOperand: true,
      starts: [{ kind: "joined", skip: 1, isRemote: true, shell: "fed" }],
      lists: proxies,
      ungrantable: "wrapper",
    },
  ),
  program("socat", "none", {
    lists: ({ operands }) =>
      operands.filter(({ text }) => /\b(?:exec|system|shell|open|create)\b/i.test(text)),
    ungrantable: "wrapper",
  }),
  program(
    "less more bat batcat",
    "read > -o,-O,--log-file=w ! -k,--lesskey-file=r --pager=x --lesskey-src=r",
    { lists: ({ operands }) => operands.filter(({ text }) => text.startsWith("+")) },
  ),
  program(
    "yq",
    `pattern
    -P,--prettyPrint -r,--unwrapScalar[=] -o,--output-format= -p,--input-format= -n,--null-input
    -C,--colors -M,--no-colors -e,--exit-status -N,--no-doc -I,--indent= -j,--tojson -y -c -s
    -V,--version -h,--help
    ~ --from-file=r
    > -i,--inplace,--in-place --split-exp=`,
    { inPlace: ["-i"] },
  ),
];
