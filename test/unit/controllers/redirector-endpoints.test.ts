import { describe, expect, it } from '@jest/globals';
import type { EndpointSlice } from '../../../src/resources/kubernetes-types.ts';
import type { RedirectorEndpointsSnapshot } from '../../../src/controllers/redirector-endpoints/decide-redirector-endpoints.ts';
import { decideRedirectorEndpoints } from '../../../src/controllers/redirector-endpoints/decide-redirector-endpoints.ts';
import { hours } from '../../../src/rules/check-schedule.ts';
import { account, now } from '../../support/snapshot.ts';

const slice = (name: string, addresses: readonly string[], owner = 'u-acme'): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name, ownerReferences: [{ apiVersion: 'x', kind: 'Account', name: 'acme', uid: owner }] },
  addressType: 'IPv4',
  endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
});
const ours = (addresses: readonly string[], owner?: string) => slice('projectdomain-redirect-ipv4', addresses, owner);

const six = (addresses: readonly string[]): EndpointSlice => ({
  ...slice('projectdomain-redirect-ipv6', addresses),
  addressType: 'IPv6',
});

const complete: RedirectorEndpointsSnapshot = {
  now,
  leadingSince: now - 2 * hours,
  namespace: 'acme',
  account,
  leadsToRedirector: true,
  redirector: [slice('redirector', ['10.0.0.1', '10.0.0.2'])],
  existing: [ours(['10.0.0.1', '10.0.0.2'])],
};

describe("what stands for the redirector in an account's namespace", () => {
  it.each<[sentence: string, changes: Partial<RedirectorEndpointsSnapshot>, written: readonly string[]]>([
    ['is made with the first redirect, the Service first', { existing: [] }, ['Service', 'EndpointSlice']],
    ['is moved by its slices alone when Pods come and go', { existing: [ours(['10.0.0.9'])] }, ['EndpointSlice']],
    ['is looked after as a whole where the slices lead there already', {}, ['Service', 'EndpointSlice']],
    [
      'is not read as a whole by a process that has just begun to lead, so that a start does not read one of every account',
      { leadingSince: now },
      ['EndpointSlice'],
    ],
    ['is made whole by such a process too', { leadingSince: now, existing: [] }, ['Service', 'EndpointSlice']],
    ['is emptied when no Pod is left', { redirector: [] }, ['EndpointSlice']],
    [
      'has its IPv6 slice emptied once the redirector has no IPv6 address, so that nobody is led to what is gone',
      { existing: [...complete.existing, six(['2001:db8::1'])] },
      ['EndpointSlice', 'EndpointSlice'],
    ],
    [
      'is looked after with an IPv6 slice that is empty already and leads nowhere',
      { existing: [...complete.existing, six([])] },
      ['Service', 'EndpointSlice', 'EndpointSlice'],
    ],
    [
      'fills its empty IPv6 slice when the redirector has such addresses again',
      { existing: [...complete.existing, six([])], redirector: [...complete.redirector, six(['2001:db8::1'])] },
      ['EndpointSlice', 'EndpointSlice'],
    ],
    [
      'is written where another owner stands on it',
      { existing: [ours(['10.0.0.1', '10.0.0.2'], 'u-x')] },
      ['EndpointSlice'],
    ],
    ['is nothing without a redirect', { leadsToRedirector: false, existing: [] }, []],
    ['is nothing without an Account', { account: undefined }, []],
    [
      'is nothing while the Account is being deleted',
      { account: { ...account, metadata: { ...account.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } } },
      [],
    ],
  ])('%s', (_, changes, written) => {
    const { writes } = decideRedirectorEndpoints({ ...complete, ...changes });
    expect(writes.map(({ kind }) => kind.kind)).toEqual(written);
  });

  it('is looked at within the hour, by a new leader too', () => {
    const requeueAt = decideRedirectorEndpoints({ ...complete, leadingSince: now }).requeueAt ?? 0;
    expect(requeueAt).toBeGreaterThan(now);
    expect(requeueAt).toBeLessThanOrEqual(now + hours);
    const { writes } = decideRedirectorEndpoints({ ...complete, leadingSince: now, now: requeueAt });
    expect(writes.map(({ kind }) => kind.kind)).toContain('Service');
  });
});
