import { describe, expect, it } from '@jest/globals';
import type { CustomerStatus, StepIssue, StepSubject } from '../../../src/rules/next-step.ts';
import { customerStatusOf, nextStepOf } from '../../../src/rules/next-step.ts';
import { stepKinds } from '../../../src/rules/codes/code-rows.ts';
import { helpTextOf } from '../../../src/rules/help-text.ts';
import type { DomainState } from '../../../src/rules/domain-state.ts';
import { domainStateNames as states } from '../../../src/rules/domain-state.ts';
import { hostnameReasons, acceptedReasons } from '../../../src/rules/codes/accepted-reasons.ts';
import { issueActs } from '../../../src/rules/issue-acts.ts';
import { certificateReasons } from '../../../src/rules/codes/certificate-reasons.ts';
import { routedReasons, withdrawnReasons } from '../../../src/rules/codes/routed-reasons.ts';
import { verifiedReasons } from '../../../src/rules/codes/verified-reasons.ts';
import { issueCodes } from '../../../src/rules/issue-params.ts';

const names = (table: object): readonly string[] => Object.keys(table);
const reasons = [
  ...new Set([
    ...[acceptedReasons, hostnameReasons, verifiedReasons, certificateReasons, routedReasons, issueCodes].flatMap(
      names,
    ),
  ]),
];

const nothingElse = { nextCheckAt: null, refusal: null } as const;

const issue = (over: Partial<StepIssue> = {}): StepIssue => ({
  code: 'RecordMissing',
  severity: 'Error',
  act: 'ChangeRecords',
  actor: 'Owner',
  delete: [],
  create: [],
  ...over,
});

const domain = (state: DomainState, reason: string, over: Partial<StepSubject> = {}): StepSubject => ({
  state,
  reason,
  issues: [],
  waits: null,
  ...over,
});

const soon = '2026-11-22T10:00:00Z';
const later = '2026-11-22T16:00:00Z';
const step = (subject: StepSubject, refusal: string | null = null) =>
  nextStepOf(subject, { nextCheckAt: soon, refusal });

const cname = { type: 'CNAME' };
const caa = { type: 'CAA' };
const a = { type: 'A' };

describe('the next step', () => {
  it.each<[string, StepSubject, string | null, string]>([
    ['a record to create', domain('Unverified', 'RecordMissing'), 'records', 'Owner'],
    ['the first check', domain('Unverified', 'Waiting'), null, 'Platform'],
    [
      'an old address',
      domain('Unverified', 'StrayAddress', { issues: [issue({ delete: [a], create: [cname] })] }),
      'records',
      'Owner',
    ],
    [
      'only something to delete',
      domain('Unverified', 'TxtWrong', { issues: [issue({ delete: [a] })] }),
      'delete-records',
      'Owner',
    ],
    [
      'a forbidding CAA record',
      domain('Verified', 'CAAForbids', { issues: [issue({ code: 'CaaForbidsAuthority', create: [caa] })] }),
      'caa',
      'Owner',
    ],
    [
      'a CAA record of another company',
      domain('Verified', 'CAAForbids', { issues: [issue({ act: 'AskAboutCaa', actor: 'DnsHost' })] }),
      null,
      'DnsHost',
    ],
    [
      'an issue that an older version wrote',
      domain('Verified', 'CAAForbids', { issues: [issue({ code: 'CaaMalformed', act: null })] }),
      'caa',
      'Owner',
    ],
    [
      'a CDN that keeps us out',
      domain('Unverified', 'CdnForbids', { issues: [issue({ act: 'AllowRequests', actor: 'Cdn' })] }),
      'verify',
      'Cdn',
    ],
    [
      'name servers at the registrar',
      domain('Unverified', 'LameDelegation', { issues: [issue({ act: 'EnterNameServers', actor: 'Registrar' })] }),
      'verify',
      'Registrar',
    ],
    [
      'a name that is too long',
      domain('Unverified', 'HostnameTooLongForTxt', { issues: [issue({ act: 'UseShorterName' })] }),
      'remove',
      'Owner',
    ],
    [
      'servers that are behind',
      domain('Unverified', 'ServersDisagree', { issues: [issue({ act: 'WaitForServers', actor: 'DnsHost' })] }),
      null,
      'DnsHost',
    ],
    ['a certificate under way', domain('Verified', 'Issuing'), null, 'Authority'],
    ['a late certificate', domain('Verified', 'IssuanceOverdue'), 'verify', 'Owner'],
    ['a plan without domains', domain('Pending', 'PlanUpgradeRequired'), 'upgrade', 'Owner'],
    ['a project that was never deployed', domain('Pending', 'NotDeployed'), 'deploy', 'Owner'],
    ['a second primary', domain('Pending', 'PrimaryExists'), 'make-redirect', 'Owner'],
    ['a redirect that leads to another', domain('Pending', 'RedirectToRedirect'), 'change-destination', 'Owner'],
    ['a name nobody may use', domain('Pending', 'PublicSuffix'), 'remove', 'Owner'],
    ['a project that vanished while its domain is served', domain('Degraded', 'ProjectNotFound'), null, 'Platform'],
    ['a domain that is Live', domain('Live', 'Routed'), null, 'Nobody'],
    [
      'a renewal that waits for a CAA record',
      domain('Live', 'Routed', { waits: { reason: 'CAAForbids', until: null } }),
      'caa',
      'Owner',
    ],
    [
      'a renewal that waits for its turn',
      domain('Live', 'Routed', { waits: { reason: 'LedgerIssuerFull', until: later } }),
      null,
      'Authority',
    ],
    ['a domain that is Suspended', domain('Suspended', 'Withdrawn'), 'verify', 'Owner'],
    [
      'a Suspended one whose record is gone',
      domain('Suspended', 'Withdrawn', { issues: [issue({ create: [cname] })] }),
      'records',
      'Owner',
    ],
    ['a reason of another version', domain('Verified', 'NoSuchReason'), null, 'Platform'],
  ])('%s', (_, subject, kind, actor) => {
    expect(step(subject)).toMatchObject({ kind, actor });
  });

  it('a domain that is not accepted is helped by nothing in DNS, whatever its state says', () => {
    const issues = [issue({ create: [cname] })];
    expect(step(domain('Pending', 'NotDeployed', { issues }))).toMatchObject({ kind: 'deploy', issue: null });
    expect(step(domain('Suspended', 'Withdrawn', { issues }), 'PlanUpgradeRequired')).toMatchObject({
      kind: 'upgrade',
    });
  });

  it('what the customer can resolve comes before what somebody else has to, and a warning is no step', () => {
    const host = issue({ code: 'ServersDisagree', act: 'MakeServersAgree', actor: 'DnsHost' });
    const warning = issue({ severity: 'Warning', create: [caa] });
    const own = issue({ create: [cname] });
    expect(step(domain('Unverified', 'ServersDisagree', { issues: [warning, host, own] })).issue).toBe(own);
    expect(step(domain('Unverified', 'ServersDisagree', { issues: [warning, host] })).issue).toBe(host);
    expect(step(domain('Live', 'Routed', { issues: [warning] }))).toMatchObject({ kind: null, issue: null });
  });

  it('says until when: the end of the authority’s wait, or the next check', () => {
    const waits = { reason: 'LedgerNameFull', until: later };
    expect(step(domain('Verified', 'LedgerNameFull', { waits })).until).toBe(later);
    expect(step(domain('Verified', 'LedgerNameFull', { waits: { ...waits, until: null } })).until).toBeNull();
    expect(step(domain('Unverified', 'ServersDisagree')).until).toBe(soon);
    expect(step(domain('Pending', 'PlanNotFound')).until).toBeNull();
  });

  it.each<[string, StepSubject, object]>([
    ['Verify, where only a check goes on', domain('Unverified', 'ServersDisagree'), { kind: 'verify', until: null }],
    [
      'the authority’s wait, which Verify does not end',
      domain('Verified', 'LedgerNameFull', { waits: { reason: 'LedgerNameFull', until: later } }),
      { kind: null, actor: 'Authority', until: later },
    ],
  ])('after the automatic checks is %s', (_, subject, expected) => {
    expect(nextStepOf(subject, { nextCheckAt: null, refusal: null, checksEnded: true })).toMatchObject(expected);
  });

  /** Reasons that keep a domain from being Live; that of a Suspended one is always the same. */
  const blocking = reasons.filter((reason) => !['Accepted', 'Verified', 'Issued', 'Routed'].includes(reason));
  const possible: Readonly<Partial<Record<DomainState, readonly string[]>>> = {
    Pending: blocking,
    Suspended: ['Withdrawn', ...Object.keys(withdrawnReasons)],
    Live: ['Routed'],
    Degraded: blocking.filter((one) => one !== 'ProjectNotFound'),
  };
  it('is somebody else’s turn exactly where the help says that there is nothing to do', () => {
    const contradictions = states.flatMap((state) =>
      (possible[state] ?? reasons)
        .filter((reason) => {
          const { kind, actor } = step(domain(state, reason));
          const idle = /^Nothing\b/.test(helpTextOf(state, reason).todo);
          return kind === null ? !idle && actor !== 'DnsHost' : idle;
        })
        .map((reason) => `${state} ${reason}: ${helpTextOf(state, reason).todo}`),
    );
    expect(contradictions).toEqual([]);
  });

  it.each(Object.entries(issueActs))('%s is the turn of whoever can do it', (act, { actor }) => {
    const { kind, actor: turn } = step(domain('Unverified', 'RecordMissing', { issues: [issue({ act, actor })] }));
    expect(turn).toBe(actor);
    expect(kind === null).toBe(actor === 'DnsHost' || actor === 'Platform');
  });

  it('every kind of step is taken by some reason or issue', () => {
    const ofReasons = reasons.map((reason) => step(domain('Unverified', reason)).kind);
    const taken = new Set([...ofReasons, step(domain('Unverified', '', { issues: [issue({ delete: [a] })] })).kind]);
    expect(stepKinds.filter((kind) => !taken.has(kind))).toEqual([]);
  });
});

describe('the status for the customer', () => {
  const error = issue({ create: [cname] });
  const warning = issue({ severity: 'Warning', act: 'AskAboutSilence', actor: 'DnsHost' });
  it.each<[CustomerStatus, string, StepSubject]>([
    ['NeedsAction', 'a record is missing', domain('Unverified', 'RecordMissing', { issues: [error] })],
    ['NeedsAction', 'CAA forbids the certificate', domain('Verified', 'CAAForbids')],
    ['NeedsAction', 'the project was never deployed', domain('Pending', 'NotDeployed')],
    ['NeedsAction', 'the plan has to change', domain('Pending', 'PlanUpgradeRequired')],
    ['InProgress', 'the first check is under way', domain('Unverified', 'Waiting')],
    ['InProgress', 'the certificate is on its way', domain('Verified', 'Issuing')],
    ['NeedsAction', 'the certificate is late, and a click begins a new attempt', domain('Verified', 'IssuanceOverdue')],
    ['InProgress', 'a limit has to pass', domain('Verified', 'LedgerShareUsed')],
    ['InProgress', 'the DNS host is at fault', domain('Unverified', 'ServersDisagree')],
    ['InProgress', 'the platform is at fault', domain('Pending', 'PlanNotFound')],
    ['Live', 'it is served', domain('Live', 'Routed')],
    ['Live', 'there is only a warning', domain('Live', 'Routed', { issues: [warning] })],
    [
      'Live',
      'a renewal waits for its turn',
      domain('Live', 'Routed', { waits: { reason: 'LedgerIssuerFull', until: later } }),
    ],
    ['AtRisk', 'DNS has an error', domain('Live', 'Routed', { issues: [error] })],
    [
      'AtRisk',
      'a renewal waits for the customer',
      domain('Live', 'Routed', { waits: { reason: 'DNSSECBroken', until: null } }),
    ],
    ['AtRisk', 'it is Degraded', domain('Degraded', 'NoUsableAnswer')],
    ['Offline', 'it is Suspended', domain('Suspended', 'Withdrawn')],
  ])('is %s while %s', (expected, _, subject) => {
    expect(customerStatusOf(subject, nothingElse)).toBe(expected);
  });

  it.each(states)('%s needs action exactly where its customer has a step', (state) => {
    if (state === 'Live' || state === 'Degraded' || state === 'Suspended') return;
    const wrong = reasons.filter((reason) => {
      const needs = customerStatusOf(domain(state, reason), nothingElse) === 'NeedsAction';
      return needs !== (step(domain(state, reason)).kind !== null);
    });
    expect(wrong).toEqual([]);
  });
});
