import type { HandoverLinkView } from '../../use-cases/handover-links.ts';
import { handoverDays, linksPerDomain, senderMaximum } from '../../use-cases/handover-links-port.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { ViewContext } from '../view-context.ts';
import { bareTime, copyButton, csrfField, time, timeAlone } from './elements.ts';

/** The links of one domain, as its account manages them. */
export interface HandoverSectionModel {
  /** where the form is sent */
  readonly action: string;
  /** null if they cannot be looked up right now */
  readonly links: readonly HandoverLinkView[] | null;
  /** the whole URL; shown only once, right after creation */
  readonly created: { readonly url: string; readonly expiresAt: string } | null;
  /** the session's key may create and revoke links */
  readonly mayWrite: boolean;
}

/** The section of a domain's page that makes links for whoever manages its DNS, and revokes them. */
export function handOverSection(view: ViewContext, model: HandoverSectionModel): Html {
  const { words } = view;
  const { links, created, mayWrite } = model;
  return html`<section class="card" id="hand-over" aria-labelledby="hand-over-title">
    <h2 id="hand-over-title">${words.say('handover.section')}</h2>
    ${created === null ? html`<p>${words.say('handover.section-hint')}</p>` : shownOnce(view, created)}
    ${links === null && html`<p role="status">${words.say('handover.unavailable')}</p>`}
    ${links !== null && mayWrite && form(view, model, links.length)}
    ${!mayWrite && html`<p class="hint">${readOnly(view)}</p>`}
    ${links !== null && links.length > 0 && list(view, model, links)}
  </section>`;
}

const readOnly = ({ words }: ViewContext) =>
  words.say('handover.read-only', { scope: html`<code>domains:write</code>` });

const shownOnce = (view: ViewContext, { url, expiresAt }: NonNullable<HandoverSectionModel['created']>): Html =>
  html`<div class="field">
    <label for="new-link">${view.words.say('handover.created')}</label>
    <div class="joined">
      <input id="new-link" readonly value="${url}" autocomplete="off" spellcheck="false" aria-describedby="link-hint" />
      ${copyButton({ id: 'copy-link', label: view.words.say('handover.copy-link'), value: url, about: 'link-hint', isMain: true })}
    </div>
    <p class="hint" id="link-hint">${view.words.say('handover.created-hint', { at: bareTime(view, expiresAt) })}</p>
  </div>`;

const preselected = 7;

function form(view: ViewContext, { action }: HandoverSectionModel, count: number): Html {
  const { words } = view;
  if (count >= linksPerDomain) return html`<p>${words.say('handover.full', { count })}</p>`;
  return html`<form method="post" action="${action}" class="actions">
    ${csrfField(view)}
    <div class="field">
      <label for="link-from">${words.say('handover.from')}</label>
      <input
        id="link-from"
        name="from"
        maxlength="${senderMaximum}"
        autocomplete="organization"
        aria-describedby="from-hint"
      />
      <p class="hint" id="from-hint">${words.say('handover.from-hint')}</p>
    </div>
    <label for="link-days">${words.say('handover.days')}</label>
    <select id="link-days" name="days">
      ${handoverDays.map(
        (days) =>
          html`<option value="${days}" ${days === preselected && html`selected`}>
            ${words.say('handover.day-count', { count: days })}
          </option>`,
      )}
    </select>
    <button id="create-link">${words.say('handover.create')}</button>
  </form>`;
}

function list(view: ViewContext, { action, mayWrite }: HandoverSectionModel, links: readonly HandoverLinkView[]): Html {
  const { words } = view;
  return html`<h3 id="links-title">${words.say('handover.links')}</h3>
    <ul class="handover-links" aria-labelledby="links-title">
      ${links.map(
        ({ id, createdBy, from, createdAt, expiresAt }) =>
          html`<li>
            <dl>
              <dt>${words.say('handover.made-from')}</dt>
              <dd>${from ?? words.say('handover.no-sender')}</dd>
              <dt>${words.say('handover.made')}</dt>
              <dd>${timeAlone(view, createdAt)}</dd>
              <dt>${words.say('handover.made-by')}</dt>
              <dd><code>${createdBy}</code></dd>
              <dt>${words.say('handover.ends')}</dt>
              <dd>${timeAlone(view, expiresAt)}</dd>
            </dl>
            ${mayWrite && revocation(view, `${action}/${encodeURIComponent(id)}/revoke`, createdAt)}
          </li>`,
      )}
    </ul>`;
}

const revocation = (view: ViewContext, action: string, createdAt: string): Html =>
  html`<form method="post" action="${action}">
    ${csrfField(view)}
    <button class="danger">
      ${view.words.say('handover.revoke')}<span class="unseen">
        ${view.words.say('handover.revoke-link', { at: time(view, createdAt) })}</span
      >
    </button>
  </form>`;
