import { describe, expect, it } from '@jest/globals';
import type { DnsOutcome, NameFacts } from '../../../../src/dns/dns-facts.ts';
import type { DesiredDns } from '../../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import { addresses, facts, name } from '../../../support/dns-facts.ts';

/** Fails when a server that fails for one type of record has somebody look at their registrar, or the type or the code is not told. */

const hostname = 'www.example.com';
const target = 'p-mine.cname.apps.example.net';
const wanted: DesiredDns = {
  hostname,
  target,
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net', 'cname.apps.example.net'],
  platformAddresses: ['203.0.113.10'],
  txt: { name: `_projectdomain-challenge.${hostname}`, value: 'projectdomain-verify=right' },
  txtRequired: false,
  ca: { domains: ['ca.test'], accountUri: null, method: 'http-01', caaProfile: 'strict' },
};

const right = addresses(`-> ${target}`);
const noCaa = { CAA: 'NODATA' };
const atTarget = name(target, [{ ...addresses(['203.0.113.10']), ...noCaa }], [], 'apps.example.net');
const com = name('com', [noCaa], [], 'com');
const ofExample = name('example.com', [noCaa]);

const errorCode = (names: NameFacts, code: string): NameFacts => ({
  ...names,
  authorities: names.authorities.map((view) => ({
    ...view,
    outcomes: { ...view.outcomes, CAA: { kind: 'unknown', cause: 'error-code', code } satisfies DnsOutcome },
  })),
});

const told = (names: readonly NameFacts[]) => {
  const { routing, caa, issues } = evaluateDns(facts(hostname, [atTarget, ofExample, com, ...names]), wanted);
  return { routing: routing.code, caa: `${caa.verdict} ${caa.code}`, issues };
};

const alias = { ...right, CAA: `-> ${target}` };

describe('CAA that a server fails for', () => {
  it.each<[string, NameFacts[], string]>([
    ['SERVFAIL', [name('example.com', [{ CAA: 'servfail' }]), name(hostname, [alias])], 'failed for CAA (SERVFAIL)'],
    [
      'REFUSED',
      [name('example.com', [{ CAA: 'refused' }]), name(hostname, [alias])],
      'refused to answer for CAA (REFUSED)',
    ],
    ['NOTIMP', [errorCode(ofExample, 'NOTIMP'), name(hostname, [alias])], 'answered NOTIMP for CAA'],
    ['FORMERR', [errorCode(ofExample, 'FORMERR'), name(hostname, [alias])], 'answered FORMERR for CAA'],
    ['silence', [name('example.com', [{ CAA: 'timeout' }]), name(hostname, [alias])], 'did not answer for CAA'],
  ])('by %s at the zone: its DNS host is told, with type and code, and no registrar', (_, names, answer) => {
    const { routing, caa, issues } = told(names);
    expect([routing, caa]).toEqual(['Verified', 'unknown TypeUnanswered']);
    expect(issues.map(({ code, act, actor }) => `${code} ${act} ${actor}`)).toEqual([
      'TypeUnanswered AskAboutType DnsHost',
    ]);
    expect(issues[0]?.message).toBe(
      `the name servers of example.com answer, but not when asked for CAA records of example.com (ns0: ${answer})`,
    );
    expect(issues[0]?.fix).toMatch(/questions for CAA records, with NOERROR where there are none/);
  });

  it('at every name is told once, by the first name of the climb', () => {
    const { issues } = told([
      name('example.com', [{ CAA: 'refused' }]),
      name(hostname, [{ ...addresses(['203.0.113.10']), CAA: 'refused' }]),
    ]);
    expect(issues.filter(({ code }) => code === 'TypeUnanswered').map(({ params }) => params.name)).toEqual([hostname]);
  });

  it('behind an alias is told of the zone where it fails, though resolvers answered', () => {
    const gl = name(
      'o.gl.example.org',
      [{ ...addresses(`-> ${target}`), CAA: 'servfail' }],
      [{ CAA: 'NODATA' }, { CAA: 'servfail' }],
      'gl.example.org',
    );
    const { caa, issues } = told([
      name(hostname, [{ ...addresses('-> o.gl.example.org'), CAA: '-> o.gl.example.org' }]),
      gl,
    ]);
    expect(caa).toBe('unknown TypeUnanswered');
    expect(issues.map(({ act, params }) => `${act} ${params.zone}`)).toEqual(['AskAboutType gl.example.org']);
  });
});

describe('a name whose servers cannot be asked', () => {
  it.each<[string, NameFacts[], string]>([
    [
      'is the registrar’s where nothing of the domain could be read',
      [name(hostname, [], [], null)],
      'CheckRegistration example.com',
    ],
    [
      'is its own DNS host’s where an alias leads to it, and never the registrar of the domain that was read',
      [name(hostname, [addresses('-> x.dead.example.org')]), name('x.dead.example.org', [], [], null)],
      'AskDnsHost example.org',
    ],
    [
      'is its own DNS host’s where the servers of the alias refuse',
      [
        name(hostname, [addresses('-> x.dead.example.org')]),
        name('x.dead.example.org', [addresses('refused')], [], 'dead.example.org'),
      ],
      'AskDnsHost dead.example.org',
    ],
    [
      'is the registrar’s where the servers refuse everything about the domain',
      [name(hostname, [{ ...addresses('refused'), CAA: 'refused' }])],
      'EnterNameServers example.com',
    ],
  ])('%s', (_, names, act) => {
    const { issues } = evaluateDns(facts(hostname, names), { ...wanted, ca: null });
    expect(issues.map((issue) => `${issue.act} ${issue.params.zone}`)).toEqual([act]);
  });
});
