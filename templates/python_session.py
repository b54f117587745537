"""Runs the cells of python_action in one interpreter. Usage: python3 python_session.py TOKEN FOLDER

Reads one JSON request a line: {"cell": 1, "code": "..."}. What a cell prints goes to standard output and standard error; a mark with
the token ends it on both, and the mark on standard output has the answer. Figures are saved in FOLDER.
"""

import ast
import json
import linecache
import os
import signal
import sys
import traceback
import types

TOKEN, FOLDER = sys.argv[1:3]
EDGE = "\x1e"
MAX_VALUE = 100_000
IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp")

requests = os.fdopen(os.dup(0), encoding="utf-8")
# Private copies, which a cell that closes its output does not close.
outputs = [os.dup(1), os.dup(2)]
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
own_pid = os.getpid()
main = types.ModuleType("__main__")
is_running = False
opened = set()


def interrupt(_signal, _frame):
    # Between cells there is nothing to interrupt.
    if is_running:
        raise KeyboardInterrupt


def note_image(event, arguments):
    """Records the images that a cell writes."""
    if not is_running or event not in ("open", "os.rename"):
        return
    try:
        path, mode, flags = arguments[:3]
        if event == "os.rename":
            path = mode
        elif not (mode and set(mode) & set("wxa+")) and not (flags or 0) & (os.O_WRONLY | os.O_RDWR):
            return
        name = os.path.abspath(os.fsdecode(path))
        if name.lower().endswith(IMAGES) and os.path.dirname(name) != FOLDER:
            opened.add(name)
    except Exception:
        pass


def images_here():
    """Returns the images in the current folder with their versions: other programs than this one write some."""
    try:
        with os.scandir() as entries:
            found = [entry for entry in entries if entry.name.lower().endswith(IMAGES) and entry.is_file()]
            return {os.path.abspath(one.path): (one.stat().st_mtime_ns, one.stat().st_size) for one in found}
    except OSError:
        return {}


def save_figures(cell):
    """Saves and closes the open figures of matplotlib; returns their files."""
    plot = sys.modules.get("matplotlib.pyplot")
    files = []
    for number in plot.get_fignums() if plot else []:
        files.append(os.path.join(FOLDER, f"figure-{cell}-{number}.png"))
        plot.figure(number).savefig(files[-1])
    if files:
        plot.close("all")
    return files


def run(code, cell):
    """Runs a cell. Returns the text of its last value and the figures that it leaves open."""
    global is_running
    name = f"<cell {cell}>"
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    signal.signal(signal.SIGINT, interrupt)
    is_running = True
    tree = compile(code, name, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec", dont_inherit=True), main.__dict__)
    value = None
    if last is not None:
        value = eval(compile(ast.Expression(last.value), name, "eval", dont_inherit=True), main.__dict__)
    text = None
    if value is not None:
        main._ = value
        text = repr(value)
    figures = save_figures(cell)
    return text, figures


def describe(error):
    """Prints an exception without the frames of this file; returns its data."""
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    printed = "".join(traceback.format_exception(type(error), error, frames))
    write(1, printed)
    lines = [frame.lineno for frame in traceback.extract_tb(frames) if frame.filename.startswith("<cell ")]
    line = error.lineno if isinstance(error, SyntaxError) and not lines else lines[-1] if lines else None
    message = printed.strip().rsplit("\n", 1)[-1]
    is_system = isinstance(error, (OSError, ImportError))
    return {"type": type(error).__name__, "message": message, "line": line, "is_system": is_system}


def write(stream, text):
    rest = text.encode("utf-8", "backslashreplace")
    while rest:
        rest = rest[os.write(outputs[stream], rest) :]


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


def answer(request):
    """Runs a request; returns the answer for the mark."""
    global is_running
    cell = request["cell"]
    before = images_here()
    opened.clear()
    value, figures, exception = None, [], None
    try:
        value, figures = run(request["code"], cell)
    except BaseException as error:
        is_running = False
        flush()
        exception = describe(error)
    is_running = False
    # A child that a cell forked must not go on as a second interpreter.
    if os.getpid() != own_pid:
        os._exit(0)
    flush()
    changed = {path for path, version in images_here().items() if before.get(path) != version}
    written = sorted(path for path in changed | opened if os.path.isfile(path))
    # A figure that the cell has saved itself is not shown twice.
    length = len(value) if value is not None else 0
    return {
        "cell": cell,
        "value": value if value is None or length <= MAX_VALUE else f"{value[:MAX_VALUE]}… ({length} characters)",
        "exception": exception,
        "images": written,
        "figures": [] if written else figures,
    }


def mark(answer):
    body = json.dumps(answer)
    for stream in (0, 1):
        write(stream, f"{EDGE}{TOKEN};{body if stream == 0 else ''}{EDGE}")


sys.modules["__main__"] = main
sys.path[0] = ""
sys.argv = [""]
sys.addaudithook(note_image)
signal.signal(signal.SIGINT, interrupt)
mark({"cell": 0, "version": sys.version.split()[0], "executable": sys.executable})
for line in requests:
    mark(answer(json.loads(line)))
