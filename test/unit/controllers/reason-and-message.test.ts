import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { issue } from '../../../src/dns/verdict/dns-issue.ts';
import type { DnsIssue, DnsVerdict } from '../../../src/dns/verdict/dns-verdict.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { nowhere } from '../../../src/rules/codes/code-rows.ts';
import type { IssuePlace } from '../../../src/rules/codes/code-rows.ts';
import { verifiedReasons } from '../../../src/rules/codes/verified-reasons.ts';
import { findingsOf } from '../../../src/rules/conditions.ts';
import { conditionReasons } from '../../../src/rules/reasons.ts';
import type { DnsCode } from '../../../src/rules/verdict-codes.ts';
import { isVerdictCode, verdictCodes } from '../../../src/rules/verdict-codes.ts';
import { certificateIn, domain, heldBy, route, snapshot, verdict } from '../../support/snapshot.ts';

/**
 * Over every verdict code as the verdict on routing, ownership and CAA, with issues of its own, of others and without any: a condition whose reason is a
 * code says what that code says. It fails where a reason is set beside the sentence of another code.
 */

const src = join(import.meta.dirname, '../../../src');

type Condition = NonNullable<NonNullable<ProjectDomain['status']>['conditions']>[number];

const codes = (Object.keys(verdictCodes) as readonly DnsCode[]).filter((code) => code !== 'Verified');

/** What a code says of any place. */
function sentenceOf(code: DnsCode): RegExp {
  const place = Object.fromEntries(Object.keys(nowhere).map((name) => [name, '\0'])) as unknown as IssuePlace;
  const said = verdictCodes[code].sentence(place);
  return new RegExp(said.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('\0', '.*'));
}

const sentences = new Map(codes.map((code) => [code, sentenceOf(code)]));

function conditionsOf(given: Partial<ProjectDomainSnapshot>): readonly Condition[] {
  const { writes } = decideProjectDomain(snapshot(given));
  const status = writes.find(({ verb, kind }) => verb === 'applyStatus' && kind.kind === 'ProjectDomain');
  if (status?.verb !== 'applyStatus') throw new Error('no status is written');
  return (status.object.status as NonNullable<ProjectDomain['status']>).conditions ?? [];
}

const misleading = (conditions: readonly Condition[]): readonly string[] =>
  conditions.flatMap(({ type, reason, message }) =>
    !isVerdictCode(reason) || reason === 'Verified' || (sentences.get(reason)?.test(message) ?? false)
      ? []
      : [`${type} ${reason}: ${message}`],
  );

const issueOf = (code: DnsCode): DnsIssue => issue(code, { name: 'www.example.com', zone: 'example.com' });
const general = issueOf('RecordMissing');
const mistake = issueOf('TxtBareToken');
const forbidden = issueOf('CaaForbidsAuthority');

const issuesBeside = (code: DnsCode): readonly (readonly DnsIssue[])[] => [
  [],
  [issueOf(code)],
  [general],
  [mistake],
  [forbidden],
  [general, issueOf(code), mistake],
  [issueOf(code), forbidden, mistake],
];

const verdictsOf = (code: DnsCode): readonly Partial<DnsVerdict>[] =>
  (['no', 'unknown'] as const).flatMap((answer) => [
    { routing: { verdict: answer, code, by: null } },
    { ownership: { verdict: answer, code } },
    { routing: { verdict: answer, code, by: null }, ownership: { verdict: 'no', code: 'TxtMissing' } },
    { caa: { verdict: answer, code } },
  ]);

/** A hostname that nobody has yet, one that is held and waits for its certificate, and one that is served. */
const lives: readonly Partial<ProjectDomainSnapshot>[] = [
  {},
  heldBy,
  {
    ...heldBy,
    certificate: certificateIn(true),
    route,
    domain: domain({ status: { state: 'Live', check: { checkedAt: '2026-01-01T11:59:30Z', routing: 'Yes' } } }),
  },
  { claim: heldBy.claim, claimRelation: { kind: 'Foreign', phase: 'Held', epoch: 2 } },
];

describe('a condition whose reason is a verdict code', () => {
  it.each(codes)('%s says what the code says', (code) => {
    const given = lives.flatMap((life) =>
      verdictsOf(code).flatMap((changes) =>
        issuesBeside(code).map((issues) => ({ ...life, verdict: verdict({ ...changes, issues }) })),
      ),
    );
    const found = given.map(conditionsOf);
    expect(found.flatMap(misleading)).toEqual([]);
    expect(found.flat().some(({ reason }) => reason === code)).toBe(true);
  });

  it.each<[string, readonly Condition[]]>([
    [
      'the sentence of another code',
      [
        {
          type: 'DNSVerified',
          status: 'False',
          reason: 'RecordMissing',
          message: 'www.example.com points somewhere else',
          lastTransitionTime: '',
        },
      ],
    ],
  ])('is not taken for one with %s', (_, conditions) => {
    expect(misleading(conditions)).toHaveLength(1);
  });
});

/** Files of src that give a condition's message beside its reason themselves, and the reasons to which they do. */
const given: readonly (readonly [file: string, reason: string])[] = readdirSync(src, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith('.ts'))
  .map((file) => [file, readFileSync(join(src, file), 'utf8')] as const)
  .filter(([, text]) => /import \{[^}]*\b(?:yes|no|unknown)\b[^}]*\} from '[^']*conditions\.ts'/.test(text))
  .flatMap(([file, text]) =>
    [...text.matchAll(/(?<![.\w])(?:yes|no|unknown)\(\s*'(\w+)'/g)].map(([, reason = '']) => [file, reason] as const),
  );

describe('a reason whose row has the message', () => {
  const rows = Object.values(conditionReasons).flatMap((conditions) =>
    Object.values(conditions).flatMap((reasons) => Object.entries(reasons)),
  );
  const withSentence = new Set([...rows.filter(([, row]) => row.sentence).map(([reason]) => reason), ...codes]);

  it('is given no other anywhere', () => {
    expect(withSentence.size).toBeGreaterThan(codes.length + 30);
    expect(given.length).toBeGreaterThan(20);
    expect(given.filter(([, reason]) => withSentence.has(reason))).toEqual([]);
  });

  it('has that of the row, whatever else is said to the compiler', () => {
    const { no } = findingsOf(verifiedReasons);
    // @ts-expect-error a message is taken only where the row has none
    expect(no('HeldElsewhere', 'another one').message).toBe(verifiedReasons.HeldElsewhere.sentence());
    expect(no('Waiting', 'what is waited for').message).toBe('what is waited for');
  });
});
