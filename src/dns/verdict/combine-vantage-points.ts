import { challengeName } from '../../rules/desired-records.ts';
import { isWarning } from '../../rules/issue-acts.ts';
import { eachOnce } from '../observed-records.ts';
import { rankOf } from './combine-views.ts';
import { issue } from './dns-issue.ts';
import type { DesiredDns, DnsIssue, DnsVerdict, Verdict } from './dns-verdict.ts';

const questions = ['routing', 'ownership', 'caa'] as const;
type Question = (typeof questions)[number];

/** The verdict by what one vantage point found, with the issues of each question. */
export interface VantagePointView {
  readonly verdict: DnsVerdict;
  readonly issues: Readonly<Record<Question | 'warnings', readonly DnsIssue[]>>;
}

/** A vantage point; `view` is null when it gave no usable answer. */
interface Point {
  readonly name: string;
  readonly view: VantagePointView | null;
}

/** How the local vantage point is called in issues. */
const localName = 'here';

/** A question's verdict, and the vantage point that speaks for it; null when none does. */
interface Decided {
  readonly verdict: Verdict;
  readonly speaker: Point | null;
}

/**
 * Combines what several vantage points found. A yes, and likewise a no, needs more than half of all that are configured:
 * both of two, two of three, three of four. One that is silent counts as not agreeing with anybody. The local one has
 * no veto. What is shown beside the verdicts is the local one's, unless it is overruled; the addresses of the target are
 * always its own, as they are remembered as the platform's.
 */
export function combineVantagePoints(wanted: DesiredDns, here: VantagePointView, remote: readonly Point[]): DnsVerdict {
  const points = [{ name: localName, view: here }, ...remote.toSorted((a, b) => (a.name < b.name ? -1 : 1))];
  const decided = {
    routing: decide('routing', points),
    ownership: decide('ownership', points),
    caa: decideCaa(points),
  };
  const { routing, ownership, caa } = decided;
  const shown = (routing.speaker?.view ?? here).verdict;
  return Object.freeze({
    ...shown,
    routing: { ...routing.verdict, by: provenBy(routing.verdict, points) },
    ownership: ownership.verdict,
    caa: caa.verdict,
    // Each alone proved routing and ownership, with two servers wherever there are two.
    corroborated: points.filter(({ view }) => view?.verdict.corroborated).length >= majorityOf(points),
    issues: [...issuesOf(wanted, decided, points), ...here.issues.warnings],
    targetAddresses: here.verdict.targetAddresses,
    needsToken: here.verdict.needsToken,
  });
}

const majorityOf = (points: readonly Point[]): number => Math.floor(points.length / 2) + 1;

const saying = (points: readonly Point[], question: Question, answer: Verdict['verdict']): readonly Point[] =>
  points.filter(({ view }) => view?.verdict[question].verdict === answer);

function decide(question: Question, points: readonly Point[]): Decided {
  const [yes, no] = [saying(points, question, 'yes'), saying(points, question, 'no')];
  const deciding = [yes, no].find((group) => group.length >= majorityOf(points));
  if (deciding) return spokenBy(question, deciding);
  if (yes.length > 0 && no.length > 0) return undecided('VantagePointsDisagree');
  const silent = points.filter(({ view }) => view === null).length;
  const definite = Math.max(yes.length, no.length);
  if (definite > 0 && definite + silent >= majorityOf(points)) return undecided('VantagePointSilent');
  return spokenBy(question, saying(points, question, 'unknown'));
}

/** Without a request for CAA nobody was asked, so nobody is missing. */
function decideCaa(points: readonly Point[]): Decided {
  const [local] = points;
  const wasAsked = local?.view?.verdict.caa.code !== 'NotAsked';
  return wasAsked ? decide('caa', points) : { verdict: { verdict: 'yes', code: 'NotAsked' }, speaker: null };
}

const undecided = (code: Verdict['code']): Decided => ({ verdict: { verdict: 'unknown', code }, speaker: null });

/** The local vantage point speaks if it is among those that agree; otherwise the one with the first code in the table. */
function spokenBy(question: Question, points: readonly Point[]): Decided {
  const ranked = points.toSorted((a, b) => (keyOf(a, question) < keyOf(b, question) ? -1 : 1));
  const speaker = points.find(({ name }) => name === localName) ?? ranked[0];
  const found = speaker?.view?.verdict[question];
  if (!speaker || !found) return undecided('NoUsableAnswer');
  return { verdict: { verdict: found.verdict, code: found.code }, speaker };
}

function keyOf({ name, view }: Point, question: Question): string {
  return `${view ? rankOf(view.verdict[question]) : ''} ${name}`;
}

/** A yes is by the strongest proof that a majority has at least: target, addresses, token. It is not switched where one place still sees a delegation. */
function provenBy({ verdict }: Verdict, points: readonly Point[]): DnsVerdict['routing']['by'] {
  if (verdict !== 'yes') return null;
  const found = points.map(({ view }) => view?.verdict.routing.by ?? null);
  const countOf = (...proofs: readonly (string | null)[]) => found.filter((by) => proofs.includes(by)).length;
  if (countOf('target') >= majorityOf(points)) return 'target';
  if (countOf('delegation') > 0) return 'delegation';
  return countOf('target', 'addresses') >= majorityOf(points) ? 'addresses' : 'token';
}

/** The issues of what is not yes, then where places contradict each other; warnings, of a minority, after all errors. */
function issuesOf(
  wanted: DesiredDns,
  decided: Readonly<Record<Question, Decided>>,
  points: readonly Point[],
): readonly DnsIssue[] {
  const own = questions.flatMap((question) => {
    const { verdict, speaker } = decided[question];
    if (verdict.verdict === 'yes') return [];
    if (verdict.code === 'VantagePointSilent') return [silentIssue(wanted, points)];
    return speaker?.view?.issues[question] ?? [];
  });
  const contested = questions.filter((question) => isContested(question, points));
  const disagreements = contested.map((question) => {
    const isOpen = decided[question].verdict.code === 'VantagePointsDisagree';
    return disagreementIssue(wanted, { question, severity: isOpen ? 'Error' : 'Warning' }, points);
  });
  const undecidedFirst = decided.routing.verdict.code === 'VantagePointsDisagree';
  const found = undecidedFirst ? [...disagreements, ...own] : [...own, ...disagreements];
  return eachOnce([...found.filter((one) => !isWarning(one)), ...found.filter(isWarning)], ({ message }) => message);
}

/** Where the target alone is proof, ownership has the verdict of routing at every place, and is not told twice. */
function isContested(question: Question, points: readonly Point[]): boolean {
  const isRouting = ({ view }: Point) => view?.verdict.ownership.code === view?.verdict.routing.code;
  if (question === 'ownership' && points.every(isRouting)) return false;
  return (['yes', 'no'] as const).every((answer) => saying(points, question, answer).length > 0);
}

/** How many records of one vantage point an issue shows. */
const shownRecords = 3;
const shownCharacters = 160;

/** What each vantage point found, where they contradict each other; a warning where most of them agree. */
function disagreementIssue(
  { hostname }: DesiredDns,
  { question, severity }: { readonly question: Question; readonly severity: DnsIssue['severity'] },
  points: readonly Point[],
): DnsIssue {
  const name = question === 'ownership' ? (challengeName(hostname) ?? hostname) : hostname;
  const servers = points.map((point) => ({ server: point.name, address: '', answer: answerOf(point, question, name) }));
  return issue('VantagePointsDisagree', { name }, { act: 'AnswerAlikeEverywhere', severity, servers });
}

/** Which vantage points gave no usable answer, where that leaves the verdict open. */
function silentIssue({ hostname: name }: DesiredDns, points: readonly Point[]): DnsIssue {
  const silent = points.filter(({ view }) => view === null);
  const servers = silent.map((point) => ({ server: point.name, address: '', answer: 'no result' }));
  return issue('VantagePointSilent', { name }, { act: 'WaitForPlatform', servers });
}

function answerOf({ view }: Point, question: Question, name: string): string {
  if (view === null) return 'no result';
  const { verdict } = view;
  const records = question === 'caa' ? [] : verdict.discovered.filter((record) => record.name === name);
  const shown = records.slice(0, shownRecords).map(({ type, value }) => `${type} ${value}`);
  const { code } = verdict[question];
  return shown.length === 0 ? code : `${code}, ${shown.join(', ').slice(0, shownCharacters)}`;
}
