#!/bin/sh
# my_tool: a tool in sh. It needs jq. docs/external-tools.md of Toolwright has the contract.

# Prints a failure as JSON and ends: what happened, and a code.
fail() {
  printf '{"error": "%s", "error_code": "%s"}\n' "$1" "$2"
  exit 1
}

if [ "${1-}" = --schema ]; then
  cat <<'END'
{
  "name": "my_tool",
  "description": "Greets someone. Replace this by what the tool does: it is all that a model knows of it.",
  "parameters": {
    "name": {"type": "string", "description": "Whom to greet", "minLength": 1, "required": true},
    "times": {"type": "integer", "description": "How often", "minimum": 1, "maximum": 10, "default": 1}
  }
}
END
  exit
fi

[ $# -eq 0 ] || fail "unknown arguments: a call is JSON on standard input" INVALID_INPUT
command -v jq >/dev/null || fail "jq is not installed" UNAVAILABLE

input=$(cat)
# Asks a question about the input: yes is true.
is() { printf '%s' "$input" | jq -es "$1" >/dev/null 2>&1; }

is 'length == 1 and (.[0] | type == "object")' || fail "standard input must be one JSON object" INVALID_INPUT
is '.[0].name | type == "string" and . != ""' || fail "name must be a text" INVALID_INPUT
is '.[0].times // 1 | type == "number" and . == floor and . >= 1 and . <= 10' ||
  fail "times must be a whole number from 1 to 10" INVALID_INPUT

# Standard output is for the one answer; everything else goes to standard error. A line like this is shown while it runs:
echo '{"progress": "greeting"}' >&2

printf '%s' "$input" | jq -c '. as $in | {greeting: [range(.times // 1) | "Hello, \($in.name)!"] | join(" ")}'
