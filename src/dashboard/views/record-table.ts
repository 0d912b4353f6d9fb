import type { FormLabels } from '../../rules/dns-hosts/known-dns-hosts.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { LabelledRow, RecordRow } from '../record-rows.ts';
import { labelledRows } from '../record-rows.ts';
import type { ViewContext } from '../view-context.ts';
import { copyButton, nothing, recordText } from './elements.ts';

const columns = ['act', 'type', 'name', 'value', 'ttl', 'in-dns'] as const;

/** What the form of a DNS host calls its fields. */
type RecordLabels = Readonly<Partial<Record<(typeof columns)[number], string>>>;

/** The records of one domain. */
interface RecordGroup {
  readonly rows: readonly RecordRow[];
  readonly labels: RecordLabels;
  /** names the domain, in a table of several */
  readonly title?: Content;
}

/** What the DNS host's form calls its fields, where that is known; its label for a value is that of a CNAME. */
export function labelsOf(dnsHost: { readonly labels?: FormLabels } | null, rows: readonly RecordRow[]): RecordLabels {
  const { name = null, value = null } = dnsHost?.labels ?? {};
  const isAlias = rows.every(({ type }) => type === 'CNAME');
  return { ...(name === null ? {} : { name }), ...(value === null || !isAlias ? {} : { value }) };
}

/** Every record to delete, to add or to keep, as a form for records has it. `titleId` is the id of the table's heading. */
export function recordTable(view: ViewContext, groups: readonly RecordGroup[], titleId: string): Html {
  const { words } = view;
  const heads = groups.length === 1 ? (groups[0]?.labels ?? {}) : {};
  const starts = groups.map((_, at) => groups.slice(0, at).reduce((sum, { rows }) => sum + rows.length, 0));
  return html`<table class="stack records" aria-labelledby="${titleId}">
    <thead>
      <tr>
        ${columns.map((key) => html`<th scope="col">${heads[key] ?? words.say(`records.${key}`)}</th>`)}
      </tr>
    </thead>
    ${groups.map(
      ({ rows, labels, title }, at) =>
        html`<tbody>
          ${
            title !== undefined &&
            html`<tr class="group">
              <th scope="rowgroup" colspan="${columns.length}">${title}</th>
            </tr>`
          }
          ${labelledRows(rows).map((each, index) => recordRow(view, each, { index: (starts[at] ?? 0) + index, labels }))}
        </tbody>`,
    )}
  </table>`;
}

interface Place {
  readonly index: number;
  readonly labels: RecordLabels;
}

function recordRow(view: ViewContext, labelled: LabelledRow, { index, labels }: Place): Html {
  const { words } = view;
  const { row } = labelled;
  const { act, type, name, fqdn, value, ttl } = row;
  const about = `record-${index}`;
  const copied = (what: 'name' | 'value', text: string, shown: Content) => {
    if (act === 'Delete') return shown;
    const labels = { label: words.say(`records.copy-${what}`), short: words.say('records.copy') };
    const copy = copyButton({ id: `copy-${what}-${index}`, ...labels, value: text, about });
    return html`<div class="copyable">${shown} ${copy}</div>`;
  };
  const cell = (key: 'type' | 'name' | 'value' | 'ttl' | 'in-dns', content: Content) =>
    html`<td data-label="${labels[key] ?? words.text(`records.${key}`)}">${content}</td>`;
  return html`<tr class="${act.toLowerCase()}">
    <th scope="row" id="${about}">${actOf(view, labelled)}</th>
    ${cell('type', html`<code>${type === 'ALIAS' ? words.say('records.alias') : type}</code>`)}
    ${cell('name', copied('name', name, html`<code title="${fqdn}">${recordText(name)}</code>`))}
    ${cell('value', value === '*' ? words.say('records.all') : copied('value', value, html`<code>${recordText(value)}</code>`))}
    ${ttl === null ? html`<td class="none"></td>` : cell('ttl', html`<code>${ttl.toString()}</code>`)}
    ${cell('in-dns', statusOf(view, row))}
  </tr>`;
}

/** What to do; the first of alternatives names the step that all of them are. */
function actOf({ words }: ViewContext, { label, step, together }: LabelledRow): Content {
  const number = step !== null && html`${step}. `;
  if (label === 'Either')
    return html`<span class="either">${number}${words.say('records.one-of')}</span> ${words.say('records.act-Either')}`;
  if (label === 'Or') return words.say('records.act-Or', { count: together });
  return html`${number}${words.say(`records.act-${label}`)}`;
}

function statusOf({ words }: ViewContext, { act, status, found }: RecordRow): Content {
  if (act === 'Delete') return html`<span class="record-status wrong">${words.say('records.there')}</span>`;
  // A domain that is served is known to be found, whatever an older version noted.
  if (act === 'Keep' && status === 'Unknown') return nothing;
  if (status === null) return html`<span class="record-status missing">${words.say('records.needed')}</span>`;
  const now = found.map((text) => html`<code>${text}</code> `);
  return html`<span class="record-status ${status.toLowerCase()}">${words.recordStatus[status]}</span> ${
      status === 'Found' || found.length === 0
        ? nothing
        : html`<p class="hint">${words.say('records.now', { found: now })}</p>`
    }`;
}
