import { describe, expect, it } from '@jest/globals';
import {
  domainSummary,
  printCaches,
  printIssues,
  printRecords,
  printSummary,
} from '../../../src/cli/domain-summary.ts';
import { printKeys } from '../../../src/cli/keys/keys-command.ts';
import { printList } from '../../../src/cli/list-command.ts';
import { printProbed } from '../../../src/cli/probe-command.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';

const domain = (status?: ProjectDomain['status']): ProjectDomain => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  metadata: { name: 'www', namespace: 'acme' },
  spec: { project: 'shop', hostname: 'www.example.com', role: 'Redirect' },
  ...(status ? { status } : {}),
});

const now = Date.parse('2026-01-01T12:00:00Z');

const seen = domainSummary(
  domain({
    state: 'Unverified',
    conditions: [
      {
        type: 'Ready',
        status: 'False',
        reason: 'ForeignAddress',
        message: 'it leads elsewhere',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
    records: [
      {
        purpose: 'Routing',
        type: 'CNAME',
        name: 'www',
        fqdn: 'www.example.com',
        value: 'p-abc.cname.test',
        ttl: 3600,
        status: 'Wrong',
        found: ['A 192.0.2.1'],
      },
      { purpose: 'Ownership', type: 'TXT', name: '_p.www', fqdn: '_p.www.example.com', value: 'v=1', ttl: 3600 },
    ],
    issues: [
      { code: 'A', message: 'an address', record: 'www.example.com. 60 IN A 192.0.2.1', fix: 'delete it' },
      { code: 'B', message: 'nothing there', record: '', fix: 'create it' },
      { code: 'C', message: 'one is silent', record: '', fix: 'ask', severity: 'Warning', actor: 'DnsHost' },
    ],
    certificate: { notAfter: '2026-03-01T00:00:00Z', name: 'www-tls' },
  }),
  now,
);
const fresh = domainSummary(domain(), now);

describe('a domain for people', () => {
  it('is one line, and why below', () => {
    expect(printSummary(seen)).toBe('www.example.com: Unverified (ForeignAddress)\n  it leads elsewhere');
    expect(printSummary({ ...seen, hostname: 'xn--mnchen-3ya.example.com' })).toMatch(
      /^xn--mnchen-3ya\.example\.com \(münchen\.example\.com\): Unverified/,
    );
  });

  it('does not say twice what its issues say', () => {
    const told = { ...seen, message: 'an address; delete it' };
    expect(printSummary(told)).toBe('www.example.com: Unverified (ForeignAddress)');
  });

  it('is new until the operator has looked', () => {
    expect(printSummary(fresh)).toContain('www.example.com: new (Waiting)\n  the operator has not processed it yet');
  });

  it("has its records as columns that a registrar's form asks for", () => {
    expect(printRecords(seen).split('\n')).toEqual([
      'TYPE    NAME     VALUE              TTL    IN DNS',
      'CNAME   www      p-abc.cname.test   3600   Wrong: A 192.0.2.1',
      'TXT     _p.www   v=1                3600   Unknown',
    ]);
  });

  it.each([
    [
      'says until when caches lead visitors to the old server',
      '2026-01-01T13:00:00Z',
      'Some visitors may still reach the old server until 2026-01-01T13:00:00Z.',
    ],
    ['says nothing of caches once that time has passed', '2026-01-01T12:00:00Z', ''],
  ])('%s', (_, lingersUntil, expected) => {
    const check = { startedAt: '2026-01-01T11:00:00Z', routing: 'Yes' as const, lingersUntil };
    expect(printCaches(domainSummary(domain({ check }), now))).toBe(expected);
  });

  it('says once what to do about several issues', () => {
    const ask = { fix: 'ask', actor: 'DnsHost' as const, record: '' };
    const issues = [
      { code: 'A', message: 'no answer', ...ask },
      { code: 'B', message: 'none here either', ...ask },
      { code: 'C', message: 'another', record: '', fix: 'ask' },
    ];
    expect(printIssues(domainSummary(domain({ state: 'Unverified', issues }), now)).split('\n')).toEqual([
      'A: no answer',
      '  to do: ask',
      expect.stringMatching(/^ {2}by: /),
      'B: none here either',
      '  to do: as above',
      'C: another',
      '  to do: ask',
    ]);
  });

  it('has what was found and what to do for each issue, and no line for a record that is missing', () => {
    expect(printIssues(seen).split('\n')).toEqual([
      'A: an address',
      '  found: www.example.com. 60 IN A 192.0.2.1',
      '  to do: delete it',
      'B: nothing there',
      '  to do: create it',
      'Warning C: one is silent',
      '  to do: ask',
      '  by: Your DNS provider',
    ]);
  });

  it('has no issues while it has none', () => {
    expect(printIssues(fresh)).toBe('');
  });
});

describe('a list for people', () => {
  it.each([
    [
      'of one namespace does not repeat it',
      false,
      [
        'HOSTNAME          STATE        REASON           ROLE       PROJECT   CERTIFICATE EXPIRES',
        'www.example.com   Unverified   ForeignAddress   redirect   shop      2026-03-01T00:00:00Z',
        'www.example.com   new          Waiting          redirect   shop      -',
      ],
    ],
    [
      'of all namespaces begins with them',
      true,
      [
        'NAMESPACE   HOSTNAME          STATE        REASON           ROLE       PROJECT   CERTIFICATE EXPIRES',
        'acme        www.example.com   Unverified   ForeignAddress   redirect   shop      2026-03-01T00:00:00Z',
        'acme        www.example.com   new          Waiting          redirect   shop      -',
      ],
    ],
  ])('%s', (_, everywhere, lines) => {
    expect(printList([seen, fresh], everywhere).split('\n')).toEqual(lines);
  });
});

describe('keys for people', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const key = {
    id: 'abc',
    name: 'key-abc',
    displayName: null,
    account: 'acme',
    scopes: ['domains:read', 'keys:write'] as const,
  };
  const nothing = { expiresAt: null, lastUsedAt: null, bannedUntil: null };
  const [before, after] = ['2025-12-31T00:00:00Z', '2026-01-02T00:00:00Z'];

  it.each<[string, object, readonly string[]]>([
    ['never used, never over', {}, ['never', 'never', '-']],
    ['one that is not over yet', { expiresAt: after }, [after, 'never', '-']],
    ['one that has expired says so', { expiresAt: before }, [`${before} (expired)`, 'never', '-']],
    ['when it was used', { lastUsedAt: before }, ['never', before, '-']],
    ['a ban that lasts', { bannedUntil: after }, ['never', 'never', after]],
    ['a ban that is over is none', { bannedUntil: before }, ['never', 'never', '-']],
  ])('%s', (_, changes, cells) => {
    const [, line = ''] = printKeys([{ ...key, ...nothing, ...changes }], now).split('\n');
    expect(line.split(/ {3,}/)).toEqual(['abc', 'key-abc', '-', 'acme', 'domains:read,keys:write', ...cells]);
  });

  it.each([
    ['a name', 'Deploy script', 'Deploy script'],
    ['a name that would move the columns', 'a      b\u2003c', 'a b c'],
    ['a name that a terminal would obey', 'a\u001b[2Jb\u009bc\u202ed', 'a?[2Jb?c?d'],
  ])('shows %s on one line', (_, displayName, shown) => {
    const [, line = ''] = printKeys([{ ...key, ...nothing, displayName }], now).split('\n');
    expect(line.split(/ {3,}/)[2]).toBe(shown);
  });
});

describe('hostnames that were asked for at an edge', () => {
  const [address, hostname] = ['192.0.2.1', 'www.example.com'];
  const refused = { namespace: 'acme', hostname, detail: 'ECONNREFUSED' };

  it.each<[sentence: string, printed: string, lines: readonly (RegExp | string)[]]>([
    [
      'are one line where all answer',
      printProbed([], { address, asked: 3, answered: 3 }),
      ['3 of 3 Live hostnames answer at 192.0.2.1 with their certificates.'],
    ],
    [
      'are listed where they do not, with what came instead',
      printProbed([refused], { address, asked: 3, answered: 2 }),
      [
        /^NAMESPACE +HOSTNAME +INSTEAD$/,
        /^acme +www\.example\.com +ECONNREFUSED$/,
        '',
        '2 of 3 Live hostnames answer at 192.0.2.1 with their certificates.',
      ],
    ],
  ])('%s', (_, printed, lines) => {
    const shown = printed.split('\n');
    expect(shown).toHaveLength(lines.length);
    lines.forEach((line, index) =>
      expect(shown[index]).toEqual(typeof line === 'string' ? line : expect.stringMatching(line)),
    );
  });
});
