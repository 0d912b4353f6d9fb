import { afterEach, describe, expect, it } from '@jest/globals';
import type { LeaseRecord } from '../../../src/controller-runtime/leader-election.ts';
import { checkpointAnnotations, checkpointIn, reconcilerOf } from '../../../src/operator/lease-checkpoint.ts';
import { operatorConfig } from '../../support/process-configs.ts';

const { REVISION: before } = process.env;

afterEach(() => {
  if (before === undefined) delete process.env.REVISION;
  else process.env.REVISION = before;
});

const lease = (annotations: Readonly<Record<string, string>>) => ({ annotations }) as LeaseRecord;

function reconcilerIn(revision: string, changes: object = {}): string | null {
  process.env.REVISION = revision;
  return reconcilerOf({ ...operatorConfig, ...changes });
}

describe('the checkpoint in a lease', () => {
  it('is read by the same code and configuration', () => {
    const written = checkpointAnnotations('17', reconcilerIn('c0ffee'));
    expect(checkpointIn(lease(written), reconcilerIn('c0ffee'))).toBe('17');
  });

  it.each<[by: string, reader: () => string | null]>([
    ['another commit', () => reconcilerIn('decade')],
    ['another configuration', () => reconcilerIn('c0ffee', { requireTxt: true })],
    ['code of which nobody said what it is', () => reconcilerIn('')],
  ])('is none to %s, which may find to be wrong what its predecessor left', (_by, reader) => {
    const written = checkpointAnnotations('17', reconcilerIn('c0ffee'));
    expect(checkpointIn(lease(written), reader())).toBeNull();
  });

  it.each<[written: string, version: string | null, reconciler: string | null]>([
    ['by a leader without one', null, 'c0ffee'],
    ['by code of which nobody said what it is', '17', null],
  ])('is erased %s, as it says nothing of what that one did', (_written, version, reconciler) => {
    const written = checkpointAnnotations(version, reconciler);
    const found = { ...checkpointAnnotations('9', 'c0ffee'), ...written };
    expect(checkpointIn(lease(found), 'c0ffee')).toBeNull();
    expect(checkpointIn(lease(found), null)).toBeNull();
  });

  it('is none before the first', () => {
    expect(checkpointIn(null, 'c0ffee')).toBeNull();
    expect(checkpointIn(lease({}), null)).toBeNull();
  });
});
