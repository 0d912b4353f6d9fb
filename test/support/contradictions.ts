import type { PageFacts } from './page-facts.ts';
import { recordContradictions } from './record-contradictions.ts';
import { fitsStatus, statusNames } from './status-titles.ts';
import { timeContradictions } from './time-contradictions.ts';

/** What is known beside the page. */
export interface Around {
  /** the server's clock, where it is not the browser's; milliseconds since the Unix epoch */
  readonly now?: number;
  /** of the project whose page it is */
  readonly target?: string;
}

/** In what a page says, what cannot all be true: targets, dates, states, counts or values that differ. */
export const contradictions = (facts: PageFacts, around: Around = {}): readonly string[] => [
  ...titles(facts),
  ...status(facts),
  ...steps(facts),
  ...recordContradictions(facts),
  ...targets(facts, around),
  ...timeContradictions(facts, around.now ?? facts.now),
  ...list(facts),
  ...counts(facts),
  ...bulk(facts),
  ...others(facts),
];

function* titles({ heading, title }: PageFacts) {
  if (heading !== '' && !title.includes(heading)) yield `the window is called "${title}", the page "${heading}"`;
}

function* status({ status: pill, headline, timeline }: PageFacts) {
  if (pill === null) return;
  if (headline !== '' && !fitsStatus(headline, pill)) yield `"${pill}" beside "${headline}"`;
  const last = timeline.find(({ kind }) => kind === 'state');
  if (last && !fitsStatus(last.text, pill)) yield `"${pill}", but the timeline ends with "${last.text}"`;
}

function* steps({ status: pill, step, records }: PageFacts) {
  const changes = records.filter(({ act }) => act === 'add' || act === 'delete').length;
  const isDone = step.startsWith('Nothing to do');
  if (pill === statusNames.Live && (!isDone || changes > 0))
    yield `"${pill}" with ${changes} records to change: ${step}`;
  if (pill === statusNames.NeedsAction && isDone) yield `"${pill}", but: ${step}`;
}

/** A target with something behind it is what was found in DNS where a form had appended the zone. */
const withoutSlips = (named: readonly string[]): readonly string[] =>
  named.filter((one) => !named.some((other) => one.startsWith(`${other}.`)));

function* targets({ targets: found }: PageFacts, { target }: Around) {
  const named = withoutSlips(found);
  if (named.length > 1) yield `two targets: ${named.join(' and ')}`;
  if (target !== undefined && named.some((one) => one !== target))
    yield `the target of another project: ${named.join()}`;
}

function* list({ rows }: PageFacts) {
  for (const { hostname, status: pill, why, role } of rows) {
    if (why !== '' && !fitsStatus(why, pill)) yield `${hostname}: "${pill}" beside "${why}"`;
    if (role.includes(` to ${hostname} `)) yield `${hostname} redirects to itself`;
  }
}

function* counts({ rows, counts: told, filter, isOnePage }: PageFacts) {
  const { All: total, ...each } = told;
  if (total === undefined) return;
  if (Object.values(each).reduce((sum, count) => sum + count, 0) !== total) yield 'the counts do not add up';
  if (!isOnePage || filter === null) return;
  for (const [name, count] of Object.entries(each)) {
    const shown = rows.filter(({ status: pill }) => pill === name).length;
    if ((filter === 'All' || filter === name) && shown !== count)
      yield `${count} are "${name}" by the filter, ${shown} in the list`;
  }
}

function* bulk({ bulk: plan }: PageFacts) {
  if (plan === null) return;
  for (const [text, going, total] of plan.said.matchAll(/(\d+)(?: of (\d+))?/g)) {
    if (Number(going) !== plan.sends) yield `"${text}", but ${plan.sends} are sent`;
    if (total !== undefined && Number(total) !== plan.lists) yield `"${text}", but ${plan.lists} are listed`;
  }
}

function* others({ limits, usage, ownKey }: PageFacts) {
  if (usage.some((limit) => !limits.includes(limit)))
    yield `limits of ${limits.join(' and ')}, but ${usage.join(' and ')}`;
  if (ownKey !== null && ownKey.includes('Last used Never')) yield 'the key of this session was never used';
}

/** What two pages say of the same domain: the row in its project's list, and its own page. */
export function differences(shown: PageFacts, own: PageFacts): readonly string[] {
  const row = shown.rows.find(({ hostname }) => hostname === own.heading);
  if (!row) return [`${own.heading} is not in the list`];
  const told = own.headline === '' ? own.status : own.headline;
  return [
    ...(row.status === own.status
      ? []
      : [`${row.hostname} is "${row.status}" in the list, "${own.status}" on its page`]),
    ...(row.why === '' || row.why === told ? [] : [`${row.hostname}: "${row.why}" in the list, "${told}" on its page`]),
  ];
}
