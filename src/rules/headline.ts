import { isRefusalCode } from './codes/refusal-codes.ts';
import { isRouteCode } from './codes/route-codes.ts';
import type { DnsCode } from './verdict-codes.ts';
import { isVerdictCode } from './verdict-codes.ts';

/**
 * Which of several causes is told first: the most specific one, as advice that fits any cause leads to the same mistake again (ADR 93). Ready's
 * reason, the heading of a domain's page and its row in lists follow it.
 */

/** Codes of which others are special cases: something is missing or different, and it is not known how that came about. */
const general: ReadonlySet<string> = new Set<DnsCode>([
  'RecordMissing',
  'WrongTarget',
  'TxtMissing',
  'TxtWrong',
  'DelegationMissing',
  // What an authority may do matters once the domain leads here.
  'CaaForbidsAuthority',
  'CaaForbidsAccount',
  'CaaForbidsMethod',
  'CaaMalformed',
  'CaaCriticalUnknown',
]);

/** Nothing was found out about the records: whoever runs the servers acts first, or time does. */
const open: ReadonlySet<string> = new Set([
  'Waiting',
  'Verified',
  'NotAsked',
  'Transferring',
  'OneServerAlone',
  'DelegationsDiffer',
  'ServersDisagree',
  'DnssecUnchecked',
  'NoUsableAnswer',
  'TypeUnanswered',
  'SomeServersSilent',
  'VantagePointsDisagree',
  'VantagePointSilent',
]);

/** 0 for a mistake or an obstacle that has a name of its own, 1 for what is merely missing or different, 2 where nothing is known. */
export const generality = (code: string): 0 | 1 | 2 => (open.has(code) ? 2 : general.has(code) ? 1 : 0);

/** The most specific of several causes, of equals the first; undefined of none. */
export const mostSpecific = <Cause>(causes: readonly Cause[], codeOf: (cause: Cause) => string): Cause | undefined =>
  causes.reduce<Cause | undefined>(
    (best, one) => (best === undefined || generality(codeOf(one)) < generality(codeOf(best)) ? one : best),
    undefined,
  );

const isCaa = (code: string): boolean => code.startsWith('Caa');
const isOfRecords = (code: string): boolean => isVerdictCode(code) && !isCaa(code);

const slipsOfTxt: ReadonlySet<string> = new Set<DnsCode>([
  'TxtQuoted',
  'TxtBareToken',
  'TxtMistyped',
  'TxtAtOtherName',
  'DoubledZone',
]);

/** Reasons that say which step is blocked, and the issues that say by what. */
const summaries: Readonly<Partial<Record<string, (code: string) => boolean>>> = {
  HeldElsewhere: (code) => slipsOfTxt.has(code),
  CAAForbids: isCaa,
  // Silence has the better sentence itself: it says of what.
  CAAUnknown: (code) => code === 'TypeUnanswered' || (isOfRecords(code) && generality(code) === 0),
  DNSWrongNow: isOfRecords,
  DNSUnknownNow: isOfRecords,
  WriteRefused: isRefusalCode,
  NotAnswering: isRouteCode,
};

/**
 * The code of what to tell first about a domain that is not Live: that of the issue which says what the reason sums up, the most specific of
 * the issues beside a reason that is a verdict, or the reason itself. `errors`: the codes of its issues without warnings, in their order. Pure.
 */
export function headlineOf(reason: string, errors: readonly string[]): string {
  const explains = Object.hasOwn(summaries, reason) ? summaries[reason] : undefined;
  if (explains) return mostSpecific(errors.filter(explains), String) ?? reason;
  if (!isVerdictCode(reason)) return reason;
  return mostSpecific([reason, ...errors.filter(isVerdictCode)], String) ?? reason;
}

/** The issue whose code that is; undefined where it is the reason itself, and no issue has it. `errors`: without warnings, in their order. */
export function headlineIssue<Issue extends { readonly code: string }>(
  reason: string,
  errors: readonly Issue[],
): Issue | undefined {
  const told = headlineOf(
    reason,
    errors.map(({ code }) => code),
  );
  return errors.find(({ code }) => code === told);
}
