import { check } from '../lib/check.ts';
import { runJest } from '../lib/jest.ts';
import type { Counts } from '../lib/jest-report.ts';
import { printFailures } from '../lib/jest-report.ts';
import { orEnd } from '../lib/or-end.ts';
import { thisMachine, workersFor } from '../lib/workers.ts';

/**
 * `npm run check`: lint, types and unit tests, which need nothing but the packages. For before every commit, so the one
 * test that takes as long as all others together is left to `npm test`. Tests begin when a processor has no tool of lint
 * left to run.
 */
const leftOut = ['--testPathIgnorePatterns', '/simulated-year\\.test\\.ts$'];
const startedAt = Date.now();
const seconds = (): string => `${Math.round((Date.now() - startedAt) / 1_000)} s`;

const workers = workersFor(thisMachine(), { perProcessor: 1, memoryBytes: 0.7e9 });
let tests: Promise<Counts> | undefined;
const beginTests = () => (tests ??= orEnd(runJest(['test/unit', ...leftOut], workers)));

const linted = await orEnd(check([], beginTests));
console.log(`lint and types: ${linted ? 'ok' : 'failed'} after ${seconds()}`);
const { passed, failed, skipped, failures } = await beginTests();
printFailures(failures);
console.log(`took ${seconds()}`);
console.log(`${passed} passed, ${failed + (linted ? 0 : 1)} failed, ${skipped} skipped`);
process.exit(linted && failed === 0 && passed > 0 ? 0 : 1);
