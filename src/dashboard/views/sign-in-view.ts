import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { paths } from '../dashboard-page.ts';
import { nothing, sentence } from './components.ts';

interface SignIn {
  /** why the last attempt failed */
  readonly problem: string | null;
}

/** The field is not of type password, so that no browser offers to save the key; the stylesheet hides its content. */
export const signInMain = ({ problem }: SignIn): Html =>
  html`<section class="card narrow" aria-label="Sign in">
    <p>Sign in with an API key of your account to see your projects and their domains.</p>
    <form method="post" action="${paths.signIn}">
      <div class="field">
        <label for="key">API key</label>
        <input
          id="key"
          name="key"
          class="secret"
          required
          maxlength="200"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          ${problem === null ? nothing : html`aria-invalid="true"`}
          aria-describedby="${problem === null ? 'key-hint' : 'key-problem key-hint'}"
        />
        ${
          problem === null
            ? nothing
            : html`<p id="key-problem" class="error" role="alert">Not signed in: ${sentence(problem)}</p>`
        }
        <p id="key-hint" class="hint">
          It begins with <code>pd_</code>. It is exchanged for a session of 12 hours and is not kept in the page.
        </p>
      </div>
      <button class="main">Sign in</button>
    </form>
    <h2>Don’t have a key?</h2>
    <p>
      Ask whoever set up your account on the platform for one. With a key that still works, you can create new ones
      under “API keys”.
    </p>
  </section>`;
