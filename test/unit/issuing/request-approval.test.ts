import { describe, expect, it } from '@jest/globals';
import { withholdApproval } from '../../../src/issuing/request-status.ts';
import { now, request } from '../../support/snapshot.ts';

/** Fails when what a zone holds can be written into a request in full, or be written again at every check. */
describe('why a request waits', () => {
  const why = `delete ${'v'.repeat(100_000)}`;
  const given = request('u-1');
  const [write] = withholdApproval(given, why, now);
  const { status } = (write as unknown as { object: { status: { conditions: [{ message: string }] } } }).object;

  it('is bounded, whatever was found', () => {
    expect(status.conditions[0].message).toHaveLength(4_096);
  });

  it('is not written again while it is the same', () => {
    const waiting = { ...given, status } as unknown as typeof given;
    expect(withholdApproval(waiting, why, now)).toEqual([]);
  });
});
