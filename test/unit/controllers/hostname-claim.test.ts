import { describe, expect, it } from '@jest/globals';
import type { HostnameClaimSnapshot } from '../../../src/controllers/hostname-claim/decide-hostname-claim.ts';
import { decideHostnameClaim } from '../../../src/controllers/hostname-claim/decide-hostname-claim.ts';
import { claim, ingress, now, routes } from '../../support/snapshot.ts';

const day = 24 * 3_600_000;
const gone = { route: false, certificate: false };
const there = { route: true, certificate: true };
const at = (ago: number) => new Date(now - ago).toISOString();

const revoking = {
  request: 'r',
  at: at(day),
  outcome: 'Issued' as const,
  revocation: { reason: 'superseded' as const, since: at(day) },
};

const suspended = (one: ReturnType<typeof claim>) => ({
  ...one,
  metadata: { ...one.metadata, annotations: { 'projectdomain.io/suspend': 'abuse' } },
});

const deeds = (snapshot: Omit<HostnameClaimSnapshot, 'now' | 'routes'>) =>
  decideHostnameClaim({ now, routes, ...snapshot }).writes.map((action) => {
    const phase = action.verb === 'replace' ? ` ${(action.object.spec as { phase: string }).phase}` : '';
    return `${action.verb} ${action.kind.kind}${phase}`;
  });

const keptSince = (ago: number) => ({
  ...ingress,
  metadata: { ...ingress.metadata, deletionTimestamp: at(ago), finalizers: ['example.com/keeps'] },
});

describe('a route that somebody keeps', () => {
  const released = (ago: number) =>
    decideHostnameClaim({ now, routes, claim: claim(), held: false, children: { ...there, kept: [keptSince(ago)] } });

  it('leads nowhere but to the redirector, and is never made anew: the change names the very object', () => {
    const apply = released(1_000).writes.find(({ verb }) => verb === 'apply');
    expect(apply).toMatchObject({ object: { metadata: { uid: 'u-child' } } });
    const said = JSON.stringify(apply);
    expect(said).toContain('"name":"projectdomain-redirect"');
    expect(said).not.toContain('shop-web');
  });

  it.each([
    ['soon at first', 1_000, 1_000],
    ['after a part of the time that it was kept', 60_000, 15_000],
    ['every minute for ever', 30 * day, 60_000],
  ])('is looked at again %s', (_, ago, after) => {
    expect(released(ago).requeueAt).toBe(now + after);
  });
});

describe('the end of a claim', () => {
  it.each<[string, Omit<HostnameClaimSnapshot, 'now' | 'routes'>, readonly string[]]>([
    ['a held claim with its holder stays', { claim: claim(), held: true, children: there }, []],
    [
      'without its holder the route goes first, then the Certificate; the claim waits',
      { claim: claim(), held: false, children: there },
      ['remove Ingress', 'remove Certificate'],
    ],
    [
      'a holder that is being deleted is none, restored or not, whatever keeps it',
      {
        claim: {
          ...claim({ proof: { method: 'CNAME', at: at(day) } }),
          metadata: { ...claim().metadata, creationTimestamp: at(60_000) },
        },
        held: false,
        isHolderLeaving: true,
        children: there,
      },
      ['remove Ingress', 'remove Certificate'],
    ],
    [
      'an Ingress that is kept although it is deleted leads to the redirector from now on',
      { claim: claim(), held: false, children: { ...there, kept: [keptSince(1_000)] } },
      ['remove Ingress', 'remove Certificate', 'apply Ingress'],
    ],
    [
      'a Certificate that is left over is removed too',
      { claim: claim(), held: false, children: { route: false, certificate: true } },
      ['remove Ingress', 'remove Certificate'],
    ],
    [
      'once both are confirmed gone it is a tombstone, and the Secret stays',
      { claim: claim(), held: false, children: gone },
      ['replace HostnameClaim Tombstone'],
    ],
    [
      'a claim that is being lost is taken down although its holder lives',
      { claim: claim({ phase: 'Releasing' }), held: true, children: there },
      ['remove Ingress', 'remove Certificate'],
    ],
    [
      'and its Secret goes with the transfer',
      { claim: claim({ phase: 'Releasing' }), held: true, children: gone },
      ['remove Secret', 'replace HostnameClaim Tombstone'],
    ],
    [
      'a young tombstone stays',
      { claim: claim({ phase: 'Tombstone', releasedAt: at(7 * day - 1) }), held: false, children: gone },
      [],
    ],
    [
      'an old tombstone goes, with the Secret',
      { claim: claim({ phase: 'Tombstone', releasedAt: at(7 * day) }), held: false, children: gone },
      ['remove Secret', 'remove HostnameClaim'],
    ],
    [
      'of a suspended hostname the tombstone stays for good, as adding it again would serve it otherwise; the Secret goes',
      {
        claim: suspended(claim({ phase: 'Tombstone', releasedAt: at(400 * day) })),
        held: false,
        children: gone,
      },
      ['remove Secret'],
    ],
    [
      'an old tombstone goes alone where its namespace is gone: to delete a Secret there is forbidden, as that right was in it, and would stop the end for ever',
      {
        claim: claim({ phase: 'Tombstone', releasedAt: at(7 * day) }),
        held: false,
        areSecretsGone: true,
        children: gone,
      },
      ['remove HostnameClaim'],
    ],
    [
      'and so does a claim that is lost end where its namespace is gone',
      { claim: claim({ phase: 'Releasing' }), held: false, areSecretsGone: true, children: gone },
      ['replace HostnameClaim Tombstone'],
    ],
    [
      'of a suspended hostname nothing is left to do there: the tombstone stays as ever',
      {
        claim: suspended(claim({ phase: 'Tombstone', releasedAt: at(400 * day) })),
        held: false,
        areSecretsGone: true,
        children: gone,
      },
      [],
    ],
    [
      'an old tombstone stays while certificates have to be revoked: nothing else knows of them',
      {
        claim: claim({ phase: 'Tombstone', releasedAt: at(8 * day), orders: [revoking] }),
        held: false,
        children: gone,
      },
      [],
    ],
  ])('%s', (_, snapshot, wanted) => {
    expect(deeds(snapshot)).toEqual(wanted);
  });

  it('a tombstone is looked at again when it expires', () => {
    const tomb = claim({ phase: 'Tombstone', releasedAt: at(day) });
    expect(decideHostnameClaim({ now, routes, claim: tomb, held: false, children: gone }).requeueAt).toBe(
      now + 6 * day,
    );
  });

  it('an expired tombstone is removed only as it was read: a revived claim survives', () => {
    const tomb = claim({ phase: 'Tombstone', releasedAt: at(8 * day) });
    const removal = decideHostnameClaim({ now, routes, claim: tomb, held: false, children: gone }).writes[1];
    expect(removal).toMatchObject({ preconditions: { uid: 'u-claim', resourceVersion: '7' } });
  });
});
