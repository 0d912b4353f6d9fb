import type { PageFacts, ShownTime } from './page-facts.ts';
import { statusNames } from './status-titles.ts';

/** Times on a page have no more than seconds, and a page is read a moment after it was written. */
const slackMs = 3_000;
const minuteMs = 60_000;
const dayMs = 86_400_000;

const earlier = /^(?:Automatic checks ended|Added|Last used|Created)|, since /;
const later =
  /^Next (?:automatic )?check|keep checking|older answer until|(?:check|authority) again|before |renews automatically|More come/;

const ms = (at: string | null | undefined): number => Date.parse(at ?? '');

/** What cannot all be true of the times on a page; `now` in milliseconds since the Unix epoch. */
export const timeContradictions = (facts: PageFacts, now: number): readonly string[] => [
  ...facts.times.flatMap((time) => [...written(time), ...told(time, now), ...expired(time, now)]),
  ...timeline(facts, now),
  ...certificate(facts, now),
];

function* written({ at, written: text, countedTo }: ShownTime) {
  const shown = ms(text.endsWith('UTC') ? text : `${text} UTC`);
  const precision = text.includes(':') ? minuteMs : dayMs;
  if (!(Math.abs(shown - ms(at)) < precision)) yield `"${text}" is not ${at}`;
  if (countedTo !== null && countedTo !== at) yield `${at} is counted down to ${countedTo}`;
}

function* told({ at, said }: ShownTime, now: number) {
  const isPast = earlier.test(said);
  if (isPast && ms(at) > now + slackMs) yield `in the future: ${said}`;
  if (!isPast && later.test(said) && ms(at) < now - slackMs) yield `in the past: ${said}`;
}

/** Of a key. */
function* expired({ at, said }: ShownTime, now: number) {
  if (!said.startsWith('Expires ')) return;
  const isExpired = said.includes('Expired');
  if (isExpired !== ms(at) < now) yield `${isExpired ? 'expired' : 'not expired'}: ${said}`;
}

function* timeline({ timeline: entries, details }: PageFacts, now: number) {
  const times = entries.map(({ at }) => ms(at));
  if (times.some((at) => at > now + slackMs)) yield 'the timeline tells of the future';
  if (times.some((at, index) => at > (times[index - 1] ?? Infinity))) yield 'the timeline is not in order';
  if (times.some((at) => at < ms(details.Added?.at) - slackMs)) yield 'the timeline begins before the domain was added';
}

function* certificate({ details, status, timeline: entries }: PageFacts, now: number) {
  const { at: ends = undefined } = details['Certificate expires'] ?? {};
  if (ends === undefined) return;
  const isServed = status === statusNames.Live || status === statusNames.AtRisk;
  if (isServed && !(ms(ends) > now)) yield `"${status}" without a certificate that is valid`;
  if (ms(ends) < ms(details.Added?.at)) yield 'the certificate ended before the domain was added';
  yield* issued(entries, ends);
}

function* issued(entries: PageFacts['timeline'], ends: string | null) {
  const last = entries.find(({ kind }) => kind === 'certificate');
  if (last && last.ends !== ends) yield `the certificate ends at ${ends}, and at ${last.ends}`;
  if (last && ms(last.ends) < ms(last.at)) yield 'the certificate ended before it was issued';
}
