import type { Scope } from '../../rules/api-key-format.ts';
import { scopes } from '../../rules/api-key-format.ts';
import { paths } from '../dashboard-page.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { ProblemView } from '../notice.ts';
import type { ViewContext } from '../view-context.ts';
import { time } from './elements.ts';

interface ProblemWords {
  readonly title: string;
  /** what to do */
  readonly detail: Content;
}

/** The words for a problem: those of its reason, of what is missing, or of its code. */
export function problemWords(view: ViewContext, problem: ProblemView): ProblemWords {
  const { words } = view;
  const { code, members } = problem;
  if (typeof members.reason === 'string') {
    const { title, todo } = words.help('Pending', members.reason);
    return { title, detail: todo };
  }
  const missing = missingTitle(view, members);
  if (missing !== null) return { title: missing, detail: words.problems['not-found'].todo };
  return { title: words.problems[code].title, detail: detailOf(view, problem) };
}

function missingTitle({ words }: ViewContext, { missing, name }: ProblemView['members']): string | null {
  if (typeof name !== 'string') return null;
  if (missing === 'project') return words.text('problem.no-project', { name });
  if (missing === 'domain') return words.text('problem.no-domain', { name });
  return missing === 'key' ? words.text('problem.no-key', { name }) : null;
}

const isScope = (scope: unknown): scope is Scope => scopes.some((known) => known === scope);

const isField = (field: unknown): field is 'name' | 'scopes' | 'expiresAt' | 'hostname' =>
  field === 'name' || field === 'scopes' || field === 'expiresAt' || field === 'hostname';

/** The first field of a form that was refused. */
function fieldOf({ errors }: ProblemView['members']): unknown {
  const [first] = Array.isArray(errors) ? (errors as readonly { readonly pointer?: string }[]) : [];
  return first?.pointer?.split('/')[1];
}

function detailOf(view: ViewContext, { code, detail, members }: ProblemView): Content {
  const { words } = view;
  const { scope, until, setting } = members;
  if (code === 'scope-missing' && isScope(scope))
    return words.say('problem.scope-missing-scope', { scope: words.text(`scope.${scope}`) });
  if (code === 'cross-site' && typeof setting === 'string') return words.say('problem.cross-site-setting', { setting });
  if (code === 'quota-exceeded') return [whenAgain(view, members), ' ', words.problems[code].todo];
  if (code === 'abnormal-usage-detected' && typeof until === 'string')
    return words.say('problem.abnormal-usage-detected-until', { at: time(view, until) });
  if (code !== 'malformed-request') return words.problems[code].todo;
  const field = fieldOf(members);
  return isField(field) ? words.say(`field.${field}`) : [words.problems[code].todo, ` (${detail})`];
}

/** Why something was refused and what to do, within a page about something else; with the code. */
export function refusalText(view: ViewContext, problem: ProblemView): Html {
  const { title, detail } = problemWords(view, problem);
  return html`<strong>${title}.</strong> ${detail} <code>${problem.code}</code>`;
}

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

interface Failure {
  readonly problem: ProblemView;
  readonly requestId: string;
  /** a form was refused: trying again begins at the page that has it */
  readonly isForm?: boolean;
}

/** What to do about a problem, and where to continue. Its title is the page's heading. */
export function problemMain(view: ViewContext, { problem, requestId, isForm = false }: Failure): Html {
  const { words } = view;
  const quote = words.say('problem.quote', {
    code: html`<code>${problem.code}</code>`,
    request: html`<code>${requestId}</code>`,
  });
  // Other pages would be refused as well.
  const isOutOfBudget = problem.code === 'quota-exceeded';
  const [next, label] = isOutOfBudget
    ? [paths.plan, words.text('plan.title')]
    : [paths.projects, words.say('problem.back')];
  return html`<section class="card" aria-label="${words.say('problem.label')}">
    <p role="alert">${problemWords(view, problem).detail}</p>
    <p class="actions">
      <a class="button main" href="${next}">${label}</a> ${isOutOfBudget && retry(view, problem, isForm)}
    </p>
    <p class="hint">${words.say('problem.hint')}</p>
    <p class="small">${quote}</p>
  </section>`;
}

/** Waits for its time, and for the script; without it the sentence above says when. */
const retry = ({ words }: ViewContext, { members }: ProblemView, isForm: boolean): Html =>
  html`<button
    type="button"
    id="retry"
    data-wait="${String(Number(members.retryAfter ?? 1) || 1)}"
    ${isForm && html`data-back`}
    hidden
  >
    ${words.say('problem.try-again')}
  </button>`;
