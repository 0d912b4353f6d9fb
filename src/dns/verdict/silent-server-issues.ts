import type { DnsFacts, DnsOutcome, SourceView, UnknownCause } from '../dns-facts.ts';
import { issue } from './dns-issue.ts';
import type { DnsIssue } from './dns-verdict.ts';
import type { IssueSubject } from './issue-subject.ts';
import { placeOf } from './issue-subject.ts';
import { isLame, reportOf } from './server-answers.ts';

/** One lost packet is no silence: so many questions have to have been in vain. */
const enoughQuestions = 2;

/** Servers of the hostname's zone that answered nothing in this check, while others decided. */
export function silentServers(subject: IssueSubject): readonly DnsIssue[] {
  const { facts, wanted } = subject;
  const views = facts.names[wanted.hostname]?.authorities ?? [];
  const silent = views.filter((view) => saysNothing(view) && isSilent(facts, view.source));
  if (silent.length === 0 || silent.length === views.length) return [];
  const isAllLame = silent.every(({ source }) => isLame(causesAt(facts, source)));
  return [
    issue('SomeServersSilent', placeOf(subject, wanted.hostname), {
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
  const outcomes = viewsBy(facts, source).flatMap((view) => Object.values(view.outcomes));
  return outcomes.length >= enoughQuestions && outcomes.every(isUnknown);
}

const causesAt = (facts: DnsFacts, source: string): readonly UnknownCause[] =>
  viewsBy(facts, source).flatMap(({ outcomes }) =>
    Object.values(outcomes).flatMap((outcome) => (outcome.kind === 'unknown' ? [outcome.cause] : [])),
  );

const viewsBy = ({ names }: DnsFacts, wanted: string): readonly SourceView[] =>
  Object.values(names).flatMap(({ authorities }) => authorities.filter(({ source }) => source === wanted));
