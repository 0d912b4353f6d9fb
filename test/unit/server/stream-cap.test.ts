import { describe, expect, it } from '@jest/globals';
import { admitStream } from '../../../src/server/calls/domain-events-call.ts';
import type { ApiDependencies } from '../../../src/use-cases/api-dependencies.ts';
import { fixedMaximum } from '../../../src/rules/plan-limits.ts';

/** How many event streams an account has (docs/rest-api.md, How much there may be). */

/** Another process of the API: streams are counted for each world. */
const process = () => ({}) as ApiDependencies;
const open = (dependencies: ApiDependencies, account: string, count: number) =>
  Array.from({ length: count }, () => admitStream(dependencies, account));

describe('event streams of an account', () => {
  it('are refused beyond as many as GET /v1/account says, with 429 and Retry-After', () => {
    const dependencies = process();
    open(dependencies, 'acme', fixedMaximum.eventStreams);
    expect(() => admitStream(dependencies, 'acme')).toThrow(
      expect.objectContaining({ code: 'too-many-streams', headers: { 'retry-after': '15' } }),
    );
  });

  it('are counted by each process for itself, so that ten are certain wherever a load balancer sends them', () => {
    const [one, other] = [process(), process()];
    open(one, 'acme', fixedMaximum.eventStreams);
    expect(open(other, 'acme', fixedMaximum.eventStreams)).toHaveLength(10);
  });

  it('leave room for one more as soon as one ends', () => {
    const dependencies = process();
    const [first] = open(dependencies, 'acme', fixedMaximum.eventStreams);
    first?.();
    expect(open(dependencies, 'acme', 1)).toHaveLength(1);
  });

  it('are not those of another account', () => {
    const dependencies = process();
    open(dependencies, 'acme', fixedMaximum.eventStreams);
    expect(open(dependencies, 'other', 1)).toHaveLength(1);
  });
});
