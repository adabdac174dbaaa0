// snarkjs's command line for many commands in one process: starting one takes a second. It is loaded anew for each
// command, and the curves that it has built stay. Started by snarkjs.js, which sends `{ args }` and gets
// `{ code, stdout, stderr }`. The command line itself, in a process of its own, is tested by test/commandline.test.js.
const main = require.resolve("snarkjs").replace(/[^/\\]+$/, "cli.cjs");

let output;
let ended = () => {};
for (const stream of ["stdout", "stderr"]) {
  process[stream].write = (text, ...rest) => {
    output[stream] += text;
    rest.find((it) => typeof it === "function")?.();
    return true;
  };
}
process.exit = (code) => ended(code ?? 0);

process.on("message", async ({ args }) => {
  output = { stdout: "", stderr: "" };
  process.argv = [process.execPath, main, ...args];
  const code = await new Promise((done) => {
    ended = done;
    delete require.cache[main];
    require(main);
  });
  process.send({ code, ...output });
});
process.on("disconnect", () => process.kill(process.pid)); // `exit` is not what it was
