#!/usr/bin/env python3
"""my_tool: a tool in Python. docs/external-tools.md of Toolwright has the contract."""

import json
import sys

SCHEMA = {
    "name": "my_tool",
    "description": "Greets someone. Replace this by what the tool does: it is all that a model knows of it.",
    "parameters": {
        "name": {"type": "string", "description": "Whom to greet", "minLength": 1, "required": True},
        "times": {"type": "integer", "description": "How often", "minimum": 1, "maximum": 10, "default": 1},
    },
}


class Failure(Exception):
    """What happened, and a code."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


def main(arguments):
    if arguments == ["--schema"]:
        print(json.dumps(SCHEMA))
        return 0
    try:
        if arguments:
            raise Failure("unknown arguments: a call is JSON on standard input", "INVALID_INPUT")
        answer = run(read_input())
    except Failure as failure:
        print(json.dumps({"error": str(failure), "error_code": failure.code}))
        return 1
    print(json.dumps(answer))
    return 0


def read_input():
    try:
        given = json.loads(sys.stdin.buffer.read())
    except (ValueError, RecursionError) as error:
        raise Failure("standard input must be one JSON object", "INVALID_INPUT") from error
    if not isinstance(given, dict):
        raise Failure("standard input must be one JSON object", "INVALID_INPUT")
    return given


def run(given):
    name = given.get("name")
    if not isinstance(name, str) or name == "":
        raise Failure("name must be a text", "INVALID_INPUT")
    times = given.get("times", 1)
    if type(times) is not int or not 1 <= times <= 10:
        raise Failure("times must be a whole number from 1 to 10", "INVALID_INPUT")
    # Standard output is for the one answer; everything else goes to standard error. A line like this is shown while it runs:
    print(json.dumps({"progress": "greeting"}), file=sys.stderr, flush=True)
    return {"greeting": " ".join([f"Hello, {name}!"] * times)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
