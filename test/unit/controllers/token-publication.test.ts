import { describe, expect, it } from '@jest/globals';
import { readCheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { observeProjectDomain } from '../../../src/controllers/project-domain/observe-project-domain.ts';
import { tokenEvidence } from '../../../src/controllers/project-domain/token-evidence.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import { usesRedirector } from '../../../src/controllers/redirector-endpoints/decide-redirector-endpoints.ts';
import type { CheckRequest } from '../../../src/dns/dns-facts.ts';
import type { DnsVerdict } from '../../../src/dns/verdict/dns-verdict.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { TokenAnswer } from '../../../src/rules/domain-token.ts';
import { recordValues } from '../../../src/rules/dns-target.ts';
import { no } from '../../../src/rules/conditions.ts';
import { IngressKind } from '../../../src/resources/kinds.ts';
import { addresses, facts, name } from '../../support/dns-facts.ts';
import { certificateIn, domain, heldBy, now, route, snapshot, verdict } from '../../support/snapshot.ts';

/** When a token is published, asked for, and taken back. */

const mine = { nonce: 'nonce-of-mine', answer: 'answer-of-mine' };
const withToken = domain({ status: { state: 'Live', check: { token: mine, routedBy: 'token' } } });
const of = (subject: ProjectDomain) => ({ domain: subject, checkStatus: readCheckStatus(subject) });

const statusOf = (changes: Partial<ProjectDomainSnapshot>) => {
  const write = decideProjectDomain(snapshot(changes)).writes.find(({ verb }) => verb === 'applyStatus') as
    { readonly object: ProjectDomain } | undefined;
  return write?.object.status;
};
const tokenOf = (changes: Partial<ProjectDomainSnapshot>) => statusOf(changes)?.check?.token ?? null;

const foreign: Partial<DnsVerdict> = {
  routing: { verdict: 'no', code: 'StrayAddress', by: null },
  needsToken: true,
  corroborated: false,
};
const through: Partial<DnsVerdict> = { routing: { verdict: 'yes', code: 'Verified', by: 'token' }, needsToken: true };
const silent: Partial<DnsVerdict> = {
  routing: { verdict: 'unknown', code: 'NoUsableAnswer', by: null },
  corroborated: false,
};

describe('a token is published', () => {
  it.each<[string, Partial<ProjectDomainSnapshot>, boolean]>([
    ['once a check finds a foreign address', { verdict: verdict(foreign) }, true],
    ['while it is what proves routing', { ...of(withToken), ...heldBy, verdict: verdict(through) }, true],
    ['still, when no check was due', { ...of(withToken), ...heldBy }, true],
    ['still, when no name server answers', { ...of(withToken), ...heldBy, verdict: verdict(silent) }, true],
    ['no more, when the hostname leads to the target', { ...of(withToken), ...heldBy, verdict: verdict() }, false],
    ['not before a check has found anything', {}, false],
    ['not for a hostname that leads here', { verdict: verdict() }, false],
    [
      'not for a domain that is not accepted',
      { ...of(withToken), accepted: no('PlanUpgradeRequired', 'upgrade'), verdict: null },
      false,
    ],
    ['not while the account is unknown', { ...of(withToken), target: null, ownership: null, token: null }, false],
  ])('%s', (_, changes, expected) => {
    expect(tokenOf(changes)).toEqual(expected ? mine : null);
  });

  it('is replaced where it belongs to an earlier claim or object', () => {
    const stale = domain({ status: { check: { token: { nonce: 'old', answer: 'older' }, routedBy: 'token' } } });
    expect(tokenOf({ ...of(stale), ...heldBy })).toEqual(mine);
  });
});

describe('the route', () => {
  const held = { ...heldBy, certificate: certificateIn(true), route };
  const pathsOf = (changes: Partial<ProjectDomainSnapshot>) => {
    const write = decideProjectDomain(snapshot({ ...held, ...changes })).writes.find(
      ({ verb, kind }) => verb === 'apply' && kind === IngressKind,
    ) as unknown as { object: { spec: { rules: { http: { paths: { path: string }[] } }[] } } } | undefined;
    return write?.object.spec.rules[0]?.http.paths.map(({ path }) => path);
  };

  it('carries the path of tokens while one is published, and only then', () => {
    expect(pathsOf({ ...of(withToken), verdict: verdict(through) })).toEqual(['/', '/.well-known/projectdomain/']);
    expect(pathsOf({ verdict: verdict() })).toEqual(['/']);
  });

  it('of a domain with a published token needs the redirector in its namespace', () => {
    expect([withToken, domain(), domain({ spec: { role: 'Redirect' } })].map(usesRedirector)).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('a token is asked for', () => {
  const proxied = facts('www.example.com', [name('www.example.com', [addresses(['198.51.100.7'])])]);
  const asked = async (changes: Partial<ProjectDomainSnapshot>, seen = proxied) => {
    const requests: object[] = [];
    const probe = {
      ask: (request: object) => {
        requests.push(request);
        return Promise.resolve({});
      },
    };
    const wanted = {
      hostname: 'www.example.com',
      target: 'p-mine.cname.apps.example.net',
      cnameDomain: 'cname.apps.example.net',
      platformDomains: [],
      platformAddresses: ['203.0.113.10'],
      txt: null,
      txtRequired: false,
      ca: null,
    };
    await tokenEvidence(probe, snapshot(changes), { facts: seen, wanted, signal: new AbortController().signal });
    return requests;
  };

  it('at the addresses of this check, and the account pays', async () => {
    expect(await asked(of(withToken))).toEqual([
      { hostname: 'www.example.com', token: mine, addresses: ['198.51.100.7'], payer: 'acme' },
    ]);
  });

  it('not before it is published, nor where the addresses are the platform’s', async () => {
    expect(await asked({})).toEqual([]);
    const stale = domain({ status: { check: { token: { nonce: 'old', answer: 'older' } } } });
    expect(await asked(of(stale))).toEqual([]);
    const here = facts('www.example.com', [name('www.example.com', [addresses(['203.0.113.10'])])]);
    expect(await asked(of(withToken), here)).toEqual([]);
  });
});

describe('the records that are shown', () => {
  const records = (changes: Partial<ProjectDomainSnapshot>) => statusOf(changes)?.records?.map(({ type }) => type);

  it('have the TXT record as soon as a CDN shows, and while a token proves routing', () => {
    const behind = { ...foreign, routing: { verdict: 'unknown', code: 'BehindCdn', by: null } } as const;
    expect(records({ verdict: verdict(behind) })).toEqual(['CNAME', 'TXT']);
    expect(records({ ...of(withToken), ...heldBy })).toEqual(['CNAME', 'TXT']);
    expect(records({ verdict: verdict(foreign) })).toEqual(['CNAME']);
  });
});

describe('the token of a domain', () => {
  const values = recordValues(Buffer.alloc(32, 1), 'cname.apps.example.net');
  const subject = { accountId: 'a', hostname: 'www.example.com', epoch: 1, uid: 'u' };
  const first = values.token(subject);

  it('is the same each time, and its nonce does not tell its answer', () => {
    expect(values.token(subject)).toEqual(first);
    expect(first.nonce).toMatch(/^[a-z2-7]{32}$/);
    expect(first.answer).not.toContain(first.nonce);
  });

  it.each([{ accountId: 'b' }, { hostname: 'example.com' }, { epoch: 2 }, { uid: 'v' }])(
    'is another one with %p: another account, a transfer, or removal and Add',
    (change) => {
      const other = values.token({ ...subject, ...change });
      expect([other.nonce, other.answer]).not.toContain(first.nonce);
      expect([other.nonce, other.answer]).not.toContain(first.answer);
    },
  );

  it('is with another installation another one', () => {
    expect(recordValues(Buffer.alloc(32, 2), 'cname.apps.example.net').token(subject)).not.toEqual(first);
  });
});

describe('a Live hostname that moves behind a CDN', () => {
  const routed = {
    type: 'Routed',
    status: 'True',
    reason: 'Routed',
    message: '',
    lastTransitionTime: '2026-01-01T11:40:00Z',
  } as const;
  const check = { routedBy: 'target', checkedAt: '2026-01-01T11:40:00Z' } as const;
  const before = domain({ status: { state: 'Live', check, conditions: [routed] } });
  const behind = { ...foreign, routing: { verdict: 'unknown', code: 'BehindCdn', by: null } } as const;
  const after = (found: Partial<DnsVerdict>, earlier: object = {}) => {
    const checkStatus = { ...readCheckStatus(before), ...earlier };
    const live = { ...heldBy, domain: before, certificate: certificateIn(true), route, checkStatus };
    const { requeueAt } = decideProjectDomain(snapshot({ ...live, verdict: verdict(found) }));
    return ((requeueAt ?? 0) - snapshot().now) / 1_000;
  };

  it('is checked again in ten seconds, when its token can be asked for, and then as seldom as any', () => {
    expect(after(foreign)).toBe(10);
    expect(after(behind)).toBe(10);
    const earlier = snapshot().now - 60_000;
    expect(after(foreign, { token: mine, failures: 1, failingSince: earlier })).toBeGreaterThan(600);
    expect(after(behind, { token: mine, unknownSince: earlier })).toBeGreaterThan(600);
    const failedOnce = { token: mine, failures: 1, failingSince: earlier };
    expect(after(behind, { ...failedOnce, unknownSince: earlier })).toBeGreaterThan(600);
  });
});

describe('a look at a Live hostname that a token proves', () => {
  const proxied = facts('www.example.com', [name('www.example.com', [addresses(['198.51.100.7'])])]);
  const confirmable = {
    checkedAt: now - 1_200_000,
    fullyCheckedAt: now - 1_200_000,
    routing: 'Yes',
    ownership: 'Yes',
    caa: 'Yes',
    corroborated: true,
  } as const;

  /** What is asked of DNS and of the proxy, in order, when the proxy answers these one after the other. */
  async function look(answers: readonly TokenAnswer[], earlier: object = {}) {
    const left = [...answers];
    const asked: string[] = [];
    const dependencies = {
      certManagerUnavailable: () => false,
      gatewayGuard: () => Promise.resolve(null),
      edgeControllers: () => Promise.resolve({}),
      now: () => now,
      dns: {
        check: ({ isConfirmation, dnssec }: CheckRequest) => {
          const behind = dnssec?.isBehindProxy ? 'with DNSSEC' : 'without DNSSEC';
          asked.push(isConfirmation ? 'confirmation' : `full check ${behind}`);
          return Promise.resolve(proxied);
        },
      },
      tokenProbe: {
        ask: () => {
          asked.push('token');
          return Promise.resolve({ '198.51.100.7': left.shift() });
        },
      },
      targets: { of: () => [], saw: () => undefined },
    } as unknown as ControllerNeeds;
    const base = snapshot({ ...heldBy, ...of(withToken), route });
    const assessed = { ...base, checkStatus: { ...base.checkStatus, ...confirmable, ...earlier } };
    const { verdict: found } = await observeProjectDomain(dependencies, assessed, new AbortController().signal);
    return { asked, routing: found?.routing, isConfirmation: found?.isConfirmation ?? false };
  }

  it('asks for the token and is a confirmation where it comes', async () => {
    expect(await look(['token'])).toEqual({
      asked: ['confirmation', 'token'],
      routing: { verdict: 'yes', code: 'Verified', by: 'token' },
      isConfirmation: true,
    });
  });

  it.each<[TokenAnswer, string, string]>([
    ['silent', 'unknown', 'BehindCdn'],
    ['forbidden', 'unknown', 'CdnForbids'],
    ['other', 'no', 'StrayAddress'],
  ])('asks once more in full where the answer is “%s”', async (answer, found, code) => {
    expect(await look([answer, answer])).toEqual({
      asked: ['confirmation', 'token', 'full check with DNSSEC', 'token'],
      routing: { verdict: found, code, by: null },
      isConfirmation: false,
    });
  });

  it.each<[string, readonly TokenAnswer[], object, readonly string[]]>([
    [
      'no resolver, while another server answers',
      ['other'],
      { routing: 'No', routedBy: 'target' },
      ['full check without DNSSEC', 'token'],
    ],
    [
      'the resolvers too, in the check that first finds the token',
      ['token', 'token'],
      { routing: 'Unknown', routedBy: null },
      ['full check without DNSSEC', 'token', 'full check with DNSSEC', 'token'],
    ],
    [
      'the resolvers at once, where a token came through before',
      ['token'],
      { fullyCheckedAt: now - 90_000_000 },
      ['full check with DNSSEC', 'token'],
    ],
  ])('asks %s', async (_, answers, earlier, expected) => {
    expect((await look(answers, earlier)).asked).toEqual(expected);
  });
});
