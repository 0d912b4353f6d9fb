import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { ProblemView } from '../notice.ts';
import { paths } from '../dashboard-page.ts';
import type { ViewContext } from '../view-context.ts';
import { nothing } from './elements.ts';
import { problemWords } from './problem-words.ts';

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
      <a class="button main" href="${next}">${label}</a> ${isOutOfBudget ? retry(view, problem, isForm) : nothing}
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
    ${isForm ? html`data-back` : nothing}
    hidden
  >
    ${words.say('problem.try-again')}
  </button>`;
