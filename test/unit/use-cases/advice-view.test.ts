import { describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { domainView } from '../../../src/use-cases/describe-domain.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** What REST and the dashboard say of records, caches and the DNS host, from whatever version's status. */

const domain = (status: ProjectDomain['status']): ProjectDomain => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  metadata: { name: 'www', namespace: 'acme', uid: 'u-1' },
  spec: { project: 'shop', hostname: 'www.example.com' },
  ...(status ? { status } : {}),
});

const view = (status: ProjectDomain['status']) => {
  const api = createInMemoryApi();
  return domainView(api.as(api.account('acme', 'pro')), domain(status));
};
const startedAt = '2026-01-01T00:00:00Z';
const check = { startedAt, successes: 0, failures: 0 };

describe('the records of a domain', () => {
  const [shown] = view(undefined).records;
  if (!shown) throw new Error('no record is shown');
  const { status: _status, found: _found, ...bare } = shown;

  it.each<[string, NonNullable<ProjectDomain['status']>, object]>([
    [
      'have what the operator found',
      { records: [{ ...bare, status: 'Wrong', found: ['A 192.0.2.1'] }] },
      { status: 'Wrong', found: ['A 192.0.2.1'] },
    ],
    ['have nothing found by a version that did not say', { records: [bare] }, { status: 'Unknown', found: [] }],
    [
      'have nothing of a record with another value',
      { records: [{ ...bare, value: 'p-other.cname.test', status: 'Found', found: [] }] },
      { status: 'Unknown', found: [] },
    ],
    ['have nothing before the first check', {}, { status: 'Unknown', found: [] }],
  ])('%s', (_, status, expected) => {
    expect(view(status).records[0]).toEqual({ ...bare, ...expected });
  });
});

describe('the time until which caches are not up to date', () => {
  it.each([
    ['in the future is said', 'Yes', '2126-01-01T00:00:00Z', '2126-01-01T00:00:00Z'],
    ['is not while the records are wrong: nothing says when they will be right', 'No', '2126-01-01T00:00:00Z', null],
    ['in the past is not', 'Yes', '2001-01-01T00:00:00Z', null],
    ['that nobody knows is not', 'Yes', undefined, null],
  ] as const)('%s', (_, routing, lingersUntil, expected) => {
    const found = { ...check, routing, ...(lingersUntil ? { lingersUntil } : {}) };
    expect(view({ check: found }).lingersUntil).toBe(expected);
  });
});

describe('the DNS host', () => {
  it.each([
    [
      'has the labels of its form',
      ['ns51.domaincontrol.com'],
      { id: 'godaddy', name: 'GoDaddy', labels: { name: 'Name', value: 'Value' } },
    ],
    [
      'may have labels that are not known',
      ['shades03.rzone.de'],
      { id: 'strato', labels: { name: null, value: null } },
    ],
    ['is nobody while the name servers do not tell', ['ns1.example.com'], null],
    ['is nobody before the first check', [], null],
  ])('%s', (_, nameServers, expected) => {
    const { dnsHost } = view({ check: { ...check, nameServers } });
    if (expected === null) expect(dnsHost).toBeNull();
    else expect(dnsHost).toMatchObject(expected);
  });
});
