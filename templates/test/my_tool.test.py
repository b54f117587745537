"""Tests my_tool: python3 test/my_tool.test.py"""

import json
import pathlib
import subprocess
import unittest

TOOL = pathlib.Path(__file__).resolve().parent.parent / "my_tool.py"


def call(text, *arguments):
    done = subprocess.run([TOOL, *arguments], input=text, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


class MyTool(unittest.TestCase):
    def test_it_greets(self):
        self.assertEqual(call('{"name": "Ada"}'), {"greeting": "Hello, Ada!"})

    def test_it_greets_twice(self):
        self.assertEqual(call('{"name": "Ada", "times": 2}'), {"greeting": "Hello, Ada! Hello, Ada!"})

    def test_a_name_is_needed(self):
        self.assertEqual(call("{}"), {"error": "name must be a text", "error_code": "INVALID_INPUT"})

    def test_input_is_json(self):
        self.assertEqual(call("Ada")["error_code"], "INVALID_INPUT")

    def test_it_says_its_name(self):
        self.assertEqual(call("", "--schema")["name"], "my_tool")


if __name__ == "__main__":
    unittest.main()
