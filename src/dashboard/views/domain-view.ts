import { isKnownReason } from '../../rules/next-step.ts';
import { statusForCustomer } from '../../use-cases/domain-view.ts';
import { bothForms } from '../../use-cases/unicode-hostname.ts';
import { paths } from '../dashboard-page.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { RecordRow } from '../record-rows.ts';
import { recordRows } from '../record-rows.ts';
import { statusKey } from '../verify-notice.ts';
import type { ViewContext } from '../view-context.ts';
import type { DomainModel } from '../view-models.ts';
import { detailsSection } from './details-view.ts';
import { exactTime, nothing, sentence, statusPill, trail } from './elements.ts';
import { explanationOf, stepOf } from './explanation.ts';
import { recordsSection } from './records-view.ts';
import type { DomainStep } from './step-view.ts';
import {
  addsToStep,
  lastingHint,
  primaryAction,
  stepSentence,
  endsWithCheck,
  removeLink,
  verifyForm,
} from './step-view.ts';
import { timelineSection } from './timeline-view.ts';

/** A domain's page: its status and the next step, the records, then everything else. */
export const domainMain = (view: ViewContext, model: DomainModel): Html =>
  html`${trail(view, model.project.name)}${domainPanel(view, model)}`;

/** The part of the page that is updated live; the script replaces it section by section. */
export function domainPanel(view: ViewContext, model: DomainModel): Html {
  const rows = recordRows(model.domain, model.dnsHost);
  return html`<div id="panel" data-hostname="${model.domain.hostname}" data-name="${bothForms(model.domain.hostname)}">
    ${stateSection(view, model, rows)} ${checkedLine(view, model)}
    ${rows.length > 0 && recordsSection(view, model, rows)} ${detailsSection(view, model)}
    ${timelineSection(view, model)}
  </div>`;
}

/** When DNS was checked, and for the script which request that answered and what it came to. */
function checkedLine(view: ViewContext, model: DomainModel): Html {
  const { words } = view;
  const { domain, isVerifyAhead, version } = model;
  const status = words.text(`status.${statusForCustomer(model)}`);
  const said = isVerifyAhead
    ? words.say('done.verify')
    : domain.checkedAt === null
      ? nothing
      : words.say('domain.checked', { time: exactTime(view, domain.checkedAt) });
  return html`<p
    class="small checked"
    id="checked"
    data-version="${String(version)}"
    data-ahead="${String(isVerifyAhead)}"
    data-key="${statusKey(domain)}"
    data-status="${status}"
  >
    ${said}
  </p>`;
}

/** The message says more than the help for its reason: an administrator wrote it, or another version of the operator. */
const hasOwnWords = (reason: string): boolean => reason === 'SuspendedByAdministrator' || !isKnownReason(reason);

function stateSection(view: ViewContext, model: DomainModel, rows: readonly RecordRow[]): Html {
  const { words } = view;
  const { domain } = model;
  const { title, meaning, todo, symptom } = explanationOf(view, model);
  const step = stepOf(model);
  const status = statusForCustomer(model);
  return html`<section class="card state" id="state" aria-labelledby="state-title">
    <h2 id="state-title">
      ${statusPill(view, status)} ${title !== words.text(`status.${status}`) && html`<span>${title}</span>`}
    </h2>
    <div class="next">
      <p class="step">${stepSentence(view, model, { step, rows, todo })}</p>
      <div class="actions">
        ${step.kind !== null && html`<div class="primary">${primaryAction(view, model, step)}</div>`}
        ${domainMenu(view, model, step)}
      </div>
    </div>
    <p>${meaning}</p>
    ${addsToStep(model, step) && html`<p>${todo}</p>`} ${lastingHint(view, model, step)}
    ${hasOwnWords(domain.reason) && html`<p>${sentence(view, domain.message)}</p>`}
    ${
      symptom === undefined
        ? nothing
        : html`<p class="small">
            <a href="/dashboard/help#${symptom}"
              >${words.say('domain.help', { title: words.chapters[symptom].title })}</a
            >
          </p>`
    }
  </section>`;
}

/** Everything that can be done with a domain beside the primary action, and nothing that would be refused. */
function domainMenu(view: ViewContext, model: DomainModel, step: DomainStep): Html {
  const { words } = view;
  const { project, domain, choices } = model;
  const here = paths.domain(project.name, domain.hostname);
  const link = (
    to: 'primary' | 'redirect',
    label: 'act.make-primary' | 'act.change-destination' | 'act.make-redirect',
  ) => html`<a class="button" href="${here}/${to}">${words.say(label)}</a>`;
  const redirects = step.kind !== 'make-redirect' && step.kind !== 'change-destination';
  const items: readonly Html[] = [
    // A Pending domain waits for something other than DNS: there is nothing to verify.
    ...(domain.state === 'Pending' || endsWithCheck(step) ? [] : [verifyForm(view, model, '')]),
    ...(choices.canBePrimary ? [link('primary', 'act.make-primary')] : []),
    ...(redirects && choices.destinations.length > 0
      ? [link('redirect', domain.role === 'redirect' ? 'act.change-destination' : 'act.make-redirect')]
      : []),
    ...(step.kind === 'remove' ? [] : [removeLink(view, model, '')]),
  ];
  if (items.length === 0) return nothing;
  return html`<details class="menu" id="menu">
    <summary class="button">${words.say('act.menu')}</summary>
    <div class="items">${items}</div>
  </details>`;
}
