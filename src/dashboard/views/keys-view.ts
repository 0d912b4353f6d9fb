import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { scopes } from '../../rules/api-key-format.ts';
import type { KeyView } from '../../use-cases/api-keys.ts';
import type { KeysModel } from '../view-models.ts';
import type { ViewContext } from '../view-context.ts';
import { paths } from '../dashboard-page.ts';
import { bareTime, card, copyButton, csrfField, day, tableHead, timeAlone } from './elements.ts';

export function keysMain(view: ViewContext, model: KeysModel): Html {
  const { created, mayWrite } = model;
  if (!mayWrite) return readOnly(view);
  return html`${created === null ? creating(view) : shownOnce(view, created)} ${list(view, model)} ${create(view)}`;
}

const readOnly = ({ words }: ViewContext): Html =>
  card('scope', words.say('keys.no-scope'), html`<p>${words.say('keys.no-scope-detail')}</p>`);

/** The form is long and stands below the list. */
const creating = ({ words }: ViewContext): Html =>
  html`<p class="actions"><a class="button main" href="#create">${words.say('keys.create')}</a></p>`;

function shownOnce({ words }: ViewContext, { id, key }: NonNullable<KeysModel['created']>): Html {
  const label = words.say('keys.copy');
  return html`<section class="card good" aria-labelledby="new-title">
    <h2 id="new-title">${words.say('keys.new')}</h2>
    <p id="new-hint"><strong>${words.say('keys.copy-now')}</strong> ${words.say('keys.keep-safe')}</p>
    <div class="field">
      <label for="new-key">${words.say('keys.key', { id })}</label>
      <div class="joined">
        <input id="new-key" readonly value="${key}" autocomplete="off" spellcheck="false" aria-describedby="new-hint" />
        ${copyButton({ id: 'copy-key', label, value: key, about: 'new-hint', isMain: true })}
      </div>
    </div>
  </section>`;
}

const columns = ['key', 'scopes', 'used', 'expires', 'created', 'delete'] as const;

function list(view: ViewContext, { keys, own, now }: KeysModel): Html {
  const { words } = view;
  return html`<section aria-labelledby="keys-title">
    <h2 id="keys-title">${words.say('keys.list')}</h2>
    ${
      keys.length === 0
        ? html`<p class="card">${words.say('keys.none')}</p>`
        : html`<table class="stack keys" aria-labelledby="keys-title">
            ${tableHead(columns.map((column) => words.say(`keys.column-${column}`)))}
            <tbody>
              ${keys.map((key) => row(view, key, { isOwn: key.id === own, isExpired: isPast(key.expiresAt, now) }))}
            </tbody>
          </table>`
    }
  </section>`;
}

const isPast = (at: string | null, now: number): boolean => at !== null && Date.parse(at) <= now;

interface RowContext {
  /** the key that opened this session */
  readonly isOwn: boolean;
  readonly isExpired: boolean;
}

function row(view: ViewContext, key: KeyView, { isOwn, isExpired }: RowContext): Html {
  const { words } = view;
  const { id, name, expiresAt, createdAt, lastUsedAt, bannedUntil } = key;
  const banned = bannedUntil === null ? null : words.say('keys.banned', { at: bareTime(view, bannedUntil) });
  return html`<tr>
    <th scope="row">
      ${name !== null && html`${name} `}<code>${id}</code>
      ${isOwn && html`<span class="tag">${words.say('keys.own')}</span>`}
      ${isExpired && html`<span class="pill offline">${words.say('keys.expired')}</span>`}
      ${banned && html`<span class="pill offline"><span>${banned}</span></span>`}
    </th>
    <td data-label="${words.say('keys.column-scopes')}">
      ${key.scopes.map((scope) => html`<span class="tag">${words.say(`scope.${scope}`)}</span> `)}
    </td>
    <td data-label="${words.say('keys.column-used')}">
      ${lastUsedAt === null ? words.say('keys.never-used') : timeAlone(view, lastUsedAt)}
    </td>
    <td data-label="${words.say('keys.column-expires')}">
      ${expiresAt === null ? words.say('keys.never-expires') : timeAlone(view, expiresAt)}
    </td>
    <td data-label="${words.say('keys.column-created')}">${day(view, createdAt)}</td>
    <td data-label="${words.say('keys.column-delete')}">${deletion(view, id, isOwn)}</td>
  </tr>`;
}

const deletion = (view: ViewContext, id: string, isOwn: boolean): Html =>
  html`<details>
    <summary>
      ${view.words.say('keys.delete')}<span class="unseen"> ${view.words.say('keys.delete-which', { id })}</span>
    </summary>
    <form method="post" action="${paths.keys}/${encodeURIComponent(id)}/delete">
      ${csrfField(view)}
      <p>${view.words.say(isOwn ? 'keys.delete-own' : 'keys.delete-effect')}</p>
      <button class="danger">${view.words.say('keys.delete-confirm', { id })}</button>
    </form>
  </details>`;

function create(view: ViewContext): Html {
  const { words } = view;
  return html`<section class="card" id="create" aria-labelledby="create-title">
    <h2 id="create-title">${words.say('keys.create')}</h2>
    <form method="post" action="${paths.keys}">
      ${csrfField(view)}
      <div class="field">
        <label for="name">${words.say('keys.name')}</label>
        <input id="name" name="name" maxlength="64" autocomplete="off" aria-describedby="name-hint problem" />
        <p id="name-hint" class="hint">${words.say('keys.name-hint')}</p>
      </div>
      <fieldset aria-describedby="scopes-hint">
        <legend>${words.say('keys.scopes')}</legend>
        ${scopes.map(
          (id) =>
            html`<div class="choice">
              <label>
                <input type="checkbox" name="scopes" value="${id}" aria-describedby="code-${id}" />
                ${words.say(`scope.${id}`)}
              </label>
              <code class="hint" id="code-${id}">${id}</code>
            </div>`,
        )}
        <p id="scopes-hint" class="hint">${words.say('keys.scopes-hint')}</p>
      </fieldset>
      <div class="field">
        <label for="expiresAt">${words.say('keys.expires')}</label>
        <input id="expiresAt" name="expiresAt" type="date" aria-describedby="expires-hint problem" />
        <p id="expires-hint" class="hint">${words.say('keys.expires-hint')}</p>
      </div>
      <button>${words.say('keys.submit')}</button>
    </form>
  </section>`;
}
