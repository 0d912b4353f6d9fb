import type { AdviceCode, DnsHost } from '../../rules/dns-hosts/known-dns-hosts.ts';
import type { DomainView } from '../../use-cases/domain-view.ts';
import type { IssueView } from '../../use-cases/issue-view.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { RecordRow } from '../record-rows.ts';
import { isWanted } from '../record-rows.ts';
import type { ViewContext } from '../view-context.ts';
import type { DomainModel } from '../view-models.ts';
import { hostnameText, nothing, bareTime, sentence } from './elements.ts';
import { explanationOf } from './explanation.ts';
import { labelsOf, recordTable } from './record-table.ts';

/** Every record to delete, to add or to keep, as a form for records has it, with what was found of it. */
export function recordsSection(view: ViewContext, model: DomainModel, rows: readonly RecordRow[]): Html {
  const { words } = view;
  const { domain, dnsHost } = model;
  const labels = labelsOf(domain.dnsHost, rows);
  return html`<section class="card" id="records" aria-labelledby="records-title">
    <h2 id="records-title">${heading(view, rows)}</h2>
    ${lead(view, domain, rows)} ${recordTable(view, [{ rows, labels }], 'records-title')}
    ${rows.some(({ act }) => act === 'Or') && html`<p class="hint">${words.say('records.alternative')}</p>`}
    ${rows.map((row) => caaHint(view, row))} ${issueNotes(view, model)} ${advice(view, rows, dnsHost)}
    ${fullNames(view, rows)}
  </section>`;
}

/** A change of records; nothing but records to add; or only records to keep. */
function heading({ words }: ViewContext, rows: readonly RecordRow[]): Content {
  const count = (act: RecordRow['act']) => rows.filter((row) => row.act === act).length;
  if (count('Delete') > 0) return words.say('records.change', { count: count('Delete') + count('Add') });
  if (count('Add') === 0) return words.say('records.keep', { count: count('Keep') });
  return words.say(rows.some(isWanted) ? 'records.needed-title' : 'records.add', { count: count('Add') });
}

function lead({ words }: ViewContext, { state }: DomainView, rows: readonly RecordRow[]): Html {
  const count = rows.filter(({ act }) => act === 'Add').length;
  if (state === 'Pending' && count > 0) return html`<p>${words.say('records.later', { count })}</p>`;
  const isKept = rows.every(({ act, status }) => act === 'Keep' && status !== 'Unknown');
  return isKept ? html`<p>${words.say('records.kept', { count: rows.length })}</p>` : nothing;
}

const caaForm = /^(\d+) (\w+) "(.*)"$/;

/** Many forms have three fields for the value of a CAA record. */
function caaHint({ words }: ViewContext, { act, type, value }: RecordRow): Html {
  const [, flags, tag, name] = (act === 'Add' && type === 'CAA' ? caaForm.exec(value) : null) ?? [];
  if (flags === undefined || tag === undefined || name === undefined) return nothing;
  const code = (text: string) => html`<code>${text}</code>`;
  return html`<p class="hint">
    ${words.say('records.caa-fields', { flags: code(flags), tag: code(tag), value: code(name) })}
  </p>`;
}

/** What to do for each kind of record, in the terms of the DNS host's own form. */
function advice({ words }: ViewContext, rows: readonly RecordRow[], dnsHost: DomainModel['dnsHost']): Html {
  const added = rows.filter(({ act }) => act === 'Add');
  if (added.length === 0) return nothing;
  if (dnsHost === null) return html`<p class="hint">${words.say('records.where')}</p>`;
  const hasTxt = rows.some(({ type }) => type === 'TXT');
  const told = [...new Set(added.map(({ type }) => adviceOn(type, dnsHost)))].filter(Boolean);
  if (told.length === 0) return html`<p class="hint">${words.say('records.host', { host: dnsHost.name })}.</p>`;
  const params = { name: dnsHost.labels?.name ?? '', value: dnsHost.labels?.value ?? '' };
  return html`<div class="advice">
    <h3>${words.say('records.host', { host: dnsHost.name })}</h3>
    ${told.map((codes) => codes && html`<p>${codes.map((code) => words.text(`host.${withOrWithoutTxt(code, hasTxt)}`, params)).join(' ')}</p>`)}
  </div>`;
}

/** Nothing is asked for that the page does not show: a TXT record is needed once the proxy was seen. */
const withOrWithoutTxt = (code: AdviceCode, hasTxt: boolean) =>
  code === 'cloudflare-proxy' && !hasTxt ? 'cloudflare-proxy-without-txt' : code;

/** Null for types that need none, such as CAA. */
function adviceOn(type: string, { subdomain, apex, txt }: DnsHost): readonly AdviceCode[] | null {
  if (type === 'CNAME') return subdomain;
  if (type === 'TXT') return txt;
  return ['ALIAS', 'A', 'AAAA'].includes(type) ? apex : null;
}

/** For the few forms that do not add the domain to the name. */
function fullNames({ words }: ViewContext, rows: readonly RecordRow[]): Html {
  const names = [...new Set(rows.filter(({ act }) => act === 'Add').map(({ fqdn }) => fqdn))];
  if (names.length === 0) return nothing;
  return html`<details id="full-names">
    <summary>${words.say('records.full-names')}</summary>
    ${names.map(
      (name) => html`<p>${words.say('records.full-name', { name: html`<code>${hostnameText(name)}</code>` })}</p>`,
    )}
  </details>`;
}

/** What was found in DNS instead of what is needed; which records to change stands in the table above. */
function issueNotes(view: ViewContext, model: DomainModel): Html {
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
    ${!changesRecords && html`<p>${sentence(view, words.issues.act(issue))}</p>`}
    ${actor !== 'Owner' && html`<p class="small">${words.say('found.who', { who: words.actors[actor] })}</p>`}
    ${hoursUntilSeen !== null && html`<p class="small">${words.say('found.hours', { count: hoursUntilSeen })}</p>`}
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
    ${record !== '' && html`<p>${words.say('found.record', { record: html`<code>${record}</code>` })}</p>`}
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
          ? words.say('layout.code', { code: shown })
          : words.say('found.code-since', { code: shown, time: bareTime(view, since) })
      }
    </p>
  </details>`;
}

const server = ({ server: name, address, answer }: IssueView['servers'][number]): Html =>
  html`<li><code>${hostnameText(name)}</code>${address === '' ? '' : ` (${address})`}: ${answer}</li>`;
