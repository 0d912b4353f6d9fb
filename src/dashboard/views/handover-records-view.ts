import type { FormLabels } from '../../rules/dns-hosts/known-dns-hosts.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { LabelledRow, RecordRow } from '../record-rows.ts';
import type { ViewContext } from '../view-context.ts';
import { copyButton, hostnameText, nothing, recordText } from './elements.ts';

interface Card {
  /** of the element; its parts' ids begin with it */
  readonly id: string;
  readonly labelled: LabelledRow;
  /** the number of its step; null where there is but one */
  readonly step: number | null;
  /** what the form of the DNS host calls its fields */
  readonly labels: FormLabels | undefined;
  /** the domain's name, which the page shows already */
  readonly hostname: string;
  /** its name is what to copy next */
  readonly isMain: boolean;
}

/** One record to delete, to add or to keep: field by field as in a form, its name first, with what DNS has instead. */
export function recordCard(view: ViewContext, card: Card): Html {
  const { id, labelled } = card;
  const { act, ttl } = labelled.row;
  return html`<li class="card ${act.toLowerCase()}" id="${id}">
    <h2 id="${id}-title">${titleOf(view, card)} ${statusOf(view, labelled.row)}</h2>
    ${foundOf(view, labelled.row)}
    <dl>
      ${nameOf(view, card)} ${valueOf(view, card)}
      ${
        act !== 'Delete' &&
        ttl !== null &&
        field(view.words.say('records.ttl'), view.words.say('handover.seconds', { count: String(ttl) }))
      }
    </dl>
  </li>`;
}

function titleOf({ words }: ViewContext, { labelled, step }: Card): Html {
  const { label, row, together } = labelled;
  const type = html`<code>${row.type === 'ALIAS' ? words.say('records.alias') : row.type}</code>`;
  const act =
    label === 'Or'
      ? words.say('handover.act-Or', { count: together, type })
      : words.say(`handover.act-${label}`, { type });
  return html`<span>${step !== null && html`${step}. `}${act}</span>`;
}

function statusOf({ words }: ViewContext, { act, status }: RecordRow): Content {
  if (act === 'Delete' || status === null) return nothing;
  return html`<span class="record-status ${status.toLowerCase()}">${words.recordStatus[status]}</span>`;
}

/** What stands there instead. */
function foundOf({ words }: ViewContext, { act, found, status }: RecordRow): Content {
  if (act !== 'Add' || found.length === 0 || status === 'Found') return nothing;
  return html`<p class="hint">
    ${words.say('records.now', { found: found.map((text) => html`<code>${text}</code> `) })}
  </p>`;
}

const field = (label: Content, content: Content): Html =>
  html`<div>
    <dt>${label}</dt>
    <dd>${content}</dd>
  </div>`;

/** Some forms ask for the full name; it is not repeated where the page shows it already. */
function nameOf({ words }: ViewContext, { id, labelled, labels, hostname, isMain }: Card): Html {
  const { act, name, fqdn } = labelled.row;
  const label = words.say('records.copy-name');
  const copy = copyButton({ id: `${id}-copy-name`, label, value: name, about: `${id}-title`, isMain });
  return field(
    labels?.name ?? words.say('records.name'),
    html`<code>${recordText(name)}</code> ${act !== 'Delete' && copy}
      ${
        fqdn === hostname
          ? nothing
          : html`<p class="hint">
              ${words.say('records.full-name', { name: html`<code>${hostnameText(fqdn)}</code>` })}
            </p>`
      }`,
  );
}

function valueOf({ words }: ViewContext, { id, labelled, labels }: Card): Html {
  const { act, type, value } = labelled.row;
  const label = type === 'CNAME' ? labels?.value : null;
  const shown = value === '*' ? words.say('handover.all-of-type') : html`<code>${recordText(value)}</code>`;
  const copy = copyButton({
    id: `${id}-copy-value`,
    label: words.say('records.copy-value'),
    value,
    about: `${id}-title`,
  });
  return field(label ?? words.say('records.value'), html`${shown} ${act !== 'Delete' && copy}`);
}
