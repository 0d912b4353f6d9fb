import { execFileSync } from 'node:child_process';
import { runTool, typeArguments } from '../lib/check.ts';
import { runJest } from '../lib/jest.ts';
import { root } from './report.ts';
import type { Outcome } from './run-items.ts';
import { finalOutcome, nothing } from './run-items.ts';

/** What differs from the last commit and is still there, below the root of the repository; rejects where git is not. */
function changedFiles(): readonly string[] {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '');
  return [
    ...git('diff', '--name-only', '--diff-filter=d', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

/**
 * Types of the whole tree, lint and formatting of what differs from the last commit, and the unit tests that import any of it: for the time between
 * two edits. What starts processes is not found by its imports, so a commit still wants `npm run check`.
 */
export async function checkChanged(): Promise<Outcome> {
  const changed = changedFiles();
  const code = changed.filter((file) => /\.(ts|mjs|js)$/.test(file));
  const isTyped = code.some((file) => file.endsWith('.ts'));
  const found = await Promise.all([
    code.length === 0 || runTool('eslint', ['--max-warnings', '0', '--no-warn-ignored', ...code]),
    changed.length === 0 || runTool('prettier', ['--check', '--log-level', 'warn', '--ignore-unknown', ...changed]),
    !isTyped || runTool('oxlint', typeArguments),
  ]);
  const isClean = found.every(Boolean);
  const related = code.filter((file) => /^(src|dev|test)\//.test(file));
  const unit = ['--testPathPatterns', '/test/unit/', '--passWithNoTests'];
  const counts =
    related.length === 0 ? nothing : await runJest(['--findRelatedTests', ...related, ...unit], { workers: 2 });
  const failures = isClean ? counts.failures : ['lint and types', ...counts.failures];
  const [passed, failed] = [counts.passed + Number(isClean), counts.failed + Number(!isClean)];
  return finalOutcome({ ...counts, failures, passed, failed });
}
