import type { DomainView } from '../../use-cases/domain-view.ts';
import type { Stranded } from '../../use-cases/remove-domain.ts';
import { paths } from '../dashboard-page.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { ViewContext } from '../view-context.ts';
import type { DomainModel } from '../view-models.ts';
import {
  csrfField,
  domainName,
  hostnameText,
  isLong,
  nothing,
  redirectStatuses,
  selectField,
  trail,
} from './elements.ts';

/** The questions before a domain's role changes, and before it is removed. */

type Subject = Pick<DomainModel, 'project' | 'domain'>;

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
      ${choices.primaries.length > 0 && html`<p class="hint">${words.say('primary.cache')}</p>`}
    </div>`;
}

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
  const destinations = choices.destinations.map((one) => [one, one] as const);
  const statuses = redirectStatuses.map((one) => [one, words.say(`redirect.status-${one}`)] as const);
  return html`${domainTrail(view, model)}
    <form method="post" action="${here(model)}/redirect" class="card narrow">
      ${csrfField(view)}
      ${redirect === null && html`<p>${words.say('redirect.stops', { hostname: domainName(hostname) })}</p>`}
      ${selectField('to', words.say('redirect.to'), destinations, to)}
      ${selectField('status', words.say('redirect.status'), statuses, status)}
      <div class="actions docked">
        <button class="main">${words.say('redirect.confirm')}</button>
        ${cancel(view, model)}
      </div>
      ${redirect !== null && html`<p class="hint">${words.say('redirect.cache')}</p>`}
    </form>`;
}

const here = ({ project, domain }: Subject): string => paths.domain(project.name, domain.hostname);

const cancel = ({ words }: ViewContext, model: Subject): Html =>
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

/** Breadcrumbs to a question about a domain. */
const domainTrail = (view: ViewContext, subject: Subject): Html =>
  trail(view, subject.project.name, { name: domainName(subject.domain.hostname), href: here(subject) });

/** The question before a domain is removed. The script shows its element `remove` in a dialog. */
export function removeMain(view: ViewContext, subject: Subject, stranded: Stranded): Html {
  const { words } = view;
  const { domain } = subject;
  const { hostname, records } = domain;
  const named = records.map(
    ({ type, fqdn }, index) => html`${index === 0 ? '' : ', '}<code>${type} ${hostnameText(fqdn)}</code>`,
  );
  return html`${domainTrail(view, subject)}
    <div class="card" id="remove">
      <p>${words.say(isLive(domain) ? 'remove.now' : 'remove.not-live')}</p>
      <ul>
        ${isLive(domain) && html`<li>${whatStops(view, domain)}</li>`}
        ${stranded.count > 0 && html`<li>${strands(view, stranded)}</li>`}
        <li>${words.say('remove.certificate')}</li>
      </ul>
      <form method="post" action="${here(subject)}/remove" class="actions docked">
        ${csrfField(view)}
        <button class="main danger">
          <span
            >${isLong(hostname) ? words.say('act.remove') : words.say('remove.confirm', { hostname: domainName(hostname) })}</span
          >
        </button>
        <a class="button" href="${here(subject)}" data-close>${words.say('change.keep')}</a>
      </form>
      ${records.length > 0 && html`<p>${words.say('remove.records', { count: records.length, records: named })}</p>`}
      <p>${words.say('remove.stays')}</p>
    </div>`;
}

/** Whether visitors have it now. */
const isLive = ({ state }: DomainView): boolean => state === 'Live' || state === 'Degraded';

/** The redirects that lead to a domain, and that will lead nowhere without it. */
export function strands({ words }: ViewContext, { count, named }: Stranded): Content {
  if (count === 0) return nothing;
  const hostnames = named.map((one, at) => {
    const comma = at === named.length - 1 ? '' : ',';
    return html`<span class="whole"><strong>${domainName(one)}</strong>${comma}</span> `;
  });
  const more = count - named.length;
  return html`<p class="strands">
    ${words.say('remove.strands', { count, hostnames })}
    ${more > 0 && words.say('remove.strands-more', { count: more })}
  </p>`;
}

function whatStops({ words }: ViewContext, { hostname, redirect }: DomainView): Content {
  const address = html`<strong>https://${hostnameText(hostname)}/</strong>`;
  return redirect
    ? words.say('remove.redirect', { address, to: domainName(redirect.to) })
    : words.say('remove.page', { address });
}
