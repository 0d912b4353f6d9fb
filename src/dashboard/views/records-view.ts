import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { recordStatusWords } from '../../help/issue-help.ts';
import type { DomainView, RecordView } from '../../use-cases/describe-domain.ts';
import type { DomainModel } from '../view-models.ts';
import { copyButton, nothing } from './components.ts';

/** The records as registrars' forms expect them, with advice in the terms of the DNS host's own form. */
export function recordsSection({ domain, dnsHost }: DomainModel): Html {
  const { records } = domain;
  return html`<section class="card" id="records" aria-labelledby="records-title">
    <h2 id="records-title">${isFound(domain) ? 'Records to keep' : 'Records to create'}</h2>
    <p>${introduction(domain)}</p>
    <table class="stack records" aria-labelledby="records-title">
      <thead>
        <tr>
          <th scope="col">Type</th>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
          <th scope="col">TTL</th>
          <th scope="col">In DNS</th>
        </tr>
      </thead>
      <tbody>
        ${records.map(row)}
      </tbody>
    </table>
    ${records.some(({ type }) => type === 'ALIAS') && dnsHost === null ? aliasHint : nothing}
    ${dnsHost === null ? anyHost : advice(records, dnsHost)}
  </section>`;
}

/** Whether the records were found in DNS. For a domain that was served before, anything missing is among its issues. */
const isFound = ({ state, issues }: DomainView): boolean =>
  state === 'Live' || state === 'Verified' || ((state === 'Degraded' || state === 'Suspended') && !hasErrors(issues));

const hasErrors = (issues: DomainView['issues']): boolean => issues.some(({ severity }) => severity === 'Error');

function introduction(domain: DomainView): string {
  const { state, records, issues } = domain;
  const them = records.length === 1 ? 'this record' : 'these records';
  if (isFound(domain) && hasErrors(issues))
    return `Found in your DNS. Keep ${them}; what else is needed is listed below.`;
  if (state === 'Verified') return `Found in your DNS. Keep ${them}; there is nothing else to create.`;
  if (isFound(domain)) return `Found in your DNS. Keep ${them} for as long as you use the domain.`;
  if (state === 'Pending') return `You can already create ${them}; DNS is checked once the domain is accepted.`;
  return `Create ${them} where the DNS of your domain is managed, exactly as shown.`;
}

const aliasHint = html`<p class="hint">
  Some providers call an ALIAS record ANAME or “CNAME flattening”. It replaces a CNAME at the domain itself, where a
  CNAME is not allowed.
</p>`;

const anyHost = html`<p class="hint">
  DNS is usually managed at the company where you bought the domain. If a form asks for the full name, use the one shown
  below the name.
</p>`;

/** One sentence for each record shown, by its type. */
function advice(
  records: readonly RecordView[],
  { name, subdomain, apex, txt }: NonNullable<DomainModel['dnsHost']>,
): Html {
  const sentences = { CNAME: subdomain, ALIAS: apex, TXT: txt };
  return html`<div class="advice">
    <h3>Your DNS is at ${name}</h3>
    ${records.map(({ type }) => html`<p>${sentences[type]}</p>`)}
  </div>`;
}

const listed = (found: readonly string[]): readonly Html[] => found.map((text) => html`<code>${text}</code> `);

function row({ type, name, fqdn, value, ttl, status, found }: RecordView, index: number): Html {
  const about = `record-${index}`;
  return html`<tr>
    <td data-label="Type" id="${about}"><code>${type}</code></td>
    <td data-label="Name">
      <code>${name}</code>
      ${copyButton({ id: `copy-name-${index}`, label: 'Copy name', value: name, about })}
      <p class="hint">Full name: <code>${fqdn}</code></p>
    </td>
    <td data-label="Value">
      <code>${value}</code>
      ${copyButton({ id: `copy-value-${index}`, label: 'Copy value', value, about })}
    </td>
    <td data-label="TTL">${ttl} <span class="hint">seconds</span></td>
    <td data-label="In DNS">
      <span class="record-status ${status.toLowerCase()}">${recordStatusWords[status]}</span>
      ${status === 'Found' || found.length === 0 ? nothing : html`<p class="hint">Now: ${listed(found)}</p>`}
    </td>
  </tr>`;
}
