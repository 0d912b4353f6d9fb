import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import { paths } from '../dashboard-page.ts';
import type { SignInRefusal } from '../notice.ts';
import type { ViewContext } from '../view-context.ts';
import { bareTime, platformOf, time } from './elements.ts';

/**
 * The field is not of type password, so that no browser offers to save the key; the stylesheet hides its content. `refusal` says why the
 * visitor is not signed in; null on a first visit.
 */
export function signInMain(view: ViewContext, refusal: SignInRefusal | null): Html {
  const { words } = view;
  return html`<section class="card narrow" aria-label="${words.say('sign-in.title')}">
    <p>${words.say('sign-in.lead')}</p>
    <form method="post" action="${paths.signIn}">
      <div class="field">
        <label for="key">${words.say('sign-in.key')}</label>
        <input
          id="key"
          name="key"
          class="secret"
          required
          maxlength="200"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          ${refusal && html`aria-invalid="true"`}
          aria-describedby="${refusal === null ? 'key-hint' : 'key-problem key-hint'}"
        />
        ${refusal && html`<p id="key-problem" class="error" role="alert">${refused(view, refusal)}</p>`}
        <p id="key-hint" class="hint">${words.say('sign-in.hint', { prefix: html`<code>pd_</code>` })}</p>
      </div>
      <button class="main">${words.say('sign-in.submit')}</button>
    </form>
    <h2>${words.say('sign-in.no-key')}</h2>
    <p>${words.say('sign-in.ask', { platform: platformOf(view) })}</p>
  </section>`;
}

function refused(view: ViewContext, { code, at }: SignInRefusal): Content {
  const { words } = view;
  if (code === 'banned') return words.say('sign-in.banned', { at: bareTime(view, at ?? '') });
  if (code === 'expired') return words.say('sign-in.expired', { at: time(view, at ?? '') });
  return words.say(`sign-in.${code}`);
}
