import { clearInterval, setInterval } from 'node:timers';
import { relative } from 'node:path';

/** Nothing is silent for longer. */
const aliveEveryMs = 25_000;

/** Jest's report of a run of many files: a line for each that ends, what failed, and a sign of life while nothing ends. */
export default class FileReporter {
  #running = new Set();
  #toldAt = Date.now();
  #root;
  #timer;

  constructor({ rootDir }) {
    this.#root = rootDir;
  }

  onRunStart() {
    this.#timer = setInterval(() => {
      if (Date.now() - this.#toldAt >= aliveEveryMs) this.#tell(`running: ${[...this.#running].join(', ')}`);
    }, 1_000);
    this.#timer.unref();
  }

  onTestFileStart({ path }) {
    this.#running.add(relative(this.#root, path));
  }

  onTestFileResult({ path }, { numFailingTests, testExecError, failureMessage, perfStats, console: said }) {
    const file = relative(this.#root, path);
    this.#running.delete(file);
    const hasFailed = numFailingTests > 0 || testExecError !== undefined;
    const seconds = ((perfStats.end - perfStats.start) / 1_000).toFixed(1);
    this.#tell(`${hasFailed ? 'FAIL' : 'PASS'} ${file} (${seconds} s)`);
    if (!hasFailed) return;
    for (const { message } of said ?? []) this.#tell(message);
    this.#tell(failureMessage ?? 'it could not be run');
  }

  onRunComplete() {
    clearInterval(this.#timer);
  }

  getLastError() {
    return undefined;
  }

  #tell(line) {
    this.#toldAt = Date.now();
    process.stderr.write(`${line}\n`);
  }
}
