import type { IssueView } from '../../use-cases/issue-view.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { ViewContext } from '../view-context.ts';
import type { DomainModel } from '../view-models.ts';
import { bareTime, hostnameText, nothing, sentence } from './elements.ts';
import { explanationOf } from './explanation.ts';

/** What was found in DNS instead of what is needed; which records to change stands in the table above. */
export function issueNotes(view: ViewContext, model: DomainModel): Html {
  const { issues } = model.domain;
  if (issues.length === 0) return nothing;
  return html`<h3>${view.words.say('found.title')}</h3>
    ${issues.map((issue, index) => note(view, model, { issue, index }))}`;
}

interface Noted {
  readonly issue: IssueView;
  readonly index: number;
}

function note(view: ViewContext, model: DomainModel, { issue, index }: Noted): Html {
  const { words } = view;
  const { severity, actor, hoursUntilSeen, create } = issue;
  const changesRecords = issue.delete.length + create.length > 0;
  return html`<div class="${severity === 'Warning' ? 'issue warning' : 'issue'}">
    ${title(view, model, issue)}
    <p>${sentence(view, words.issues.found(issue))}</p>
    ${changesRecords ? nothing : html`<p>${sentence(view, words.issues.act(issue))}</p>`}
    ${actor === 'Owner' ? nothing : html`<p class="small">${words.say('found.who', { who: words.actors[actor] })}</p>`}
    ${hoursUntilSeen === null ? nothing : html`<p class="small">${words.say('found.hours', { count: hoursUntilSeen })}</p>`}
    ${evidence(view, { issue, index })}
  </div>`;
}

/** Not repeated where the page's own heading says it. */
function title(view: ViewContext, model: DomainModel, { code, severity }: IssueView): Html {
  const { words } = view;
  const state = model.domain.state === 'Degraded' ? 'Degraded' : 'Unverified';
  const text = words.help(state, code).title;
  if (text === explanationOf(view, model).title) return nothing;
  return html`<h4>${severity === 'Warning' ? words.say('found.warning', { title: text }) : text}</h4>`;
}

/** What the name servers said, for whoever wants to know exactly. */
function evidence(view: ViewContext, { issue, index }: Noted): Html {
  const { words } = view;
  const { code, record, servers, since } = issue;
  const shown = html`<code>${code}</code>`;
  return html`<details id="evidence-${index}">
    <summary>${words.say(servers.length === 0 ? 'found.exactly' : 'found.servers')}</summary>
    ${record === '' ? nothing : html`<p>${words.say('found.record', { record: html`<code>${record}</code>` })}</p>`}
    ${
      servers.length === 0
        ? nothing
        : html`<ul>
            ${servers.map(server)}
          </ul>`
    }
    <p class="small">
      ${
        since === null
          ? words.say('found.code', { code: shown })
          : words.say('found.code-since', { code: shown, time: bareTime(view, since) })
      }
    </p>
  </details>`;
}

const server = ({ server: name, address, answer }: IssueView['servers'][number]): Html =>
  html`<li><code>${hostnameText(name)}</code>${address === '' ? '' : ` (${address})`}: ${answer}</li>`;
