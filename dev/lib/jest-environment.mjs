import { performance } from 'node:perf_hooks';
import { TestEnvironment } from 'jest-environment-node';
import { busyFactor } from './eventually.ts';
import { processorSeconds } from './processor-seconds.mjs';

const areTogether = process.env.PROJECTDOMAIN_FILES !== undefined;

/**
 * Jest's own environment, in which the deadlines of tests and hooks are stretched as those of `eventually`. Of files that run
 * together (dev/lib/files-together.mjs) it tells whoever runs jest when each begins and ends, as the reporter does of others.
 */
export default class Environment extends TestEnvironment {
  #begun = { at: 0, used: 0 };

  handleTestEvent({ name, describeBlock, hook }, state) {
    if (name === 'run_start') return this.#stretchDeadlines(state);
    if (!areTogether || !describeBlock) return;
    if (name === 'hook_failure' && hook.type === 'afterAll') blame(describeBlock, state.unhandledErrors.pop());
    if (describeBlock.parent !== state.rootDescribeBlock) return;
    if (name === 'run_describe_start') this.#begin(describeBlock.name);
    if (name === 'run_describe_finish') this.#end(describeBlock);
  }

  /** Once all tests are collected; each deadline is stretched once. */
  #stretchDeadlines(state) {
    state.testTimeout *= busyFactor;
    stretch(state.rootDescribeBlock);
  }

  #begin(file) {
    this.#begun = { at: performance.now(), used: processorSeconds() };
    process.send?.({ begun: file });
  }

  #end(block) {
    const seconds = (performance.now() - this.#begun.at) / 1_000;
    const passed = !hasFailed(block);
    process.send?.({ ended: block.name, seconds, processorSeconds: processorSeconds() - this.#begun.used, passed });
    process.stderr.write(`${passed ? 'PASS' : 'FAIL'} ${block.name} (${seconds.toFixed(1)} s)\n`);
  }
}

/** A hook that fails after the tests of a block is the failure of its last one: jest would not tell whose hook it was. */
function blame({ children }, error) {
  const last = children.at(-1);
  if (last.type === 'describeBlock') blame(last, error);
  else last.errors.push(error);
}

const hasFailed = ({ children }) =>
  children.some((entry) => (entry.type === 'describeBlock' ? hasFailed(entry) : entry.errors.length > 0));

function stretch({ hooks, children }) {
  for (const entry of [...hooks, ...children]) {
    if (entry.type === 'describeBlock') stretch(entry);
    else if (entry.timeout !== undefined) entry.timeout *= busyFactor;
  }
}
