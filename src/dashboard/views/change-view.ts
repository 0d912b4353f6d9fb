import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { DomainModel } from '../view-models.ts';
import type { ViewContext } from '../view-context.ts';
import { paths } from '../dashboard-page.ts';
import { csrfField, domainName, nothing } from './elements.ts';
import { domainTrail } from './remove-view.ts';

/** The question before a domain becomes its project's primary: what changes for visitors. */
export function primaryMain(view: ViewContext, model: DomainModel): Html {
  const { words } = view;
  const { domain, choices } = model;
  if (!choices.canBePrimary) return refused(view, model, words.say('primary.refused'));
  const hostname = html`<strong>${domainName(domain.hostname)}</strong>`;
  const followers = [...choices.primaryFollowers];
  const changes: readonly Content[] = [
    words.say('primary.shows', { hostname }),
    ...choices.primaries.map((primary) => words.say('primary.swap', { primary: domainName(primary), hostname })),
    ...(followers.length === 0
      ? []
      : [words.say('primary.follow', { count: followers.length, hostnames: listed(followers), hostname })]),
  ];
  return html`${domainTrail(view, model)}
    <div class="card">
      <ul>
        ${changes.map((change) => html`<li>${change}</li>`)}
      </ul>
      <form method="post" action="${here(model)}/primary" class="actions docked">
        ${csrfField(view)}
        <button class="main">${words.say('primary.confirm')}</button>
        ${cancel(view, model)}
      </form>
      ${choices.primaries.length === 0 ? nothing : html`<p class="hint">${words.say('primary.cache')}</p>`}
    </div>`;
}

const statuses = ['301', '302', '307', '308'] as const;

/** What the form held when it was refused; null on first sight. */
export interface RedirectForm {
  readonly to: string;
  readonly status: string;
}

/** Where a redirect leads, and with which status; for a primary also what stops by becoming a redirect. */
export function redirectMain(view: ViewContext, model: DomainModel, form: RedirectForm | null): Html {
  const { words } = view;
  const { domain, choices } = model;
  const { hostname, redirect } = domain;
  if (choices.destinations.length === 0) return refused(view, model, words.say('redirect.refused'));
  const to = form?.to ?? redirect?.to ?? '';
  const status = form?.status ?? redirect?.status.toString() ?? '301';
  const option = (value: string, label: Content, chosen: string) =>
    html`<option value="${value}" ${value === chosen ? html`selected` : nothing}>${label}</option>`;
  return html`${domainTrail(view, model)}
    <form method="post" action="${here(model)}/redirect" class="card narrow">
      ${csrfField(view)}
      ${redirect === null ? html`<p>${words.say('redirect.stops', { hostname: domainName(hostname) })}</p>` : nothing}
      <div class="field">
        <label for="to">${words.say('redirect.to')}</label>
        <select id="to" name="to">
          ${choices.destinations.map((one) => option(one, one, to))}
        </select>
      </div>
      <div class="field">
        <label for="status">${words.say('redirect.status')}</label>
        <select id="status" name="status">
          ${statuses.map((one) => option(one, words.say(`redirect.status-${one}`), status))}
        </select>
      </div>
      <div class="actions docked">
        <button class="main">${words.say('redirect.confirm')}</button>
        ${cancel(view, model)}
      </div>
      ${redirect === null ? nothing : html`<p class="hint">${words.say('redirect.cache')}</p>`}
    </form>`;
}

const here = ({ project, domain }: DomainModel): string => paths.domain(project.name, domain.hostname);

const cancel = ({ words }: ViewContext, model: DomainModel): Html =>
  html`<a class="button" href="${here(model)}">${words.say('change.cancel')}</a>`;

const listed = (hostnames: readonly string[]): Content =>
  hostnames.map((hostname, index) => [index === 0 ? '' : ', ', domainName(hostname)]);

/** For a page that was opened before the change became impossible. */
const refused = (view: ViewContext, model: DomainModel, text: Content): Html =>
  html`${domainTrail(view, model)}
    <div class="card">
      <p>${text}</p>
      <p class="actions">${cancel(view, model)}</p>
    </div>`;
