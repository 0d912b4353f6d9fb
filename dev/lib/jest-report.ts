import { isAbsolute, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What came of a run of jest. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** for each test that failed its file, its name and the first lines of why */
  readonly failures: readonly string[];
  /** the files that they are in, below the root of the repository */
  readonly failedFiles: readonly string[];
}

export const noCounts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [], failedFiles: [] };

/** Of several runs together. */
export const sumOf = (counts: readonly Counts[]): Counts =>
  counts.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
      failures: [...sum.failures, ...one.failures],
      failedFiles: [...sum.failedFiles, ...one.failedFiles],
    }),
    noCounts,
  );

interface Assertion {
  readonly status: string;
  readonly ancestorTitles?: readonly string[];
  readonly fullName: string;
  readonly failureMessages?: readonly string[];
}
interface Suite {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly Assertion[];
}
interface Report {
  /** absent in a report of another version: then the exit status decides */
  readonly success?: boolean;
  readonly numPassedTests?: number;
  readonly numFailedTests?: number;
  readonly numRuntimeErrorTestSuites?: number;
  readonly numPendingTests?: number;
  readonly numTodoTests?: number;
  readonly testResults?: readonly Suite[];
}

/** Enough for the sentence and for what was expected and seen. */
const linesOfFailure = 12;

/**
 * Reads what `jest --json` prints; `status` is the exit status of jest, null when it was killed. A file that could not even be
 * loaded has no tests to count: it counts as one failure, as does a run without a report.
 */
export function readReport(text: string, status: number | null, root: string): Counts {
  const report = parsed(text);
  if (!report) return { ...noCounts, failed: 1, failures: [`jest ended with ${status} and left no report`] };
  const suites = (report.testResults ?? []).flatMap(filesOf);
  const fileOf = ({ name }: Suite) => (isAbsolute(name) ? relative(root, name) : name);
  const failures = suites.flatMap((suite) => failuresOf(suite, fileOf(suite)));
  const failedFiles = suites.filter((suite) => suite.status === 'failed').map(fileOf);
  const failed = (report.numFailedTests ?? 0) + (report.numRuntimeErrorTestSuites ?? 0);
  const unexplained = failed === 0 && !(report.success ?? status === 0);
  return {
    passed: report.numPassedTests ?? 0,
    failed: unexplained ? 1 : failed,
    skipped: (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0),
    failures: unexplained ? [`jest ended with ${status}`] : failures,
    failedFiles: [...new Set(failedFiles)],
  };
}

/** Of files that ran as one of jest's (dev/lib/files-together.mjs) each as if it had run by itself: its path is the name of a block. */
function filesOf(suite: Suite): readonly Suite[] {
  const isExplained = suite.status !== 'failed' || suite.assertionResults.some(({ status }) => status === 'failed');
  if (!suite.name.endsWith('/files-together.mjs') || !isExplained) return [suite];
  const byFile = Map.groupBy(suite.assertionResults, ({ ancestorTitles }) => ancestorTitles?.[0] ?? '');
  return [...byFile].map(([file, assertions]) => ({
    name: file,
    status: assertions.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
    message: '',
    assertionResults: assertions.map((one) => ({ ...one, fullName: one.fullName.slice(file.length).trimStart() })),
  }));
}

/** After everything else that a run prints, where it is found. */
export function printFailures(failures: readonly string[]): void {
  for (const failure of failures) console.log(`failed: ${failure}`);
}

function parsed(text: string): Report | undefined {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return undefined;
  }
}

function failuresOf({ status, message, assertionResults }: Suite, file: string): readonly string[] {
  const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [`${file}\n${firstLines(message)}`] : [];
  return failed.map(
    ({ fullName, failureMessages }) => `${file} › ${fullName}\n${firstLines((failureMessages ?? []).join('\n'))}`,
  );
}

/** Without the stack. */
const firstLines = (message: string) =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
    .slice(0, linesOfFailure)
    .map((line) => `    ${line}`)
    .join('\n');
