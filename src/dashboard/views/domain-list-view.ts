import { customerStatuses } from '../../rules/next-step.ts';
import { bothForms } from '../../use-cases/unicode-hostname.ts';
import type { DomainView, DomainSituation } from '../../use-cases/domain-view.ts';
import { statusForCustomer } from '../../use-cases/domain-view.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import { listPath, paths } from '../dashboard-page.ts';
import type { ViewContext } from '../view-context.ts';
import type { ListModel } from '../view-models.ts';
import { csrfField, day, domainName, nothing, statusPill, wholeHostname } from './elements.ts';
import { explanationOf } from './explanation.ts';
import { verifyLabel } from './step-view.ts';

/** From this many domains on, the list can be searched and filtered. */
const manyDomains = 8;

/**
 * A page of the project's domains. The table exists even without rows: the script inserts domains that are added
 * elsewhere, if they match the filter and belong between the keys of this page.
 */
export function listSection(view: ViewContext, model: ListModel, open: boolean): Html {
  const { words } = view;
  const { filter, items, total, after, until } = model;
  const isFiltered = filter.status !== null || filter.text !== '';
  return html`<section aria-labelledby="list-title" class="list">
    <h2 id="list-title">${words.say('domains.list')}</h2>
    ${(total >= manyDomains || isFiltered) && finding(view, model)} ${empty(view, model, open)}
    <table
      id="domains"
      class="stack domains"
      aria-labelledby="list-title"
      data-text="${filter.text}"
      ${filter.status !== null && html`data-rank="${customerStatuses.indexOf(filter.status)}"`}
      ${after !== null && html`data-after="${after}"`}
      ${until !== null && html`data-until="${until}"`}
      ${items.length === 0 && html`hidden`}
    >
      <thead>
        <tr>
          <td>${model.mayWrite && selectAll(view)}</td>
          <th scope="col">${words.say('domains.column-hostname')}</th>
          <th scope="col">${words.say('domains.column-role')}</th>
          <th scope="col">${words.say('domains.column-status')}</th>
          <th scope="col">${words.say('domains.column-certificate')}</th>
          <td></td>
        </tr>
      </thead>
      <tbody>
        ${items.map((situation) => domainRow(view, situation, model.mayWrite))}
      </tbody>
    </table>
    ${model.mayWrite && acting(view, model)} ${pager(view, model)}
  </section>`;
}

/** Search and filter work on the server: the list has pages. */
function finding({ words }: ViewContext, { project, filter, counts }: ListModel): Html {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const here = (status: ListModel['filter']['status'], name: Content, count: number): Html =>
    html`<li>
      <a
        href="${listPath(project.name, { ...filter, status })}"
        ${filter.status === status && html`aria-current="true"`}
        >${name} <span class="count">${count}</span></a
      >
    </li>`;
  return html`<div class="finding">
    <form method="get" action="${paths.project(project.name)}" role="search" class="joined">
      ${filter.status !== null && html`<input type="hidden" name="status" value="${filter.status}" />`}
      <input
        type="search"
        name="q"
        value="${filter.text}"
        maxlength="253"
        aria-label="${words.say('domains.search')}"
      />
      <button>${words.say('domains.search-submit')}</button>
    </form>
    <nav aria-label="${words.say('domains.filter')}">
      <ul>
        ${here(null, words.say('domains.all'), all)}
        ${customerStatuses
          .filter((status) => counts[status] > 0 || filter.status === status)
          .map((status) => here(status, words.say(`status.${status}`), counts[status]))}
      </ul>
    </nav>
  </div>`;
}

/** The hint for a page without rows, one for each cause; the script shows it again when the last row has gone. */
function empty({ words }: ViewContext, { project, items, filter, total, page }: ListModel, open: boolean): Html {
  const isFiltered = filter.status !== null || filter.text !== '';
  const beyond = page > 1 || (items.length > 0 && total > items.length);
  const text = isFiltered
    ? words.say('domains.none-found')
    : beyond
      ? words.say('domains.none-here')
      : words.say(open ? 'domains.empty' : 'domains.empty-closed');
  return html`<p id="empty" class="card" ${items.length > 0 && html`hidden`}>
    ${text}
    ${(isFiltered || beyond) && html`<a href="${paths.project(project.name)}">${words.say('domains.show-all')}</a>`}
  </p>`;
}

/** Works with the script alone, which shows it. */
const selectAll = ({ words }: ViewContext): Html =>
  html`<input type="checkbox" id="all" aria-label="${words.say('domains.select-all')}" hidden />`;

/** Kept small, because a page has many rows. Cells say what they are without their column's heading: phones lack it. */
export function domainRow(view: ViewContext, situation: DomainSituation, mayWrite: boolean): Html {
  const { domain } = situation;
  const { hostname } = domain;
  const here = paths.domain(domain.project, hostname);
  const status = statusForCustomer(situation);
  const why = status !== 'Live' && html`<span>${explanationOf(view, situation).title}</span>`;
  return html`<tr id="row-${hostname}" data-rank="${customerStatuses.indexOf(status)}">
    <td>${mayWrite && box(view, hostname)}</td>
    <th scope="row"><a href="${here}">${domainName(hostname)}</a></th>
    <td>${role(view, domain)}</td>
    <td>${statusPill(view, status)} ${why}</td>
    <td>${certificate(view, domain)}</td>
    <td>${mayWrite && menu(view, domain, here)}</td>
  </tr>`;
}

const box = ({ words }: ViewContext, hostname: string): Html => {
  const label = words.say('domains.select', { hostname: bothForms(hostname) });
  return html`<input type="checkbox" form="bulk" name="hostname" value="${hostname}" aria-label="${label}" />`;
};

const role = ({ words }: ViewContext, { redirect }: DomainView): Content =>
  redirect === null
    ? words.say('domains.primary')
    : words.say('domains.redirect', { to: wholeHostname(redirect.to), status: String(redirect.status) });

const certificate = (view: ViewContext, { certificate: served }: DomainView): Content =>
  served === null
    ? view.words.say('domains.no-certificate')
    : view.words.say('domains.expires', { day: day(view, served.notAfter) });

/**
 * Verify is sent by the one form of all rows; the other entries lead to pages that ask. A redirect that is not served
 * may become the primary of some projects too; its own page knows which.
 */
function menu(view: ViewContext, { hostname, state, redirect }: DomainView, here: string): Html {
  const { words } = view;
  const isServed = state === 'Live' || state === 'Degraded';
  return html`<details name="menu">
    <summary aria-label="${words.say('domains.menu', { hostname: bothForms(hostname) })}">⋯</summary>
    <ul>
      ${
        state !== 'Pending' &&
        html`<li><button form="each" formaction="${here}/verify">${verifyLabel(view, state)}</button></li>`
      }
      ${redirect !== null && isServed && html`<li><a href="${here}/primary">${words.say('act.make-primary')}</a></li>`}
      ${redirect !== null && html`<li><a href="${here}/redirect">${words.say('act.change-destination')}</a></li>`}
      <li><a href="${here}/remove">${words.say('act.remove')}</a></li>
    </ul>
  </details>`;
}

const acting = (view: ViewContext, { project, items }: ListModel): Html =>
  html`<form id="each" method="post" action="${paths.project(project.name)}/domains/bulk" hidden>
      ${csrfField(view)}
    </form>
    <form
      id="bulk"
      method="post"
      action="${paths.project(project.name)}/domains/bulk"
      class="actions"
      ${items.length === 0 && html`hidden`}
    >
      ${csrfField(view)}
      <span id="bulk-label">${view.words.say('domains.bulk')}</span>
      <button name="act" value="verify" aria-describedby="bulk-label">${view.words.say('act.verify')}</button>
      <button name="act" value="set-up" aria-describedby="bulk-label">${view.words.say('domains.set-up')}</button>
      <button class="danger" name="act" value="remove" aria-describedby="bulk-label">
        ${view.words.say('act.remove')}
      </button>
    </form>`;

function pager({ words }: ViewContext, { project, filter, page, pages }: ListModel): Content {
  if (pages === 1) return nothing;
  const to = (other: number, rel: 'prev' | 'next', text: Content): Content =>
    other >= 1 && other <= pages && html`<a rel="${rel}" href="${listPath(project.name, filter, other)}">${text}</a>`;
  return html`<nav class="pages" aria-label="${words.say('domains.pages')}">
    ${to(page - 1, 'prev', words.say('domains.previous'))}
    <span>${words.say('domains.page', { page, pages })}</span>
    ${to(page + 1, 'next', words.say('domains.next'))}
  </nav>`;
}
