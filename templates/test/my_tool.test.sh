#!/bin/sh
# Tests my_tool: sh test/my_tool.test.sh
tool=$(dirname "$0")/../my_tool.sh
failures=0

# What it is, what is on standard input, what standard output must be.
expect() {
  got=$(printf '%s' "$2" | "$tool" 2>/dev/null)
  if [ "$got" = "$3" ]; then
    echo "ok: $1"
  else
    echo "FAILED: $1: expected $3, got $got"
    failures=$((failures + 1))
  fi
}

expect "it greets" '{"name": "Ada"}' '{"greeting":"Hello, Ada!"}'
expect "it greets twice" '{"name": "Ada", "times": 2}' '{"greeting":"Hello, Ada! Hello, Ada!"}'
expect "a name is needed" '{}' '{"error": "name must be a text", "error_code": "INVALID_INPUT"}'
expect "input is JSON" 'Ada' '{"error": "standard input must be one JSON object", "error_code": "INVALID_INPUT"}'

if "$tool" --schema | jq -e '.name == "my_tool"' >/dev/null; then
  echo "ok: it says its name"
else
  echo "FAILED: it does not say its name"
  failures=$((failures + 1))
fi
[ "$failures" -eq 0 ]
