/** A tool in sh that is good, but for what is put in. */
export interface Parts {
  /** Before anything else. */
  readonly first?: string;
  readonly schema?: string;
  /** In place of reading and checking the input; afterwards `$input` is what came. */
  readonly reads?: string;
  /** In place of the answer. */
  readonly answers?: string;
}

export const SCHEMA =
  '{"name": "echo", "description": "Says it again.", "parameters": {"text": {"type": "string", "required": true}}}';
/** Reads the input, and refuses what is not meant. */
export const READS = `input=$(cat)
case $input in
'{"text"'*'}') ;;
*) echo '{"error": "text is missing", "error_code": "INVALID_INPUT"}'; exit 1 ;;
esac`;

/** The text of the tool. */
export function echoTool({
  first = "",
  schema = SCHEMA,
  reads = READS,
  answers = `printf '%s\\n' "$input"`,
}: Parts): string {
  return `#!/bin/sh\n${first}\nif [ "$1" = --schema ]; then echo '${schema}'; exit; fi\n${reads}\n${answers}\n`;
}

/** A good input for it. */
export const ARGS = { text: "hi" };
