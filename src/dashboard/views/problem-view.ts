import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { paths } from '../dashboard-page.ts';
import { sentence } from './components.ts';

interface Failure {
  readonly title: string;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
}

/** What went wrong and where to go on. The title is the page's heading. */
export const problemMain = ({ detail, code, requestId }: Failure): Html =>
  html`<section class="card" aria-label="What went wrong">
    <p role="alert">${sentence(detail)}</p>
    <p class="actions"><a class="button main" href="${paths.projects}">Go to your projects</a></p>
    <p class="hint">Your browser’s Back brings you to where you were. Nothing that was saved before is lost.</p>
    <p class="small">Code <code>${code}</code>, request <code>${requestId}</code>: name both when you ask for help.</p>
  </section>`;
