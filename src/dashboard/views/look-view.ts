import type { FormLabels } from '../../rules/dns-hosts/known-dns-hosts.ts';
import { unknownLabels } from '../../rules/dns-hosts/known-dns-hosts.ts';
import type { RecordView } from '../../use-cases/domain-view.ts';
import type { IssueView, RecordRefView } from '../../use-cases/issue-view.ts';
import type { LookupView } from '../../use-cases/look-up.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { ViewContext } from '../view-context.ts';
import type { Look } from '../view-models.ts';
import { hostnameText, nothing, sentence } from './elements.ts';
import { whenAgain } from './problem-view.ts';

/** What DNS says about a hostname before it is added: each record as it is and as it must become, and every mistake. */
export function lookFragment(view: ViewContext, look: Look): Html {
  const { words } = view;
  switch (look.kind) {
    case 'none':
      return nothing;
    case 'late':
    case 'busy':
      return html`<p class="hint">${words.say(`look.${look.kind}`)}</p>`;
    case 'quota':
      return html`<p class="hint">${words.say('look.quota', { again: whenAgain(view, look) })}</p>`;
    case 'seen':
      return seen(view, look.lookup);
  }
}

function seen(view: ViewContext, lookup: LookupView): Html {
  const { words } = view;
  const { records, issues, routing, caa } = lookup;
  const told = issues.filter((issue) => !isToldByRecords(issue, records));
  const mistakes = told.some(({ severity }) => severity === 'Error');
  const isReady = routing?.verdict === 'yes' && issues.every(({ severity }) => severity !== 'Error');
  return html`<section class="look" aria-labelledby="look-title" data-seen="${lookup.hostname}">
    <h3 id="look-title">${words.say('look.title')}</h3>
    ${managed(view, lookup)} ${isReady && html`<p>${words.say('look.ready')}</p>`}
    <table class="stack changes" aria-labelledby="look-title">
      <thead>
        <tr>
          ${(['look.record', 'look.now', 'look.needed', 'look.status'] as const).map(
            (key) => html`<th scope="col">${words.say(key)}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${records.map((record) => change(view, record, issues))}
      </tbody>
    </table>
    ${!mistakes && !isReady && html`<p>${words.say('look.clear')}</p>`}
    ${told.map((each) => mistake(view, each, lookup))}
    ${caa.verdict === 'yes' && html`<p class="small">${words.say('look.caa')}</p>`}
  </section>`;
}

/** Who manages the zone; nothing while that is not known. */
function managed({ words }: ViewContext, { zone, dnsHost, nameServers }: LookupView): Content {
  if (zone === null || nameServers.length === 0) return nothing;
  const name = html`<strong>${hostnameText(zone)}</strong>`;
  if (dnsHost)
    return html`<p>${words.say('look.host', { zone: name, host: html`<strong>${dnsHost.name}</strong>` })}</p>`;
  const servers = nameServers.map(
    (server, index) => html`${index === 0 ? '' : ', '}<code>${hostnameText(server)}</code>`,
  );
  return html`<p>${words.say('look.servers', { zone: name, servers: html`${servers}` })}</p>`;
}

/** An issue that asks for nothing but records of the table: the table says it. */
const isToldByRecords = (issue: IssueView, records: readonly RecordView[]): boolean =>
  issue.severity === 'Error' &&
  issue.create.length > 0 &&
  issue.delete.length === 0 &&
  issue.create.every((one) => records.some((record) => isSame(one, record)));

const isSame = ({ fqdn, value }: RecordRefView, record: RecordView): boolean =>
  fqdn === record.fqdn && value === record.value;

function change({ words }: ViewContext, record: RecordView, issues: readonly IssueView[]): Html {
  const { type, name, value, status, found } = record;
  const codes = issues
    .filter((issue) => isToldByRecords(issue, [record]))
    .map(({ code }) => html` <code class="small">${code}</code>`);
  const empty = status === 'Unknown' ? words.say('look.unread') : words.say('look.nothing');
  return html`<tr>
    <td data-label="${words.say('look.record')}"><code>${type}</code> <code>${hostnameText(name)}</code></td>
    <td data-label="${words.say('look.now')}">
      ${found.length === 0 ? empty : found.map((text) => html`<code>${hostnameText(text)}</code> `)}
    </td>
    <td data-label="${words.say('look.needed')}"><code>${type} ${hostnameText(value)}</code></td>
    <td data-label="${words.say('look.status')}">
      <span class="record-status ${status.toLowerCase()}">${words.recordStatus[status]}</span>${codes}
    </td>
  </tr>`;
}

/** A mistake with what has to be changed for it, beside the records of the table. */
function mistake(view: ViewContext, each: IssueView, lookup: LookupView): Html {
  const { words } = view;
  const { code, severity } = each;
  const { title } = words.help('Unverified', code);
  const isWarning = severity === 'Warning';
  return html`<div class="issue ${isWarning && 'warning'}">
    <h4>${isWarning ? words.say('found.warning', { title }) : title}</h4>
    <p>${sentence(view, words.issues.found(each))}</p>
    ${changes(view, each, lookup)}
    <p class="small">${words.say('layout.code', { code: html`<code>${code}</code>` })}</p>
  </div>`;
}

function changes(view: ViewContext, each: IssueView, { records, dnsHost }: LookupView): Html {
  const { words } = view;
  if (each.delete.length + each.create.length === 0) return html`<p>${sentence(view, words.issues.act(each))}</p>`;
  const create = each.create.filter((one) => !records.some((record) => isSame(one, record)));
  if (each.delete.length + create.length === 0) return nothing;
  return html`<dl>
    ${each.delete.map((one) => step(words.say('look.delete'), one, dnsHost?.labels))}
    ${create.map((one) => step(words.say('look.create'), one, dnsHost?.labels))}
  </dl>`;
}

type FormField = readonly [label: string, value: string];

/** A record as the form of a DNS host has it, in the host's own words where they are known. */
function formFields({ name, type, value }: RecordRefView, labels: FormLabels = unknownLabels): readonly FormField[] {
  return [
    ['Type', type === 'ALIAS' ? 'ALIAS or ANAME' : type],
    [labels.name ?? 'Name', name],
    [(type === 'CNAME' && labels.value) || 'Value', value === '*' ? 'any: all of this type' : value],
  ];
}

const step = (act: Content, one: RecordRefView, labels: FormLabels | undefined): Html =>
  html`<dt>${act}</dt>
    <dd class="fields">
      ${formFields(one, labels).map(
        ([label, value]) => html`<span>${label} <code>${hostnameText(value)}</code></span> `,
      )}
    </dd>`;
