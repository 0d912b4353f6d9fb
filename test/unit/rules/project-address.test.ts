import { describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { Project } from '../../../src/generated/project.ts';
import { recordValues } from '../../../src/rules/dns-target.ts';
import { isMadeSubdomain, projectHostname, subdomainRefusal } from '../../../src/rules/project-address.ts';
import type { AddressContext } from '../../../src/rules/project-address.ts';
import { platformClaim, project, settings } from '../../support/snapshot.ts';

/** Where a project is served: its own name's address, one that is made for it, or the one that it asks for by name. */

type Claims = Readonly<Record<string, Partial<HostnameClaim['spec']>>>;

const neighbours = { account: 'acc-rival', holder: { namespace: 'rival', name: 'shop' } };
const blogs = { holder: { namespace: 'acme', name: 'blog' } };
const gone = { phase: 'Tombstone', releasedAt: '2026-01-01T00:00:00Z' } as const;

function context(claims: Claims = {}, changes: Partial<AddressContext> = {}): AddressContext {
  const all = new Map(
    Object.entries(claims).map(([label, spec]) => {
      const name = `${label}.apps.example.net`;
      return [name, { ...platformClaim(spec), metadata: { name } }];
    }),
  );
  return {
    platformDomain: 'apps.example.net',
    records: settings.records,
    accountId: 'acc-acme',
    claimOf: (hostname) => all.get(hostname),
    claimsOf: ({ metadata }) =>
      [...all.values()].filter(
        ({ spec }) => spec.holder.name === metadata.name && spec.holder.namespace === metadata.namespace,
      ),
    ...changes,
  };
}

const named = (changes: { name?: string; namespace?: string; subdomain?: string; said?: string } = {}): Project => {
  const { name = 'shop', namespace = 'acme', subdomain, said } = changes;
  const status = said === undefined ? {} : { status: { platformHostname: `${said}.apps.example.net` } };
  return {
    ...project,
    metadata: { ...project.metadata, name, namespace },
    spec: { ...project.spec, ...(subdomain === undefined ? {} : { subdomain }) },
    status: {},
    ...status,
  };
};

const labelOf = (of: Project, claims: Claims = {}, changes: Partial<AddressContext> = {}): string =>
  projectHostname(of, context(claims, changes)).replace(/\.apps\.example\.net$/, '');

/** What is made for acme's shop: the first, and those that follow where it is somebody else's. */
const made = labelOf(named(), { shop: neighbours });
const second = labelOf(named(), { shop: neighbours, [made]: neighbours });

describe('a project that asks for no subdomain by name', () => {
  it.each<[string, Project, Claims, string]>([
    ['has that of its own name', named(), {}, 'shop'],
    ['keeps it', named(), { shop: {} }, 'shop'],
    ['takes up what it gave up itself', named(), { shop: gone }, 'shop'],
    ['takes up what its account gave up', named(), { shop: { ...gone, ...blogs } }, 'shop'],
    ['gets another one where another account has it', named(), { shop: neighbours }, made],
    [
      'gets another one where another account gave it up a moment ago',
      named(),
      { shop: { ...gone, ...neighbours } },
      made,
    ],
    ['gets another one where another project of its account has it', named(), { shop: blogs }, made],
    [
      'gets yet another one where that is somebody else’s as well',
      named(),
      { shop: neighbours, [made]: blogs },
      second,
    ],
    ['keeps what was made for it once the other one is free', named(), { [made]: {} }, made],
    [
      'keeps it in a restore, which brings claims without a status',
      named({ said: undefined as never }),
      { [made]: {} },
      made,
    ],
    ['keeps it in a restore that brings no claims, by its status', named({ said: made }), {}, made],
    ['has nothing of a status that names what is not its own', named({ said: 'victim' }), {}, 'shop'],
    [
      'has nothing of a status that names what another has by now',
      named({ said: made }),
      { [made]: neighbours },
      'shop',
    ],
    ['gets it again when it is made again', named(), { [made]: gone }, made],
    ['keeps its name’s where it has both for a moment', named(), { shop: {}, [made]: {} }, 'shop'],
  ])('%s', (_title, of, claims, label) => {
    expect(labelOf(of, claims)).toBe(label);
  });

  it.each(['www', 'login', 'api', 'cname'])('gets another one where its name is reserved: %s', (name) => {
    const label = labelOf(named({ name }));
    expect(label).toMatch(new RegExp(`^${name}-[a-z2-7]{10}$`));
    expect(labelOf(named({ name }), { [label]: { holder: { namespace: 'acme', name } } })).toBe(label);
  });

  it('gets another one where its name is what the platform makes for others, free or not', () => {
    const thief = named({ name: made, namespace: 'rival' });
    expect(labelOf(thief)).toMatch(new RegExp(`^${made}-`));
    expect(labelOf(thief, { [made]: gone }, { accountId: 'acc-rival' })).toMatch(new RegExp(`^${made}-`));
  });

  it('keeps what it has been served at since before its name was reserved', () => {
    expect(labelOf(named({ name: 'beta' }), { beta: { holder: { namespace: 'acme', name: 'beta' } } })).toBe('beta');
  });

  it('has the same while its account is not found, which a restore may bring later', () => {
    expect(labelOf(named(), { [made]: {} }, { accountId: undefined })).toBe(made);
    expect(labelOf(named(), { shop: neighbours }, { accountId: undefined })).toBe(made);
  });

  it('is not given what nobody may have', () => {
    expect(labelOf(named({ name: 'xn--pypal-4ve' }))).toBe('xn--pypal-4ve');
  });

  it('has another one than a project of the same name elsewhere, or of another name, or of another installation', () => {
    const taken = { shop: { ...neighbours, holder: { namespace: 'third', name: 'shop' } } };
    const records = recordValues(Buffer.alloc(32, 2), 'cname.apps.example.net');
    const all = [made, second, labelOf(named({ namespace: 'other' }), taken), labelOf(named(), taken, { records })];
    expect(new Set(all).size).toBe(4);
    for (const label of all) expect(isMadeSubdomain(label)).toBe(true);
  });
});

describe('a project that asks for a subdomain by name', () => {
  const asking = (subdomain: string) => named({ subdomain });
  it.each<[string, Project, Claims, string]>([
    ['has it where it is free', asking('store'), {}, 'store'],
    ['moves there from what it has', asking('store'), { shop: {} }, 'store'],
    ['does not have it where another has it, and gets nothing made', asking('store'), { store: neighbours }, 'store'],
    ['keeps what it has meanwhile', asking('store'), { store: neighbours, shop: {} }, 'shop'],
    ['keeps what was made for it meanwhile', asking('shop'), { shop: neighbours, [made]: {} }, made],
    ['keeps what it has where it asks for what is reserved', asking('login'), { shop: {} }, 'shop'],
    ['keeps what it has where it asks for what is no label', asking('xn--a'), { shop: {} }, 'shop'],
    ['has what was made for itself', asking(made), {}, made],
    [
      'does not have what was made for another, free or not',
      named({ name: 'blog', subdomain: made }),
      { blog: blogs },
      'blog',
    ],
    ['keeps what it has been served at since before a rule', asking('ab--cd'), { 'ab--cd': {} }, 'ab--cd'],
    [
      'goes on at the latest of several',
      asking('login'),
      { shop: {}, store: { proof: { method: 'Platform', at: '2026-06-01T00:00:00Z' } } },
      'store',
    ],
    [
      'does not go on at a hostname of a customer’s',
      asking('login'),
      { shop: { proof: { method: 'TXT', at: '2026-01-01T00:00:00Z' } } },
      'login',
    ],
  ])('%s', (_title, of, claims, label) => {
    expect(labelOf(of, claims)).toBe(label);
  });

  it.each<[string, string, string | null]>([
    ['store', 'is anybody’s', null],
    ['login', 'is the platform’s', 'SubdomainReserved'],
    ['xn--a', 'is an A-label', 'InvalidSubdomain'],
    [labelOf(named({ namespace: 'other' }), { shop: neighbours }), 'was made for another', 'SubdomainReserved'],
    [made, 'was made for this project', null],
  ])('is told why not, of %s, which %s', (label, _whose, reason) => {
    expect(subdomainRefusal(named(), label, settings)?.reason ?? null).toBe(reason);
  });
});
