import type { Content } from '../html.ts';
import type { ProblemView } from '../notice.ts';
import type { ViewContext } from '../view-context.ts';
import { time } from './elements.ts';

const longestSeconds = 90;
const longestMinutes = 60;

/** When a refused request is worth another try, as a person says it: in seconds, in minutes, or at a time of the day. */
export function whenAgain(view: ViewContext, { retryAfter, retryAt }: ProblemView['members']): Content {
  const { words } = view;
  if (typeof retryAfter !== 'number') return words.say('again.moment');
  if (retryAfter <= longestSeconds) return words.say('again.seconds', { count: retryAfter });
  const minutes = Math.ceil(retryAfter / 60);
  if (minutes <= longestMinutes || typeof retryAt !== 'string') return words.say('again.minutes', { count: minutes });
  return words.say('again.at', { at: time(view, retryAt) });
}
