import type { IssueAct } from '../../rules/issue-acts.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import type { DnsFacts, NameFacts, SourceView, UnknownCause, DnsOutcome } from '../dns-facts.ts';
import type { ObservedType } from '../observed-records.ts';
import { followedNames } from '../observed-records.ts';
import type { IssueSubject, RecordChanges } from './dns-issue.ts';
import { isOwners, issueAt } from './dns-issue.ts';
import type { DnsIssue, Verdict } from './dns-verdict.ts';
import type { TypedQuestion } from './server-answers.ts';
import { causesOf, failingTypes, isLame, isLameOutcome, isRead, reportOf, unansweredName } from './server-answers.ts';

/** Where a verdict comes from: the name and types that were queried, and how facts are evaluated by them. */
export interface VerdictQuestion extends TypedQuestion {
  readonly evaluate: (facts: DnsFacts) => Verdict;
  /** what to change when a set of these types at a name has more records than a check reads */
  readonly tooLarge: (name: string) => RecordChanges;
}

/** Nothing is wrong with the records as far as anybody can tell: the issue is about the servers. */
export function serverIssues(subject: IssueSubject, code: DnsCode, question: VerdictQuestion): DnsIssue {
  return code === 'ServersDisagree' ? disagreement(subject, question) : silence(subject, code, question);
}

/**
 * The servers of a name that give different answers, each with what it says. Where a view alone would be a yes, the
 * records are right, and only the other servers are behind.
 */
function disagreement(subject: IssueSubject, { start, types, evaluate }: VerdictQuestion): DnsIssue {
  const { facts } = subject;
  const evaluated = [...followedNames(facts, start, types)]
    .flatMap((name) => facts.names[name] ?? [])
    .map((at) => ({ at, views: at.authorities.map((view) => ({ view, ...evaluate(alone(facts, at, view)) })) }));
  const isDisputed = ({ views }: (typeof evaluated)[number]) => isAmong(views, 'yes') && isAmong(views, 'no');
  const disputed = evaluated.find(isDisputed);
  if (!disputed) return issueAt(subject, 'ServersDisagree', { name: start, act: 'MakeServersAgree' });
  const behind = disputed.views.filter(({ verdict }) => verdict === 'no').map(({ view }) => view);
  const definite = disputed.views.filter(({ verdict }) => verdict !== 'unknown').map(({ view }) => view);
  const servers = [...behind, ...definite.filter((view) => !behind.includes(view))];
  const names = behind.map((view) => reportOf(view, types).server).slice(0, mostNamed);
  return issueAt(subject, 'ServersDisagree', {
    name: disputed.at.name,
    params: { behind: names.join(', ') },
    act: 'WaitForServers',
    servers: servers.map((view) => reportOf(view, types)),
  });
}

/** How many servers a sentence names. */
const mostNamed = 6;

const isAmong = (views: readonly Verdict[], word: Verdict['verdict']): boolean =>
  views.some(({ verdict }) => verdict === word);

const alone = (facts: DnsFacts, at: NameFacts, view: SourceView): DnsFacts => ({
  ...facts,
  names: { ...facts.names, [at.name]: { ...at, authorities: [view] } },
});

/** Why the servers of a name, or of a name that its aliases lead to, gave no usable answer, and who has to act. */
function silence(subject: IssueSubject, code: DnsCode, { start, types, tooLarge }: VerdictQuestion): DnsIssue {
  const { facts } = subject;
  const failed = unansweredName(facts, { start, types }) ?? facts.names[start];
  const views = failed?.authorities ?? [];
  if (failed === undefined || views.length === 0) return unreached(subject, code, failed?.name ?? start);
  const { name } = failed;
  const servers = views.map((view) => reportOf(view, types));
  if (isTooLarge(facts, name, types)) return issueAt(subject, code, { ...tooLarge(name), name, servers });
  if (code === 'TypeUnanswered') {
    const params = { types: failingTypes(failed, types).join(', ') };
    return issueAt(subject, code, { name, params, act: 'AskAboutType', servers });
  }
  const act = isOwners(subject, name) ? actFor(views.map((view) => causesOf(view, types))) : 'AskDnsHost';
  return issueAt(subject, code, { name, act, servers });
}

/**
 * Nobody could be asked about a name. Of the customer's own domain that is a matter of the registrar, unless the check has read the domain's zone:
 * then it is a zone further down, or somebody else's, that leads nowhere.
 */
function unreached(subject: IssueSubject, code: DnsCode, name: string): DnsIssue {
  const { facts } = subject;
  const isZoneRead = Object.values(facts.names).some((at) => isOwners(subject, at.name) && isRead(facts, at));
  const act = isOwners(subject, name) && !isZoneRead ? 'CheckRegistration' : 'AskDnsHost';
  return issueAt(subject, code, { name, act });
}

/** Did a server send more records than a check reads, as opposed to a check that had no packets left? */
const isTooLarge = ({ asked }: DnsFacts, name: string, types: readonly ObservedType[]): boolean =>
  asked.some(
    ({ question, outcome }) => outcome === 'bounds-exceeded' && types.some((type) => question === `${name} ${type}`),
  );

/** One act, for what most can be done about. */
function actFor(views: readonly (readonly UnknownCause[])[]): IssueAct {
  const found = new Set(views.flat());
  if (found.has('address-not-allowed') && found.size === 1) return 'UsePublicAddresses';
  return views.every(isLame) ? 'EnterNameServers' : 'AskDnsHost';
}

/** One lost packet is no silence: so many questions have to have been in vain. */
const enoughQuestions = 2;

/** Servers of the hostname's zone that answered nothing in this check, while others decided. */
export function silentServers(subject: IssueSubject): readonly DnsIssue[] {
  const { facts, wanted } = subject;
  const views = facts.names[wanted.hostname]?.authorities ?? [];
  const silent = views.filter((view) => saysNothing(view) && isSilent(facts, view.source));
  if (silent.length === 0 || silent.length === views.length) return [];
  const isAllLame = silent.every(({ source }) => outcomesBy(facts, source).every(isLameOutcome));
  return [
    issueAt(subject, 'SomeServersSilent', {
      severity: 'Warning',
      act: isAllLame ? 'EnterNameServers' : 'AskAboutSilence',
      servers: silent.map((view) => reportOf(view, ['A', 'AAAA'])),
    }),
  ];
}

const isUnknown = ({ kind }: DnsOutcome): boolean => kind === 'unknown';

/** Nothing was answered about this name. Whoever answered it needs no look at the other names. */
const saysNothing = ({ outcomes }: SourceView): boolean => Object.values(outcomes).every(isUnknown);

function isSilent(facts: DnsFacts, source: string): boolean {
  const outcomes = outcomesBy(facts, source);
  return outcomes.length >= enoughQuestions && outcomes.every(isUnknown);
}

const outcomesBy = ({ names }: DnsFacts, wanted: string): readonly DnsOutcome[] =>
  Object.values(names)
    .flatMap(({ authorities }) => authorities.filter(({ source }) => source === wanted))
    .flatMap(({ outcomes }) => Object.values(outcomes));
