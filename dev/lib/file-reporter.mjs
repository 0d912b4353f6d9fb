import { relative } from 'node:path';
import { processorSeconds } from './processor-seconds.mjs';

/** Of files that run together the environment tells of each (dev/lib/jest-environment.mjs). */
const areTogether = process.env.PROJECTDOMAIN_FILES !== undefined;

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
    if (areTogether) return;
    this.#usedBefore = processorSeconds();
    process.send?.({ begun: relative(this.#root, path) });
  }

  onTestFileResult({ path }, { numFailingTests, testExecError, failureMessage, perfStats, console: said }) {
    const file = relative(this.#root, path);
    const hasFailed = numFailingTests > 0 || testExecError !== undefined;
    if (!areTogether) {
      const seconds = (perfStats.end - perfStats.start) / 1_000;
      const used = processorSeconds() - this.#usedBefore;
      process.send?.({ ended: file, seconds, processorSeconds: used, passed: !hasFailed });
      tell(`${hasFailed ? 'FAIL' : 'PASS'} ${file} (${seconds.toFixed(1)} s)`);
    }
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
