import { assetPath } from '../static-assets.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { AccountView } from '../../use-cases/account-and-usage.ts';
import type { LayoutModel, Notice } from '../view-models.ts';
import { paths } from '../dashboard-page.ts';
import { csrfField, nothing, sentence } from './components.ts';

const sections = [
  { id: 'projects', name: 'Projects', href: paths.projects },
  { id: 'plan', name: 'Plan and usage', href: '/dashboard/plan' },
  { id: 'keys', name: 'API keys', href: paths.keys },
  { id: 'help', name: 'Help', href: '/dashboard/help' },
] as const;

interface Options {
  /** URL of the event stream that the page follows */
  readonly live?: string;
}

/** The whole document. Its first heading is the frame's title; the page's content follows it. */
export function layout(frame: LayoutModel, main: Html, { live }: Options = {}): string {
  const { title, account, notice } = frame;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} · Custom domains</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assetPath('style.css')}" />
        <script type="module" src="${assetPath('dashboard.js')}"></script>
      </head>
      <body ${live === undefined ? nothing : html`data-live="${live}"`}>
        <a class="skip" href="#main">Skip to content</a>
        <header class="top">
          <a class="brand" href="${paths.projects}">Custom domains</a>
          ${account === null ? nothing : navigation(frame, account)}
        </header>
        <main id="main" tabindex="-1">
          <div class="title">
            <h1>${title}</h1>
            <p id="stream" class="stream" hidden></p>
          </div>
          <div id="problem">${notice?.kind === 'problem' ? noticeBox(notice) : nothing}</div>
          ${notice?.kind === 'done' ? noticeBox(notice) : nothing} ${main}
          <div id="announce" class="unseen" aria-live="polite"></div>
        </main>
      </body>
    </html>`;
  return document.text.replaceAll(/\n\s+/g, '\n');
}

function navigation({ section, csrf }: LayoutModel, { name, plan }: AccountView): Html {
  return html`<nav aria-label="Main">
      <ul>
        ${sections.map(
          ({ id, name: label, href }) =>
            html`<li><a href="${href}" ${id === section ? html`aria-current="page"` : nothing}>${label}</a></li>`,
        )}
      </ul>
    </nav>
    <div class="account">
      <span>${name} <span class="tag">${plan}</span></span>
      <form method="post" action="/dashboard/sign-out">
        ${csrfField(csrf ?? '')}
        <button class="quiet">Sign out</button>
      </form>
    </div>`;
}

const noticeBox = ({ kind, title, detail, code }: Notice): Html =>
  html`<div class="notice ${kind}" role="${kind === 'problem' ? 'alert' : 'status'}">
    <p><strong>${sentence(title)}</strong> ${sentence(detail)}</p>
    ${code === null ? nothing : html`<p class="small">Code: <code>${code}</code></p>`}
  </div>`;
