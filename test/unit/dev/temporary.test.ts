import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'projectdomain-parent-'));
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

/** The id of a process that has ended. */
const dead = (): number => spawnSync(process.execPath, ['--version']).pid;

function folder(name: string): string {
  const path = join(parent, name);
  mkdirSync(path);
  writeFileSync(join(path, 'file'), '');
  return path;
}

/** Fails when killed runs pile up folders, or when a run takes away what is not its own kind, or is still owned. */
describe('temporary folders', () => {
  it.each<[string, () => string, boolean]>([
    ['of a run that was killed goes', () => `projectdomain-test-${dead()}-aB3dE6`, false],
    ['of a run that goes on stays', () => `projectdomain-test-${process.pid}-aB3dE6`, true],
    ['of somebody else stays', () => `another-test-${dead()}-aB3dE6`, true],
    ['without an owner stays', () => 'projectdomain-backup-aB3dE6', true],
    ['that only looks alike stays', () => `projectdomain-test-${dead()}-aB3dE6.kept`, true],
  ])('a folder %s', (_, name, stays) => {
    const path = folder(name());
    const made = temporaryFolder('test', parent);
    expect(existsSync(path)).toBe(stays);
    expect(existsSync(made)).toBe(true);
  });
});
