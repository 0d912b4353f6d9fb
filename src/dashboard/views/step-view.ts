import type { NextStep, StepKind } from '../../help/next-step.ts';
import type { IssueView } from '../../use-cases/issue-view.ts';
import { paths } from '../dashboard-page.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { RecordRow } from '../record-rows.ts';
import { stepCount } from '../record-steps.ts';
import type { ViewContext } from '../view-context.ts';
import type { DomainModel } from '../view-models.ts';
import { csrfField, linked, nothing, time } from './elements.ts';

export type DomainStep = NextStep<IssueView>;

const checking: readonly (StepKind | null)[] = ['records', 'delete-records', 'caa', 'verify'];

/** Whether the step ends with a check of DNS. */
export const endsWithCheck = ({ kind }: DomainStep): boolean => checking.includes(kind);

/** The word for a check of DNS: again, once the records were found. */
const verifyLabel = ({ words }: ViewContext, { domain }: DomainModel): Content =>
  words.say(domain.state === 'Unverified' || domain.state === 'Suspended' ? 'act.verify' : 'act.re-verify');

/** What the customer has to do, in a sentence; or who acts instead, and until when. */
export function stepSentence(
  view: ViewContext,
  model: DomainModel,
  { step, rows }: { readonly step: DomainStep; readonly rows: readonly RecordRow[] },
): Content {
  const { words } = view;
  const button = html`<strong>${verifyLabel(view, model)}</strong>`;
  switch (step.kind) {
    case null:
      return waitSentence(view, model, step);
    case 'records':
    case 'delete-records':
      return changeSentence(view, rows, button);
    case 'caa':
      return words.say('step.caa', { button });
    case 'verify':
      return words.say(verifyKey(model, step), { button });
    default:
      return words.say(`step.${step.kind}`);
  }
}

function changeSentence({ words }: ViewContext, rows: readonly RecordRow[], button: Content): Content {
  const steps = stepCount(rows);
  if (steps !== null) return words.say('step.steps', { count: steps, button });
  const added = rows.filter(({ act }) => act === 'Add').length;
  const deleted = rows.filter(({ act }) => act === 'Delete').length;
  if (added > 0 && deleted > 0) return words.say('step.replace', { button });
  if (deleted > 0) return words.say('step.delete', { count: deleted, button });
  return added > 0 ? words.say('step.add', { count: added, button }) : words.say('step.check', { button });
}

function verifyKey({ domain, checksEnded }: DomainModel, { actor, issue }: DomainStep) {
  if (actor === 'Registrar' || actor === 'Cdn') return `step.verify-${actor}` as const;
  if (issue !== null) return 'step.verify-Owner';
  return domain.state === 'Suspended' || checksEnded ? 'step.ask-again' : 'step.verify-now';
}

function waitSentence(view: ViewContext, { domain }: DomainModel, { actor, until }: DomainStep): Content {
  const { words } = view;
  if (actor === 'Nobody') {
    if (domain.certificate === null) return words.say('wait.Nobody');
    const { notAfter, source } = domain.certificate;
    return words.say(source === 'own' ? 'wait.Nobody-own' : 'wait.Nobody-at', { time: time(view, notAfter) });
  }
  const who = actor === 'DnsHost' || actor === 'Authority' ? actor : 'Platform';
  return until === null ? words.say(`wait.${who}`) : words.say(`wait.${who}-at`, { time: time(view, until) });
}

/** Whom to tell if the platform does not continue. */
export const lastingHint = ({ words, brand }: ViewContext, { actor }: DomainStep): Html =>
  actor === 'Platform' && brand.supportUrl !== null
    ? html`<p class="hint">
        ${words.say('wait.lasting', { support: linked(brand.supportUrl, words.say('wait.support')) })}
      </p>`
    : nothing;

/** The one action that ends the state; nothing where the customer cannot end it. */
export function primaryAction(view: ViewContext, model: DomainModel, step: DomainStep): Html {
  const { words } = view;
  const here = paths.domain(model.project.name, model.domain.hostname);
  switch (step.kind) {
    case null:
      return nothing;
    case 'replace-certificate':
      return automaticForm(view, here);
    case 'records':
    case 'delete-records':
    case 'caa':
    case 'verify':
      return verifyForm(view, model, 'main');
    case 'upgrade':
      return upgradeLink(view);
    case 'deploy':
      return link(here, words.say('act.deployed'));
    case 'make-redirect':
      return redirectAction(view, model);
    case 'change-destination':
      return link(`${here}/redirect`, words.say('act.change-destination'));
    case 'remove':
      return removeLink(view, model, 'main');
  }
}

/** Requests a check of DNS. */
export const verifyForm = (view: ViewContext, model: DomainModel, name: 'main' | ''): Html =>
  html`<form method="post" action="${paths.domain(model.project.name, model.domain.hostname)}/verify">
    ${csrfField(view)}
    <button id="verify" class="${name}">${verifyLabel(view, model)}</button>
  </form>`;

const link = (href: string, label: Content): Html => html`<a class="button main" href="${href}">${label}</a>`;

const upgradeLink = ({ words, brand }: ViewContext): Html =>
  brand.upgradeUrl === null
    ? link('/dashboard/plan', words.say('act.plans'))
    : link(brand.upgradeUrl, words.say('act.upgrade'));

const automaticForm = (view: ViewContext, here: string): Html =>
  html`<form method="post" action="${here}/automatic-certificates">
    ${csrfField(view)}
    <button class="main">${view.words.say('act.automatic')}</button>
  </form>`;

/** Leads to the question before a domain is removed; the script asks it in a dialog. */
export const removeLink = ({ words }: ViewContext, { project, domain }: DomainModel, name: 'main' | ''): Html =>
  html`<a
    class="button ${name}"
    id="ask-remove"
    href="${paths.domain(project.name, domain.hostname)}/remove"
    data-dialog
    >${words.say('act.remove')}</a
  >`;

/** At once where no visitor is led elsewhere by it; otherwise after a question. */
function redirectAction(view: ViewContext, { project, domain, choices }: DomainModel): Html {
  const { words } = view;
  const [to] = choices.destinations;
  const action = `${paths.domain(project.name, domain.hostname)}/redirect`;
  const label = words.say('act.make-redirect');
  if (domain.state !== 'Pending' || to === undefined) return html`<a class="button main" href="${action}">${label}</a>`;
  return html`<form method="post" action="${action}">
    ${csrfField(view)}
    <input type="hidden" name="to" value="${to}" />
    <input type="hidden" name="status" value="301" />
    <button class="main">${label}</button>
  </form>`;
}
