import { row, type SuiteCall } from "./row.ts";

/** Calls of file tools, in order: each sees what those before it did. */
export const FILE_CALLS: readonly SuiteCall[] = [
  row("write_file", { path: "src/one.txt", content: "one\ntwo\nthree\n" }, "Created src/one.txt (14 bytes)"),
  row(
    "write_file",
    { path: "src/one.txt", content: "other", create_only: true },
    "Error: src/one.txt already exists\nchoose another name, or omit create_only to replace it",
    { code: "TOOL_FAILED" },
  ),
  row("write_file", { path: "two.md", content: "# Two\n\n  alpha\n  beta\n" }, "Created two.md (22 bytes)"),
  row("read_file", { path: "src/one.txt" }, "     1\tone\n     2\ttwo\n     3\tthree"),
  row(
    "read_file",
    { path: "src/one.txt", start_line: 2, limit: 1 },
    "     2\ttwo\n[lines 2 to 2 of 3 shown; continue with start_line=3]",
  ),
  row(
    "read_file",
    { path: "src/ones.txt" },
    "Error: src/ones.txt does not exist\ndid you mean src/one.txt?",
    { code: "TOOL_FAILED" },
  ),
  row(
    "read_file",
    { path: "src" },
    "Error: WORKSPACE/src is a folder, not a regular file\nuse ls to list a folder",
    { code: "TOOL_FAILED" },
  ),
  row(
    "edit_file",
    { path: "src/one.txt", old_string: "two", new_string: "2" },
    "Edited src/one.txt: 1 replacement\n--- a/src/one.txt\n+++ b/src/one.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
  ),
  row(
    "edit_file",
    { path: "two.md", old_string: "alpha\nbeta", new_string: "gamma\ndelta" },
    "Edited two.md: 1 replacement\nline 3 matched except for indentation; the new text was adapted to the file.\n--- a/two.md\n+++ b/two.md\n@@ -1,4 +1,4 @@\n # Two\n \n-  alpha\n-  beta\n+  gamma\n+  delta\n",
  ),
  row(
    "edit_file",
    { path: "src/one.txt", old_string: "four", new_string: "4" },
    "Error: old_string was not found in the file; nothing was changed\nno similar text was found; read the file again",
    { code: "TOOL_FAILED" },
  ),
  row(
    "edit_file",
    { path: "src/one.txt", old_string: "e", new_string: "E" },
    "Error: old_string was found 3 times, at lines 1, 3, 3; nothing was changed\ninclude more of the surrounding text, or set replace_all",
    { code: "TOOL_FAILED" },
  ),
  row(
    "edit_file",
    { path: "src/one.txt", old_string: "e", new_string: "E", replace_all: true },
    "Edited src/one.txt: 3 replacements\n--- a/src/one.txt\n+++ b/src/one.txt\n@@ -1,3 +1,3 @@\n-one\n+onE\n 2\n-three\n+thrEE\n",
  ),
  row("shell", { command: "echo more >> src/one.txt" }, "[no output]"),
  row(
    "edit_file",
    { path: "src/one.txt", old_string: "2", new_string: "two" },
    "Error: src/one.txt has changed since you last read it at TIME; nothing was written\nread it again, then repeat the change",
    { code: "TOOL_FAILED" },
  ),
  row(
    "write_file",
    { path: "src/one.txt", content: "lost" },
    "Error: src/one.txt has changed since you last read it at TIME; nothing was written\nread it again, then repeat the change",
    { code: "TOOL_FAILED" },
  ),
  row(
    "file_multi_edit",
    {
      path: "two.md",
      edits: [
        { old_string: "# Two", new_string: "# 2" },
        { old_string: "delta", new_string: "omega" },
      ],
    },
    "Edited two.md: 2 replacements\n--- a/two.md\n+++ b/two.md\n@@ -1,4 +1,4 @@\n-# Two\n+# 2\n \n   gamma\n-  delta\n+  omega\n",
  ),
  row(
    "file_multi_edit",
    {
      path: "two.md",
      edits: [
        { old_string: "# 2", new_string: "# Two" },
        { old_string: "nowhere", new_string: "" },
      ],
    },
    "Error: edit 2 of 2: old_string was not found in the file; nothing was changed\nno similar text was found; read the file again",
    { code: "TOOL_FAILED" },
  ),
  row(
    "apply_patch",
    { patch: "--- a/two.md\n+++ b/two.md\n@@ -1,2 +1,2 @@\n-# 2\n+# Two\n \n" },
    "Applied the patch:\nupdated two.md\n--- a/two.md\n+++ b/two.md\n@@ -1,4 +1,4 @@\n-# 2\n+# Two\n \n   gamma\n   omega\n",
  ),
  row(
    "apply_patch",
    {
      patch:
        "*** Begin Patch\n*** Add File: src/three.txt\n+new\n*** Update File: two.md\n*** Move to: docs/two.md\n@@\n-  omega\n+  zeta\n*** End Patch",
    },
    "Applied the patch:\nadded src/three.txt\nmoved two.md to docs/two.md\n--- /dev/null\n+++ b/src/three.txt\n@@ -0,0 +1,1 @@\n+new\n--- a/two.md\n+++ b/docs/two.md\n@@ -1,4 +1,4 @@\n # Two\n \n   gamma\n-  omega\n+  zeta\n",
    { onHost: true },
  ),
  row(
    "edit_file",
    { path: "docs/two.md", old_string: "zeta", new_string: "zeta!" },
    "Edited docs/two.md: 1 replacement\n--- a/docs/two.md\n+++ b/docs/two.md\n@@ -1,4 +1,4 @@\n # Two\n \n   gamma\n-  zeta\n+  zeta!\n",
  ),
  row(
    "edit_file",
    { path: "src/three.txt", old_string: "new", new_string: "newer" },
    "Edited src/three.txt: 1 replacement\n--- a/src/three.txt\n+++ b/src/three.txt\n@@ -1,1 +1,1 @@\n-new\n+newer\n",
  ),
  row(
    "apply_patch",
    {
      patch:
        "*** Begin Patch\n*** Add File: src/four.txt\n+four\n*** Update File: src/three.txt\n@@\n-missing\n+found\n*** End Patch",
    },
    "Error: src/three.txt: hunk 1 (@@) does not match anywhere; nothing was changed\nno similar lines were found; read the file again",
    { code: "TOOL_FAILED" },
  ),
  row(
    "apply_patch",
    {
      patch:
        "*** Begin Patch\n*** Delete File: src/three.txt\n*** Update File: docs/two.md\n@@\n-  zeta!\n+  zeta\n*** End Patch",
    },
    'Applied the patch:\ndeleted src/three.txt\nupdated docs/two.md\nsrc/three.txt is in the trash as ID; "toolwright trash restore ID" restores it\n--- a/src/three.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-newer\n--- a/docs/two.md\n+++ b/docs/two.md\n@@ -1,4 +1,4 @@\n # Two\n \n   gamma\n-  zeta!\n+  zeta\n',
    { onHost: true },
  ),
  row("read_file", { path: "docs/two.md" }, "     1\t# Two\n     2\t\n     3\t  gamma\n     4\t  zeta"),
  row(
    "edit_file",
    { path: "docs/two.md", old_string: "zeta", new_string: "eta" },
    "Edited docs/two.md: 1 replacement\n--- a/docs/two.md\n+++ b/docs/two.md\n@@ -1,4 +1,4 @@\n # Two\n \n   gamma\n-  zeta\n+  eta\n",
  ),
  row(
    "str_replace_editor",
    { command: "create", path: "notes.txt", content: "a\nb\n" },
    "Created notes.txt (4 bytes)",
  ),
  row(
    "str_replace_editor",
    { command: "create", path: "notes.txt", content: "c\n" },
    "Error: notes.txt already exists\ncreate only creates new files; use str_replace or insert to change one",
    { code: "TOOL_FAILED" },
  ),
  row(
    "str_replace_editor",
    { command: "insert", path: "notes.txt", insert_line: 1, new_string: "between" },
    "Edited notes.txt (inserted after line 1)\n--- a/notes.txt\n+++ b/notes.txt\n@@ -1,2 +1,3 @@\n a\n+between\n b\n",
  ),
  row(
    "str_replace_editor",
    { command: "str_replace", path: "notes.txt", old_string: "b\n", new_string: "c\n" },
    "Edited notes.txt\n--- a/notes.txt\n+++ b/notes.txt\n@@ -1,3 +1,3 @@\n a\n between\n-b\n+c\n",
  ),
  row("str_replace_editor", { command: "view", path: "notes.txt" }, "     1\ta\n     2\tbetween\n     3\tc"),
  row(
    "str_replace_editor",
    { command: "undo_edit", path: "notes.txt" },
    "Undid the last edit of notes.txt (2 more changes can be undone)\n--- a/notes.txt\n+++ b/notes.txt\n@@ -1,3 +1,3 @@\n a\n between\n-c\n+b\n",
  ),
  row(
    "read_many_files",
    { paths: ["notes.txt", "src/*.txt", "missing.txt"] },
    "==> notes.txt <==\n     1\ta\n     2\tbetween\n     3\tb\n==> src/one.txt <==\n     1\tonE\n     2\t2\n     3\tthrEE\n     4\tmore\n[could not be read: missing.txt does not exist]",
  ),
  row(
    "shell",
    {
      command:
        "mkdir -p gone && echo ignored > gone/file && echo gone/ > .gitignore && printf 'a\\0b' > binary && touch -d 2020-01-01 src/one.txt && touch -d 2021-01-01 notes.txt && touch -d 2022-01-01 docs/two.md",
    },
    "[no output]",
  ),
  row(
    "read_file",
    { path: "binary" },
    "Error: binary is a binary file (3 bytes)\nuse a program that can read this kind of file",
    { code: "TOOL_FAILED" },
  ),
  row("glob", { pattern: "**/*.{txt,md}" }, "docs/two.md\nnotes.txt\nsrc/one.txt"),
  row("glob", { pattern: "*.rs" }, "[no files]"),
  row("glob", { pattern: "file", respect_gitignore: false }, "gone/file"),
  row("grep", { pattern: "^\\s+e" }, "docs/two.md:4:  eta"),
  row("grep", { pattern: "E", output: "count" }, "src/one.txt:3"),
  row("grep", { pattern: "two", ignore_case: true, output: "files" }, "docs/two.md"),
  row(
    "grep",
    { pattern: "b", path: "notes.txt", context_lines: 1 },
    "notes.txt-1-a\nnotes.txt:2:between\n--\nnotes.txt:3:b\n--",
  ),
  row(
    "grep",
    { pattern: "(" },
    "Error: regex parse error:\n    (?:()\n    ^\nerror: unclosed group\nfix the pattern or the glob, or set fixed_strings to search for plain text",
    { code: "INVALID_INPUT" },
  ),
  row("grep", { pattern: "in no file" }, "[no matches]"),
  row("ls", {}, "binary\ndocs/\nnotes.txt\nsrc/"),
  row("ls", { path: "src", recursive: true }, "one.txt"),
  row("ls", { path: "nowhere" }, "Error: cannot open WORKSPACE/nowhere: no such file or folder", {
    code: "TOOL_FAILED",
  }),
  row(
    "delete_file",
    { path: "notes.txt" },
    'Moved the file notes.txt (12 bytes) to the trash as ID; "toolwright trash restore ID" restores it',
    { onHost: true },
  ),
  row("read_file", { path: "notes.txt" }, "Error: notes.txt does not exist\nuse glob or ls to find it", {
    code: "TOOL_FAILED",
  }),
  row("write_file", { path: "notes.txt", content: "again\n" }, "Created notes.txt (6 bytes)"),
];
