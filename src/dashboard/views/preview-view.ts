import { paths } from '../dashboard-page.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { ViewContext } from '../view-context.ts';
import type { Look, Preview } from '../view-models.ts';
import { domainName, hostnameText, nothing } from './elements.ts';
import { refusalText } from './problem-view.ts';

type Possible = Extract<Preview, { readonly kind: 'possible' }>;

/**
 * What Add would answer, in the form while a hostname is being typed. The script reads from its attributes whether a
 * look at DNS comes next and which second hostname can be added.
 */
export function previewFragment(view: ViewContext, preview: Preview, look: Look = { kind: 'none' }): Html {
  switch (preview.kind) {
    case 'nothing':
      return nothing;
    case 'refused':
      return html`<p class="error">${refusalText(view, preview.problem)}</p>`;
    case 'there':
      return html`<p>${there(view, preview)}</p>`;
    case 'possible':
      return possible(view, preview, look);
  }
}

const there = ({ words }: ViewContext, { project, hostname }: Extract<Preview, { readonly kind: 'there' }>) =>
  words.say('preview.there', {
    hostname: html`<a href="${paths.domain(project, hostname)}">${domainName(hostname)}</a>`,
  });

/** Once DNS was looked at, its table has the records. */
function possible(view: ViewContext, { domain, counterpart, isWhole }: Possible, look: Look): Html {
  const { words } = view;
  const hostname = html`<strong>${domainName(domain.hostname)}</strong>`;
  const help = domain.reason === 'Waiting' ? null : words.help(domain.state, domain.reason);
  return html`<p data-pair="${counterpart}" data-look="${isWhole ? domain.hostname : ''}">
      ${
        domain.redirect === null
          ? words.say('preview.shows', { hostname })
          : words.say('preview.redirects', { hostname, to: html`<strong>${domainName(domain.redirect.to)}</strong>` })
      }
      ${help && html`${help.title}: ${help.meaning}`}
    </p>
    ${look.kind !== 'seen' && records(view, domain)}`;
}

const records = ({ words }: ViewContext, { records: needed }: Possible['domain']): Html =>
  html`<div class="needed">
    <p>${words.say('preview.records', { count: needed.length })}</p>
    <ul>
      ${needed.map(
        ({ type, name, value }) =>
          html`<li>
            ${words.say('preview.record', {
              type: html`<code>${type}</code>`,
              name: html`<code>${hostnameText(name)}</code>`,
              value: html`<code>${hostnameText(value)}</code>`,
            })}
          </li>`,
      )}
    </ul>
  </div>`;
