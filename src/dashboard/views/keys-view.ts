import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { KeyView } from '../../use-cases/api-keys.ts';
import type { KeysModel } from '../view-models.ts';
import { paths } from '../dashboard-page.ts';
import { copyButton, csrfField, day, nothing, time } from './components.ts';

const scopes = [
  { id: 'domains:read', hint: 'see projects and domains' },
  { id: 'domains:write', hint: 'add, change, verify and remove them' },
  { id: 'keys:write', hint: 'see, create and delete API keys' },
] as const;

export function keysMain(model: KeysModel, csrf: string): Html {
  const { created, mayWrite } = model;
  if (!mayWrite) return readOnly;
  return html`${created === null ? nothing : shownOnce(created)} ${list(model, csrf)} ${create(csrf)}`;
}

const readOnly = html`<section class="card" aria-labelledby="scope-title">
  <h2 id="scope-title">This key may not see keys</h2>
  <p>
    The API key you signed in with lacks the scope <code>keys:write</code>. Sign out and sign in with a key that has it
    to see, create and delete keys.
  </p>
</section>`;

const shownOnce = ({ id, key }: NonNullable<KeysModel['created']>): Html =>
  html`<section class="card good" aria-labelledby="new-title">
    <h2 id="new-title">Your new API key</h2>
    <p id="new-hint"><strong>Copy it now: it is shown only once.</strong> Whoever has it can use it.</p>
    <div class="field">
      <label for="new-key">Key ${id}</label>
      <div class="joined">
        <input id="new-key" readonly value="${key}" autocomplete="off" spellcheck="false" aria-describedby="new-hint" />
        ${copyButton({ id: 'copy-key', label: 'Copy key', value: key, about: 'new-hint' })}
      </div>
    </div>
  </section>`;

const list = ({ keys, own, now }: KeysModel, csrf: string): Html =>
  html`<section aria-labelledby="keys-title">
    <h2 id="keys-title">Keys of this account</h2>
    ${
      keys.length === 0
        ? html`<p class="card">There is no key yet. Create one below.</p>`
        : html`<table class="stack keys" aria-labelledby="keys-title">
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">Scopes</th>
                <th scope="col">Last used</th>
                <th scope="col">Expires</th>
                <th scope="col">Created</th>
                <th scope="col">Delete</th>
              </tr>
            </thead>
            <tbody>
              ${keys.map((key) => row(key, { isOwn: key.id === own, isExpired: isPast(key.expiresAt, now), csrf }))}
            </tbody>
          </table>`
    }
  </section>`;

const isPast = (at: string | null, now: number): boolean => at !== null && Date.parse(at) <= now;

interface RowContext {
  /** the key that opened this session */
  readonly isOwn: boolean;
  readonly isExpired: boolean;
  readonly csrf: string;
}

function row(
  { id, scopes: has, expiresAt, createdAt, lastUsedAt, bannedUntil }: KeyView,
  { isOwn, isExpired, csrf }: RowContext,
): Html {
  return html`<tr>
    <th scope="row">
      <code>${id}</code> ${isOwn ? html`<span class="tag">this session</span>` : nothing}
      ${isExpired ? html`<span class="pill suspended">Expired</span>` : nothing}
      ${bannedUntil === null ? nothing : html`<span class="pill suspended"><span>Banned until ${time(bannedUntil)}</span></span>`}
    </th>
    <td data-label="Scopes">${has.map((scope) => html`<span class="tag">${scope}</span> `)}</td>
    <td data-label="Last used">${lastUsedAt === null ? 'never' : time(lastUsedAt)}</td>
    <td data-label="Expires">${expiresAt === null ? 'never' : time(expiresAt)}</td>
    <td data-label="Created">${day(createdAt)}</td>
    <td data-label="Delete">${deletion(id, isOwn, csrf)}</td>
  </tr>`;
}

const deletion = (id: string, isOwn: boolean, csrf: string): Html =>
  html`<details>
    <summary>Delete…<span class="unseen"> key ${id}</span></summary>
    <form method="post" action="${paths.keys}/${encodeURIComponent(id)}/delete">
      ${csrfField(csrf)}
      <p>
        Programs that use it are refused at
        once${isOwn ? ', and you are signed out, because you signed in with it' : nothing}.
      </p>
      <button class="danger">Delete key ${id}</button>
    </form>
  </details>`;

const create = (csrf: string): Html =>
  html`<section class="card" aria-labelledby="create-title">
    <h2 id="create-title">Create a key</h2>
    <form method="post" action="${paths.keys}">
      ${csrfField(csrf)}
      <fieldset>
        <legend>Scopes: what it may do</legend>
        ${scopes.map(
          ({ id, hint }) =>
            html`<div class="choice">
              <label><input type="checkbox" name="scopes" value="${id}" aria-describedby="says-${id}" /> ${id}</label>
              <span class="hint" id="says-${id}">${hint}</span>
            </div>`,
        )}
        <p class="hint">Choose at least one. A key can only be given scopes that your own key has.</p>
      </fieldset>
      <div class="field">
        <label for="expiresAt">Expires at the end of (optional)</label>
        <input id="expiresAt" name="expiresAt" type="date" aria-describedby="expires-hint problem" />
        <p id="expires-hint" class="hint">In UTC. If left empty, the key works until it is deleted.</p>
      </div>
      <button class="main">Create key</button>
    </form>
  </section>`;
