import { describe, expect, it } from '@jest/globals';
import { delegationOf } from '../../../src/rules/challenge-delegation.ts';
import { recordValues } from '../../../src/rules/dns-target.ts';

const records = recordValues(Buffer.alloc(32, 1), 'cname.example.net');
const sources = { records, challengeZone: 'acme.example.net' };
const subject = {
  metadata: { name: 'www', namespace: 'acme', uid: 'first' },
  spec: { project: 'shop', hostname: 'www.example.com', prepare: true },
  accountId: 'a',
  epoch: 1,
  routedBy: null,
};

describe('the delegation of a wildcard', () => {
  const spec = { project: 'shop', hostname: '*.example.com' };
  const wildcard = { ...subject, metadata: { name: 'w', namespace: 'acme', uid: 'w' }, spec };

  it('is at its base’s challenge name, needs no preparing, and is needed after the switch', () => {
    const delegation = delegationOf(sources, wildcard);
    expect(delegation).toMatchObject({ name: '_acme-challenge.example.com', isAhead: true });
    expect(delegationOf(sources, { ...wildcard, routedBy: 'target' })).toEqual({ ...delegation, isAhead: false });
  });

  it('is that of its base too, as one name has one alias, whatever epoch and object the base has', () => {
    const base = { ...subject, spec: { ...subject.spec, hostname: 'example.com' }, epoch: 7, wildcard };
    expect(delegationOf(sources, base)).toEqual(delegationOf(sources, wildcard));
    expect(delegationOf(sources, { ...base, wildcard: undefined })?.label).not.toBe(
      delegationOf(sources, wildcard)?.label,
    );
  });
});

describe('the delegation of a prepared hostname', () => {
  it('is a label of the zone that nobody can guess', () => {
    const delegation = delegationOf(sources, subject);
    expect(delegation?.name).toBe('_acme-challenge.www.example.com');
    expect(delegation?.value).toMatch(/^[a-z2-7]{32}\.acme\.example\.net$/);
  });

  it.each<[string, Partial<typeof subject> | { accountId: undefined }]>([
    ['another account', { accountId: 'b' }],
    ['a later life of the claim', { epoch: 2 }],
    ['a domain that was removed and added again', { metadata: { ...subject.metadata, uid: 'second' } }],
  ])('is another one for %s', (_title, changes) => {
    expect(delegationOf(sources, { ...subject, ...changes })?.label).not.toBe(delegationOf(sources, subject)?.label);
  });

  it('is the same after a backup, which keeps the nonce and not the uid', () => {
    const restored = { ...subject, metadata: { ...subject.metadata, uid: 'second' } };
    const spec = { ...subject.spec, nonce: 'first' };
    expect(delegationOf(sources, { ...restored, spec })).toEqual(delegationOf(sources, subject));
  });

  it('counts until DNS has led here', () => {
    const counts = (routedBy: string | null) => delegationOf(sources, { ...subject, routedBy }) !== null;
    expect([null, 'delegation', 'target', 'addresses', 'token'].map(counts)).toEqual([true, true, false, false, false]);
  });

  it.each<[string, typeof sources | { records: typeof records; challengeZone: null }, object]>([
    ['a platform without a challenge zone', { ...sources, challengeZone: null }, {}],
    ['a hostname that is not prepared', sources, { spec: { ...subject.spec, prepare: false } }],
    ['an account that is not known', sources, { accountId: undefined }],
    [
      'a hostname with no room below it',
      sources,
      { spec: { ...subject.spec, hostname: `${'a.'.repeat(120)}example` } },
    ],
    ['an object that does not exist yet', sources, { metadata: { name: 'www' } }],
  ])('is none for %s', (_title, from, changes) => {
    expect(delegationOf(from, { ...subject, ...changes })).toBeNull();
  });
});
