import { challengeName } from '../../rules/desired-records.ts';
import { verdictCodes } from '../../rules/verdict-codes.ts';
import type { DesiredDns, DnsIssue, DnsVerdict } from './dns-verdict.ts';

/** A vantage point and what it found; null when it gave no usable answer. */
interface Witness {
  readonly name: string;
  readonly view: { readonly verdict: DnsVerdict } | null;
}

type Question = 'routing' | 'ownership' | 'caa';

/** How many records of one vantage point an issue shows. */
const shownRecords = 3;
const shownCharacters = 160;

/** What each vantage point found, where they contradict each other. */
export function disagreementIssue(wanted: DesiredDns, question: Question, points: readonly Witness[]): DnsIssue {
  const name = question === 'ownership' ? (challengeName(wanted.hostname) ?? wanted.hostname) : wanted.hostname;
  const found = points.map((point) => `${point.name}: ${answerOf(point, question, name)}`).join('; ');
  const message = `${sentence('VantagePointsDisagree', wanted, name)} (${found})`;
  const fix = `if the records were changed within the last hour, wait; otherwise ask the company that manages your DNS to give the same answer for ${name} everywhere`;
  return { code: 'VantagePointsDisagree', message, record: '', fix };
}

/** Which vantage points gave no usable answer, where that leaves the verdict open. */
export function silentIssue(wanted: DesiredDns, points: readonly Witness[]): DnsIssue {
  const silent = points.filter(({ view }) => view === null).map(({ name }) => name);
  const message = `${sentence('VantagePointSilent', wanted, wanted.hostname)} (${silent.join(', ')})`;
  const fix = 'nothing to change in the records: the platform has to look at it; we try again automatically';
  return { code: 'VantagePointSilent', message, record: '', fix };
}

const sentence = (code: 'VantagePointsDisagree' | 'VantagePointSilent', wanted: DesiredDns, name: string): string =>
  verdictCodes[code].sentence({
    name,
    zone: name,
    cnameDomain: wanted.cnameDomain,
    authority: wanted.ca?.domains[0] ?? '',
  });

function answerOf({ view }: Witness, question: Question, name: string): string {
  if (view === null) return 'no result';
  const { verdict } = view;
  const records = question === 'caa' ? [] : verdict.discovered.filter((record) => record.name === name);
  const shown = records.slice(0, shownRecords).map(({ type, value }) => `${type} ${value}`);
  const { code } = verdict[question];
  return shown.length === 0 ? code : `${code}, ${shown.join(', ').slice(0, shownCharacters)}`;
}
