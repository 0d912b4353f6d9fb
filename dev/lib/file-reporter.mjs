import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Of the kernel's clock in /proc, on every Linux that Node.js supports. */
const ticksPerSecond = 100;

/** Processor seconds of this process and of the children that it waited for (proc(5), fields 14 to 17). */
function processorSeconds() {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

/**
 * Jest's report of a run of many files: a line for each that ends, and what failed. Whoever runs jest is told of each file that begins
 * and ends (dev/lib/jest.ts).
 */
export default class FileReporter {
  #root;
  #usedBefore = 0;

  constructor({ rootDir }) {
    this.#root = rootDir;
  }

  onTestFileStart({ path }) {
    this.#usedBefore = processorSeconds();
    process.send?.({ begun: relative(this.#root, path) });
  }

  onTestFileResult({ path }, { numFailingTests, testExecError, failureMessage, perfStats, console: said }) {
    const file = relative(this.#root, path);
    const hasFailed = numFailingTests > 0 || testExecError !== undefined;
    const seconds = (perfStats.end - perfStats.start) / 1_000;
    const used = processorSeconds() - this.#usedBefore;
    process.send?.({ ended: file, seconds, processorSeconds: used, passed: !hasFailed });
    tell(`${hasFailed ? 'FAIL' : 'PASS'} ${file} (${seconds.toFixed(1)} s)`);
    if (!hasFailed) return;
    for (const { message } of said ?? []) tell(message);
    tell(failureMessage ?? 'it could not be run');
  }

  getLastError() {
    return undefined;
  }
}

function tell(line) {
  process.stderr.write(`${line}\n`);
}
