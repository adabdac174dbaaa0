// The reporter of CI: TAP, without the durations of what passed, and with the stories of all that failed at the end of
// each suite, next to its own line. A log that is shown in part still tells which test it was.
import { tap } from "node:test/reporters";

/** The TAP of the events: see above. */
export default async function* reporter(events) {
  const failures = [];
  let block; // the lines of the test that the line before is about
  for await (const text of tap(events)) {
    for (const line of text.split(/(?<=\n)/)) {
      const result = line.match(/^(\s*)(not )?ok \d+ - /);
      if (result) block = { depth: result[1].length, failed: Boolean(result[2]), lines: [] };
      block?.lines.push(line);
      if (!block || block.failed || result) yield line;
      if (line.trimEnd() !== `${" ".repeat((block?.depth ?? 0) + 2)}...`) continue;
      if (block.failed && block.depth > 0) failures.push(block.lines);
      if (block.depth === 0) for (const lines of failures.splice(0)) yield lines.map((it) => `# ${it}`).join("");
      block = undefined;
    }
  }
}
