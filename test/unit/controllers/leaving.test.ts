import { describe, expect, it } from '@jest/globals';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import {
  certificateIn,
  domain,
  heldBy,
  ingress,
  now,
  route,
  routeOf,
  snapshot,
  verdict,
} from '../../support/snapshot.ts';

/** A domain that is not deleted itself, and whose project, account, namespace or claim is. */

const why = 'project shop is being deleted';
const conditions = ['Accepted', 'OwnershipVerified', 'DNSVerified', 'CertificateIssued', 'Routed', 'Ready'].map(
  (type) => ({
    type,
    status: 'True' as const,
    reason: type,
    message: '',
    lastTransitionTime: new Date(now - 3_600_000).toISOString(),
  }),
);
const live = domain({ status: { state: 'Live', conditions } });
const decided = (changes: Partial<ProjectDomainSnapshot>) =>
  decideProjectDomain(
    snapshot({ ...heldBy, domain: live, verdict: verdict(), certificate: certificateIn(true), route, ...changes }),
  );
const deeds = (changes: Partial<ProjectDomainSnapshot>) =>
  decided(changes)
    .writes.filter(({ kind }) => kind.kind !== 'ProjectDomain')
    .map(({ verb, kind }) => `${verb} ${kind.kind}`);

describe('a Live domain', () => {
  it('keeps its route while nothing is deleted', () => {
    expect(deeds({})).toEqual(['apply Certificate', 'apply Ingress']);
  });

  it('loses route and certificate at once when what it stands on is deleted, and says why', () => {
    expect(deeds({ leaving: why })).toEqual(['remove Ingress', 'remove Certificate']);
    const status = JSON.stringify(decided({ leaving: why }).writes.at(-1));
    expect(status).toContain('"state":"Suspended"');
    expect(status).toContain(why);
  });

  it('does so in a mass failure too, which is no reason to serve it on', () => {
    const failureCounts = { served: 100, failing: 90, namespaces: 20, failingNamespaces: 20 };
    expect(deeds({ leaving: why, failureCounts })).toEqual(['remove Ingress', 'remove Certificate']);
  });

  it('whose Ingress somebody keeps leads to the redirector from then on', () => {
    const metadata = { ...ingress.metadata, deletionTimestamp: new Date(now).toISOString() };
    const kept = routeOf({ ...ingress, metadata });
    expect(deeds({ leaving: why, route: kept })).toEqual(['remove Certificate', 'apply Ingress']);
    expect(JSON.stringify(decided({ leaving: why, route: kept }).writes)).not.toContain('shop-web');
  });
});

describe('a Live domain whose route somebody deleted', () => {
  const silent = { ok: false, code: 'NoAnswer', detail: 'connect ECONNREFUSED' } as const;
  const minute = 60_000;
  const stateOf = (changes: Partial<ProjectDomainSnapshot>) =>
    /"state":"(\w+)"/.exec(JSON.stringify(decided(changes).writes.at(-1)))?.[1];

  it('has it written again at once and goes on being Live', () => {
    expect(deeds({ route: undefined })).toContain('apply Ingress');
    expect(stateOf({ route: undefined })).toBe('Live');
    expect(decided({ route: undefined }).recentCheck).toMatchObject({ routeLostAt: now, settledUntil: null });
  });

  it.each<[string, Partial<ProjectDomainSnapshot>, string | undefined, number | null]>([
    ['is probed until it answers', { probe: silent, routeLostAt: now - minute }, 'Live', now - minute],
    ['is as before once it answers', { probe: { ok: true }, routeLostAt: now - minute }, 'Live', null],
    [
      'is not Live any more after ten minutes of silence',
      { probe: silent, routeLostAt: now - 10 * minute },
      'Verified',
      now - 10 * minute,
    ],
    [
      'stays Live while its Certificate is missing as well',
      { route: undefined, certificate: undefined },
      'Degraded',
      now,
    ],
  ])('%s', (_, changes, state, lostAt) => {
    expect(stateOf(changes)).toBe(state);
    expect(decided(changes).recentCheck.routeLostAt).toBe(lostAt);
  });

  it('is no exception from what ends it: it is withdrawn like any other', () => {
    expect(stateOf({ route: undefined, leaving: why })).toBe('Suspended');
  });
});
