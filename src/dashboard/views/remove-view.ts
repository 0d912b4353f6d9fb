import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { DomainView } from '../../use-cases/domain-view.ts';
import type { Stranded } from '../../use-cases/remove-domain.ts';
import type { DomainModel } from '../view-models.ts';
import type { ViewContext } from '../view-context.ts';
import { paths } from '../dashboard-page.ts';
import { csrfField, domainName, hostnameText, isLong, nothing, trail } from './elements.ts';

type Subject = Pick<DomainModel, 'project' | 'domain'>;

/** Breadcrumbs to a question about a domain. */
export const domainTrail = (view: ViewContext, { project, domain }: Subject): Html =>
  trail(view, [
    { name: view.words.say('layout.projects'), href: paths.projects },
    { name: project.name, href: paths.project(project.name) },
    { name: domainName(domain.hostname), href: paths.domain(project.name, domain.hostname) },
  ]);

/** The question before a domain is removed. The script shows its element `remove` in a dialog. */
export function removeMain(view: ViewContext, { project, domain }: Subject, stranded: Stranded): Html {
  const { words } = view;
  const { hostname, records } = domain;
  const here = paths.domain(project.name, hostname);
  const named = records.map(
    ({ type, fqdn }, index) => html`${index === 0 ? '' : ', '}<code>${type} ${hostnameText(fqdn)}</code>`,
  );
  return html`${domainTrail(view, { project, domain })}
    <div class="card" id="remove">
      <p>${words.say(isLive(domain) ? 'remove.now' : 'remove.not-live')}</p>
      <ul>
        ${isLive(domain) ? html`<li>${whatStops(view, domain)}</li>` : nothing}
        ${stranded.count === 0 ? nothing : html`<li>${strands(view, stranded)}</li>`}
        <li>${words.say('remove.certificate')}</li>
      </ul>
      <form method="post" action="${here}/remove" class="actions docked">
        ${csrfField(view)}
        <button class="main danger">
          <span
            >${isLong(hostname) ? words.say('act.remove') : words.say('remove.confirm', { hostname: domainName(hostname) })}</span
          >
        </button>
        <a class="button" href="${here}" data-close>${words.say('change.keep')}</a>
      </form>
      ${
        records.length === 0
          ? nothing
          : html`<p>${words.say('remove.records', { count: records.length, records: named })}</p>`
      }
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
    ${more === 0 ? nothing : words.say('remove.strands-more', { count: more })}
  </p>`;
}

function whatStops({ words }: ViewContext, { hostname, redirect }: DomainView): Content {
  const address = html`<strong>https://${hostnameText(hostname)}/</strong>`;
  return redirect
    ? words.say('remove.redirect', { address, to: domainName(redirect.to) })
    : words.say('remove.page', { address });
}
