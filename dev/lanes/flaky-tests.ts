import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeepRun } from './deep-runs.ts';

/** A test that failed and passed when its file ran once more, alone. Whoever saw it commits it, and says why once that is known. */
export interface FlakyTest {
  /** file and name */
  readonly test: string;
  /** day, RFC 3339 */
  readonly date: string;
  /** abbreviated */
  readonly commit: string;
  /** how many commits that one had before it, itself included */
  readonly commits: number;
  /** what was seen at first */
  readonly seen: string;
  /** why it failed, and where that is mended; null while nobody knows */
  readonly cause: string | null;
}

/** An entry is mended or explained within so many commits. */
const explainedWithin = 30;

const fileIn = (root: string): string => join(root, 'test/flaky-tests.json');

export const readFlakyTests = (root: string): readonly FlakyTest[] =>
  existsSync(fileIn(root)) ? (JSON.parse(readFileSync(fileIn(root), 'utf8')) as readonly FlakyTest[]) : [];

/** Adds an entry for each failure, which is a test's file and name and below them what was seen. */
export function recordFlakyTests(
  root: string,
  failures: readonly string[],
  { commit, commits }: Pick<DeepRun, 'commit' | 'commits'>,
): void {
  const date = new Date().toISOString().slice(0, 10);
  const entries = failures.map((failure): FlakyTest => {
    const [test = '', ...seen] = failure.split('\n');
    return { test, date, commit, commits, seen: seen.map((line) => line.trim()).join('\n'), cause: null };
  });
  if (entries.length === 0) return;
  writeFileSync(fileIn(root), `${JSON.stringify([...readFlakyTests(root), ...entries], null, 2)}\n`);
}

/** What stops a landing: entries that nobody explained for too long, and tests that failed a second time. */
export function faultsOfFlakyTests(all: readonly FlakyTest[], commits: number): readonly string[] {
  const old = all.filter((one) => one.cause === null && commits - one.commits > explainedWithin);
  const twice = all.filter((one, index) => all.findIndex(({ test }) => test === one.test) < index);
  return [
    ...old.map(({ test }) => `${test}: nobody has said why it failed, for more than ${explainedWithin} commits`),
    ...twice.map(({ test }) => `${test}: it failed a second time; mend it, then take its entries out`),
  ];
}
