import { describe, expect, it } from '@jest/globals';
import { no, unknown, yes } from '../../../src/rules/conditions.ts';
import type { DomainFindings } from '../../../src/rules/domain-state.ts';
import { readyFinding } from '../../../src/rules/domain-state.ts';
import { generality, headlineOf, mostSpecific } from '../../../src/rules/headline.ts';
import { issueCodes } from '../../../src/rules/issue-params.ts';
import { refusalCodes } from '../../../src/rules/codes/refusal-codes.ts';
import { routeCodes } from '../../../src/rules/codes/route-codes.ts';
import type { DnsCode } from '../../../src/rules/verdict-codes.ts';
import { verdictCodes } from '../../../src/rules/verdict-codes.ts';

/** The most specific cause is told first, over the whole catalogue: it fails for a code that a general sentence would hide. */

const codes = Object.keys(verdictCodes) as readonly DnsCode[];
const specific = codes.filter((code) => generality(code) === 0);
const general = ['RecordMissing', 'WrongTarget', 'TxtMissing', 'TxtWrong'] as const;
const unanswered = codes.filter((code) => generality(code) === 2);

/** What people and forms make of a record (ADR 86), and what else has a name of its own. */
const mistakes = [
  'UrlInValue',
  'QuotedValue',
  'ZoneInValue',
  'MistypedTarget',
  'NotRegistered',
  'RecordAtOtherName',
  'OtherProjectTarget',
  'BareCnameDomain',
  'SeveralCnames',
  'CnameAtApex',
  'DoubledZone',
  'TxtQuoted',
  'TxtBareToken',
  'TxtMistyped',
  'TxtAtOtherName',
] as const satisfies readonly DnsCode[];

describe('the headline', () => {
  it.each(mistakes)('is the mistake %s, whatever general sentence fits too, in any order', (code) => {
    expect(specific).toContain(code);
    const hidden = [...general, ...unanswered].filter(
      (other) => headlineOf(other, [other, code]) !== code || headlineOf(code, [code, other]) !== code,
    );
    expect(hidden).toEqual([]);
  });

  it.each(codes)('%s is its own where nothing else was found, and the first of two of a kind', (code) => {
    expect(headlineOf(code, [])).toBe(code);
    const same = codes.filter((other) => generality(other) === generality(code));
    expect(same.filter((other) => headlineOf(code, [other, code]) !== code)).toEqual([]);
  });

  it.each(general)('%s comes before faults of servers, as the customer can mend it', (code) => {
    expect(unanswered.filter((other) => headlineOf(other, [other, code]) !== code)).toEqual([]);
  });

  it('of what an authority may do waits until the domain leads here', () => {
    const caa = codes.filter((code) => code.startsWith('Caa'));
    expect(caa.map((code) => headlineOf('RecordMissing', ['RecordMissing', code]))).toEqual(
      caa.map(() => 'RecordMissing'),
    );
    expect(caa.map((code) => headlineOf('CAAForbids', [code]))).toEqual(caa);
  });

  it.each([
    ['DNSWrongNow', ['ZoneInValue'], 'ZoneInValue'],
    ['DNSWrongNow', ['RecordMissing', 'TxtBareToken'], 'TxtBareToken'],
    ['DNSWrongNow', ['CaaForbidsAuthority'], 'DNSWrongNow'],
    ['DNSUnknownNow', ['ServersDisagree'], 'ServersDisagree'],
    ['CAAUnknown', ['TypeUnanswered'], 'TypeUnanswered'],
    ['HeldElsewhere', ['TxtMissing'], 'HeldElsewhere'],
    ['HeldElsewhere', ['RecordMissing', 'TxtBareToken'], 'TxtBareToken'],
    ['PlanUpgradeRequired', ['ZoneInValue'], 'PlanUpgradeRequired'],
    ['Issuing', ['ZoneInValue'], 'Issuing'],
    ['NoSuchReason', ['ZoneInValue'], 'NoSuchReason'],
  ])('of %s with %j is %s', (reason, errors, expected) => {
    expect(headlineOf(reason, errors)).toBe(expected);
  });

  it.each([
    ['WriteRefused', refusalCodes],
    ['NotAnswering', routeCodes],
  ])('of %s is what was refused or found there', (reason, table) => {
    const all = Object.keys(table);
    expect(all.map((code) => headlineOf(reason, ['RecordMissing', code]))).toEqual(all);
  });

  it('of nothing is nothing', () => {
    expect(mostSpecific<string>([], String)).toBeUndefined();
    expect(Object.keys(issueCodes).map(generality)).not.toContain(undefined);
  });
});

describe('the reason of Ready', () => {
  const findings = (over: Partial<DomainFindings>): DomainFindings => ({
    Accepted: yes('Accepted', ''),
    OwnershipVerified: yes('Verified', ''),
    DNSVerified: yes('Verified', ''),
    CertificateIssued: unknown('Waiting', ''),
    Routed: unknown('Waiting', ''),
    ...over,
  });

  it('is the more specific of the two proofs, with its own sentence', () => {
    const given = findings({
      DNSVerified: no('RecordMissing', 'no record'),
      OwnershipVerified: no('TxtMistyped', 'almost'),
    });
    expect(readyFinding(given)).toMatchObject({ reason: 'TxtMistyped', message: 'almost' });
  });

  const told = <Code extends DnsCode>(code: Code) => ({ code, message: `found ${code}`, fix: `mend ${code}` });

  it.each<[string, DomainFindings, readonly DnsCode[], string, string]>([
    [
      'the issue that says what blocks the certificate, with what that says',
      findings({ CertificateIssued: no('CAAForbids', 'a CAA record forbids it') }),
      ['CaaForbidsAccount'],
      'CaaForbidsAccount',
      'found CaaForbidsAccount; mend CaaForbidsAccount',
    ],
    [
      'the same with more about it, where the message quotes it',
      findings({ CertificateIssued: no('DNSWrongNow', 'no certificate is ordered: found WrongTarget; mend it') }),
      ['WrongTarget'],
      'WrongTarget',
      'no certificate is ordered: found WrongTarget; mend it',
    ],
    [
      'the most specific issue, with its own sentence',
      findings({ DNSVerified: no('RecordMissing', 'found RecordMissing; mend RecordMissing') }),
      ['RecordMissing', 'TxtBareToken'],
      'TxtBareToken',
      'found TxtBareToken; mend TxtBareToken',
    ],
    [
      'the mistake in a record that is to win the hostname back',
      findings({ OwnershipVerified: no('HeldElsewhere', 'another account has it') }),
      ['TxtQuoted'],
      'TxtQuoted',
      'found TxtQuoted; mend TxtQuoted',
    ],
    [
      'what blocks, with its own sentence, where no issue says more',
      findings({ CertificateIssued: no('CAAForbids', 'a CAA record forbids it') }),
      [],
      'CAAForbids',
      'a CAA record forbids it',
    ],
  ])('is %s', (_, given, errors, reason, message) => {
    expect(readyFinding(given, { errors: errors.map(told), withdrawn: null })).toMatchObject({ reason, message });
  });

  it('is why a domain was withdrawn', () => {
    const given = findings({ Routed: no('Withdrawn', 'suspended by an administrator: spam') });
    const causes = { errors: [told('RecordMissing')], withdrawn: 'SuspendedByAdministrator' as const };
    expect(readyFinding(given, causes)).toEqual({
      status: 'False',
      reason: 'SuspendedByAdministrator',
      message: 'suspended by an administrator: spam',
    });
  });
});
