import type { NextStep } from '../../rules/next-step.ts';
import type { StepKind, HelpText } from '../../rules/codes/code-rows.ts';
import { nextStepOf } from '../../rules/next-step.ts';
import { stepContextOf } from '../../use-cases/domain-view.ts';
import type { DomainView } from '../../use-cases/domain-view.ts';
import type { IssueView } from '../../use-cases/issue-view.ts';
import { paths } from '../dashboard-page.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { RecordRow } from '../record-rows.ts';
import { stepCount } from '../record-rows.ts';
import type { ViewContext } from '../view-context.ts';
import type { DomainModel } from '../view-models.ts';
import { bareTime, csrfField, linked, nothing, support, time } from './elements.ts';

export type DomainStep = NextStep<IssueView>;

const checking: readonly (StepKind | null)[] = ['records', 'delete-records', 'caa', 'verify'];

/** Whether the step ends with a check of DNS. */
export const endsWithCheck = ({ kind }: DomainStep): boolean => checking.includes(kind);

/** The word for a check of DNS: again, once the records were found. */
export const verifyLabel = ({ words }: ViewContext, state: DomainView['state']): Content =>
  words.say(state === 'Unverified' || state === 'Suspended' ? 'act.verify' : 'act.re-verify');

interface Told {
  readonly step: DomainStep;
  readonly rows: readonly RecordRow[];
  /** of the reason that the page explains */
  readonly todo: HelpText['todo'];
}

/** What the customer has to do, in a sentence; or who acts instead, and until when. */
export function stepSentence(view: ViewContext, model: DomainModel, { step, rows, todo }: Told): Content {
  const { words } = view;
  const button = html`<strong>${verifyLabel(view, model.domain.state)}</strong>`;
  switch (step.kind) {
    case null:
      return waitSentence(view, model, { step, rows });
    case 'records':
    case 'delete-records':
      return changeSentence(view, rows, button);
    case 'caa':
      return words.say(rows.some(({ act, type }) => act === 'Add' && type === 'CAA') ? 'step.caa' : 'step.caa-open', {
        button,
      });
    case 'verify':
      return words.say(verifyKey(model, step), { button });
    default:
      return isOfReason(step) ? todo : words.say(`step.${step.kind}`);
  }
}

/**
 * Whether what the reason asks for is the step itself: then its sentence is the step's, and is not said again below. Remove may be all that is
 * left where the reason asks for something else.
 */
const isOfReason = ({ kind, issue }: DomainStep): boolean => issue === null && kind !== 'remove';

/** Whether the reason asks for something that the step's own sentence leaves open: where, or what to look at first. */
export function addsToStep(model: DomainModel, { kind, actor, issue }: DomainStep): boolean {
  if (issue !== null) return false;
  if (kind === 'remove') return nextStepOf(model.domain, stepContextOf(model)).kind === kind;
  return kind === 'verify' && actor !== 'Owner';
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

function waitSentence(
  view: ViewContext,
  { domain }: DomainModel,
  { step: { actor, until }, rows }: Pick<Told, 'step' | 'rows'>,
): Content {
  const { words } = view;
  if (domain.reason === 'SuspendedByAdministrator') return words.say('wait.administrator', { support: support(view) });
  if (domain.reason === 'ParentDeleted') return words.say('wait.parent', { support: support(view) });
  const count = rows.filter(({ act }) => act === 'Add').length;
  // The records of a domain that is Pending may be added, and nothing waits for them.
  if (count > 0 && actor !== 'DnsHost' && domain.state !== 'Pending') return words.say('wait.records', { count });
  if (actor === 'Nobody') {
    if (domain.certificate === null) return words.say('wait.Nobody');
    const { notAfter, source } = domain.certificate;
    return source === 'own'
      ? words.say('wait.Nobody-own', { time: time(view, notAfter) })
      : words.say('wait.Nobody-at', { time: bareTime(view, notAfter) });
  }
  const who = actor === 'DnsHost' || actor === 'Authority' ? actor : 'Platform';
  return until === null ? words.say(`wait.${who}`) : words.say(`wait.${who}-at`, { time: time(view, until) });
}

/** Whom to tell if the platform does not continue. */
export const lastingHint = ({ words, brand }: ViewContext, { domain }: DomainModel, { actor }: DomainStep): Html =>
  actor === 'Platform' && domain.state !== 'Suspended' && brand.supportUrl !== null
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
    <button id="verify" class="${name}">${verifyLabel(view, model.domain.state)}</button>
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
