import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { DomainView } from '../../use-cases/describe-domain.ts';
import type { DomainModel } from '../view-models.ts';
import { paths } from '../dashboard-page.ts';
import { csrfField, trail } from './components.ts';

type Subject = Pick<DomainModel, 'project' | 'domain'>;

/** The confirmation page. The script shows its element `remove` in a dialog. */
export function removeMain({ project, domain }: Subject, csrf: string): Html {
  const { hostname } = domain;
  const here = paths.domain(project.name, hostname);
  return html`${trail([
      { name: 'Projects', href: paths.projects },
      { name: project.name, href: paths.project(project.name) },
      { name: hostname, href: here },
    ])}
    <div class="card" id="remove">
      <p>This stops as soon as you confirm:</p>
      <ul>
        <li>${whatStops(domain)}</li>
        <li>Its certificate: it is withdrawn and no longer renewed.</li>
      </ul>
      <p>
        Afterwards you may delete the DNS
        record${domain.records.map(
          ({ type, fqdn }, index) => html`${index === 0 ? ' ' : ' and '}<code>${type} ${fqdn}</code>`,
        )}.
        Your project itself stays as it is, and you can add the domain again at any time.
      </p>
      <form method="post" action="${here}/remove" class="actions">
        ${csrfField(csrf)}
        <button class="danger">Remove ${hostname}</button>
        <a class="button" href="${here}" data-close>Keep it</a>
      </form>
    </div>`;
}

function whatStops({ hostname, redirect }: DomainView): Html {
  const address = html`<strong>https://${hostname}/</strong>`;
  if (redirect) return html`The redirect from ${address} to ${redirect.to}: visitors get an error instead.`;
  return html`The page at ${address}: visitors get an error instead of your project, and so do those of redirects that
  lead to it.`;
}
