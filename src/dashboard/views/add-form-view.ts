import type { AcceptedReason } from '../../rules/reasons.ts';
import type { AddTerms } from '../../use-cases/add-terms.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import { paths } from '../dashboard-page.ts';
import type { ViewContext } from '../view-context.ts';
import type { AddForm, AddingModel } from '../view-models.ts';
import { card, csrfField, domainName, outside, redirectStatuses, selectField, support } from './elements.ts';
import { platformAddress } from './platform-address.ts';
import { lookFragment } from './look-view.ts';
import { previewFragment } from './preview-view.ts';

/**
 * Adds a domain; or says what has to happen first, where nothing can be added. Add is the page's primary action unless
 * another one comes first.
 */
export function addingSection(view: ViewContext, model: AddingModel, isPrimary: boolean): Html {
  const { terms, project } = model;
  const address = platformAddress(project);
  const online = address.kind === 'online' ? address.hostname : null;
  switch (terms.kind) {
    case 'open':
      return card('add', view.words.say('add.title'), html`${addForm(view, model, isPrimary)} ${usage(view, terms)}`);
    case 'read-only':
      return card(
        'add',
        view.words.say('add.read-only-title'),
        html`<p>${view.words.say('add.read-only-how', { scope: html`<code>domains:write</code>` })}</p>`,
      );
    case 'not-deployed':
      return card(
        'add',
        view.words.say('add.deploy-title'),
        html`<p>${view.words.say('add.deploy-how')}</p>
          <p class="actions">
            <a class="button main" href="${paths.project(project.name)}">${view.words.say('act.deployed')}</a>
          </p>`,
      );
    case 'plan':
      return card(
        'add',
        view.words.help('Pending', 'PlanUpgradeRequired' satisfies AcceptedReason).title,
        withoutPlan(view, terms.plan, online),
      );
    case 'full':
      return card(
        'add',
        view.words.say('add.full-title', { count: terms.maximum }),
        html`<p>${view.words.say(`add.full-${terms.of}`)}</p>
          ${upgrading(view)}`,
      );
  }
}

const withoutPlan = (view: ViewContext, plan: string, online: string | null): Content =>
  html`<p>${view.words.say('add.plan-why', { plan })}</p>
    ${upgrading(view)}${online !== null && html`<p>${view.words.say('add.online', { hostname: outside(online) })}</p>`}`;

/** The way to a higher plan: a link where one is configured, or else whom to ask. */
function upgrading(view: ViewContext): Html {
  const { words, brand } = view;
  const { upgradeUrl } = brand;
  const ask = upgradeUrl === null && html`<p>${words.say('plan.upgrade-ask', { support: support(view) })}</p>`;
  return html`${ask}
    <p class="actions">
      ${
        upgradeUrl !== null &&
        html`<a class="button main" href="${upgradeUrl}" rel="noopener">${words.say('plan.upgrade')}</a>`
      }
      <a href="/dashboard/plan">${words.say('plan.compare')}</a>
    </p>`;
}

type Open = Extract<AddTerms, { readonly kind: 'open' }>;

const usage = ({ words }: ViewContext, { used, maximum }: Open): Html =>
  html`<p class="small">${words.say('add.used', { used, count: maximum })}</p>`;

/** Its first button, which Enter presses, follows the hostname at once; all else has a default. */
function addForm(view: ViewContext, model: AddingModel, isPrimary: boolean): Html {
  const { words } = view;
  const { project, form, offer, preview, look } = model;
  const action = `${paths.project(project.name)}/domains`;
  return html`<form method="post" action="${action}" class="add" id="add" data-words="${scriptWords(view)}">
    ${csrfField(view)}
    <div class="field">
      <label for="hostname">${words.say('add.hostname')}</label>
      <div class="joined">
        <input
          id="hostname"
          name="hostname"
          required
          maxlength="260"
          value="${form.hostname}"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          inputmode="url"
          aria-describedby="hostname-hint problem"
        />
        <button class="${isPrimary && 'main'}">${words.say('add.submit')}</button>
        <button id="check" formaction="${action}/check">${words.say('add.check')}</button>
      </div>
      <p id="hostname-hint" class="hint">${words.say('add.hint')}</p>
    </div>
    ${offer.pair && checkbox('pair', form.pair, words.say('add.pair'))}
    ${offer.prepare && checkbox('prepare', form.prepare, words.say('add.prepare'))} ${what(view, model)}
    <div id="preview" class="preview" aria-live="polite">${previewFragment(view, preview, look)}</div>
    <div id="look" class="preview">${lookFragment(view, look)}</div>
  </form>`;
}

const checkbox = (name: string, isChecked: boolean, label: Content): Html =>
  html`<p class="choice" id="${name}">
    <label
      ><input type="checkbox" name="${name}" value="yes" ${isChecked && html`checked`} /> <span>${label}</span></label
    >
  </p>`;

/** What the script says at the form, by its own names. */
const scriptWords = ({ words }: ViewContext): string =>
  JSON.stringify({
    pair: words.text('add.pair'),
    pairNamed: words.text('add.pair-named', { hostname: '{hostname}' }),
    running: words.text('look.running'),
    seen: words.text('look.title'),
    saving: words.text('look.saving'),
    refused: words.text('look.refused', { time: '{time}' }),
  });

/** What the domain does. Where the project has a primary, another domain can only redirect. */
function what(view: ViewContext, { form, offer }: AddingModel): Content {
  const { words } = view;
  const [first] = offer.destinations;
  if (first === undefined) return role('primary');
  const destinations = [...new Set([...offer.destinations, ...(form.to === '' ? [] : [form.to])])];
  const to = destinations.map((hostname) => [hostname, hostname] as const);
  const statuses = redirectStatuses.map((id) => [id, words.say(`add.status-${id}`)] as const);
  const destination = selectField('to', words.say('add.to'), to, form.to);
  const status = selectField('status', words.say('add.status'), statuses, form.status);
  const redirecting = html`<div class="redirecting">${destination} ${status}</div>`;
  return html`${
      !offer.primary &&
      html`${role('redirect')}
        <p class="hint">${words.say('add.leads', { hostname: domainName(form.to) })}</p>`
    }
    <details class="options" ${form.role === 'redirect' && offer.primary && html`open`}>
      <summary>${words.say('add.options')}</summary>
      ${
        offer.primary &&
        html`<fieldset>
          <legend>${words.say('add.role')}</legend>
          ${(['primary', 'redirect'] as const).map(
            (id) =>
              html`<div class="choice">
                <label>
                  <input type="radio" name="role" value="${id}" ${form.role === id && html`checked`} />
                  ${words.say(`add.role-${id}`)}
                </label>
              </div>`,
          )}
        </fieldset>`
      }
      ${redirecting}
    </details>`;
}

const role = (value: AddForm['role']): Html => html`<input type="hidden" name="role" value="${value}" />`;
