import type { FormLabels } from '../../help/dns-host-advice.ts';
import type { RecordView } from '../../use-cases/domain-view.ts';
import type { RecordRefView } from '../../use-cases/issue-view.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { ViewContext } from '../view-context.ts';
import { hostnameText, nothing } from './elements.ts';

/** Whether a record is where it should be. */
export const isPlaced = ({ status }: RecordView): boolean => status === 'Found';

/** Whether it was created, and some servers have not noticed. */
export const isSpreading = ({ status }: RecordView): boolean => status === 'Stale';

interface Card<Shown> {
  /** of the element; its parts' ids begin with it */
  readonly id: string;
  readonly record: Shown;
  /** what the form of the DNS host calls its fields */
  readonly labels: FormLabels | undefined;
}

interface RecordCard extends Card<RecordView> {
  /** the domain's, which the page shows already */
  readonly hostname: string;
  /** its value is what to copy next */
  readonly isMain: boolean;
}

/** A record to create, field by field as in a form, with what DNS has instead. */
export function recordCard(view: ViewContext, { id, record, labels, hostname, isMain }: RecordCard): Html {
  const { words } = view;
  const { status, found, ttl } = record;
  return html`<li class="card" id="${id}">
    <h2 id="${id}-title">
      ${typeOf(view, record)}
      <span class="record-status ${status.toLowerCase()}">${words.recordStatus[status]}</span>
    </h2>
    ${
      isPlaced(record) || found.length === 0
        ? nothing
        : html`<p class="hint">
            ${words.say('handover.now', { found: found.map((text) => html`<code>${text}</code> `) })}
          </p>`
    }
    <dl>
      ${value(view, { id, record, labels, isMain })} ${name(view, { id, record, labels }, hostname)}
      ${field(words.say('handover.ttl'), words.say('handover.seconds', { count: String(ttl) }))}
    </dl>
  </li>`;
}

interface ExtraCard extends Card<RecordRefView> {
  /** to be created; otherwise it is to be deleted, and only its name helps to find it */
  readonly isAddition?: boolean;
}

/** A record to delete, or one to create besides those that every domain needs. */
export function extraCard(view: ViewContext, { id, record, labels, isAddition = false }: ExtraCard): Html {
  const shown = record.value === '*' ? view.words.text('handover.all-of-type') : record.value;
  return html`<li class="card" id="${id}">
    <h3 id="${id}-title">${typeOf(view, record)}</h3>
    <dl>
      ${
        isAddition
          ? value(view, { id, record, labels, isMain: false })
          : field(view.words.say('handover.value'), html`<code>${shown}</code>`)
      }
      ${name(view, { id, record, labels })}
    </dl>
  </li>`;
}

type Fields = Pick<RecordRefView, 'type' | 'name' | 'fqdn' | 'value'>;

const typeOf = ({ words }: ViewContext, { type }: Fields): Content =>
  type === 'ALIAS' ? words.say('handover.alias') : type;

const field = (label: Content, content: Content): Html =>
  html`<div>
    <dt>${label}</dt>
    <dd>${content}</dd>
  </div>`;

function value(view: ViewContext, { id, record, labels, isMain }: Card<Fields> & { readonly isMain: boolean }): Html {
  const { words } = view;
  const label = record.type === 'CNAME' ? labels?.value : null;
  const button = html`<button
    type="button"
    class="${isMain ? 'copy main' : 'copy'}"
    id="${id}-copy-value"
    data-copy="${record.value}"
    aria-describedby="${id}-title"
  >
    ${words.say('handover.copy-value')}
  </button>`;
  return field(label ?? words.say('handover.value'), html`<code>${hostnameText(record.value)}</code> ${button}`);
}

/** Some forms ask for the full name; it is not repeated where the page shows it already. */
function name(view: ViewContext, { id, record, labels }: Card<Fields>, shown = ''): Html {
  const { words } = view;
  const button = html`<button
    type="button"
    class="copy"
    id="${id}-copy-name"
    data-copy="${record.name}"
    aria-describedby="${id}-title"
  >
    ${words.say('handover.copy-name')}
  </button>`;
  return field(
    labels?.name ?? words.say('handover.name'),
    html`<code>${record.name}</code> ${button}
      ${
        record.fqdn === shown
          ? nothing
          : html`<p class="hint">
              ${words.say('handover.full-name', { name: html`<code>${hostnameText(record.fqdn)}</code>` })}
            </p>`
      }`,
  );
}
