// Every bad input and every bad argument for each of the stand-alone programs. Takes about 20 seconds.
import "../flows/libexec.test.ts";
import "../flows/libexec-process.test.ts";
