// Imported by a program of the tests that goes on until it is killed: it ends too when the test that started it is gone. Its standard
// input is a pipe that the test holds open.
const { stdin } = process;
stdin.on("end", () => process.exit(1)).resume();
if ("unref" in stdin) stdin.unref();
