import { challengeName } from '../../rules/desired-records.ts';
import { issue } from './dns-issue.ts';
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

/** What each vantage point found, where they contradict each other; a warning where most of them agree. */
export function disagreementIssue(
  wanted: DesiredDns,
  { question, severity }: { readonly question: Question; readonly severity: DnsIssue['severity'] },
  points: readonly Witness[],
): DnsIssue {
  const name = question === 'ownership' ? (challengeName(wanted.hostname) ?? wanted.hostname) : wanted.hostname;
  const servers = points.map((point) => ({ server: point.name, address: '', answer: answerOf(point, question, name) }));
  return issue('VantagePointsDisagree', { name }, { act: 'AnswerAlikeEverywhere', severity, servers });
}

/** Which vantage points gave no usable answer, where that leaves the verdict open. */
export function silentIssue({ hostname: name }: DesiredDns, points: readonly Witness[]): DnsIssue {
  const silent = points.filter(({ view }) => view === null);
  const servers = silent.map((point) => ({ server: point.name, address: '', answer: 'no result' }));
  return issue('VantagePointSilent', { name }, { act: 'WaitForPlatform', servers });
}

function answerOf({ view }: Witness, question: Question, name: string): string {
  if (view === null) return 'no result';
  const { verdict } = view;
  const records = question === 'caa' ? [] : verdict.discovered.filter((record) => record.name === name);
  const shown = records.slice(0, shownRecords).map(({ type, value }) => `${type} ${value}`);
  const { code } = verdict[question];
  return shown.length === 0 ? code : `${code}, ${shown.join(', ').slice(0, shownCharacters)}`;
}
