import type { AssetName } from '../static-assets.ts';
import { assetPath, brandStylesheetPath } from '../static-assets.ts';
import type { Content } from '../html.ts';
import { Html, html } from '../html.ts';
import type { AccountView } from '../../use-cases/account-and-usage.ts';
import type { Notice } from '../notice.ts';
import type { LayoutModel } from '../view-models.ts';
import type { ViewContext } from '../view-context.ts';
import { paths } from '../dashboard-page.ts';
import { csrfField, exactTime } from './elements.ts';
import { problemWords } from './problem-view.ts';

const sections = [
  { id: 'projects', href: paths.projects },
  { id: 'plan', href: paths.plan },
  { id: 'keys', href: paths.keys },
  { id: 'help', href: '/dashboard/help' },
] as const;

export interface LayoutOptions {
  /** URL of the event stream that the page follows */
  readonly live?: string | undefined;
  /** scripts of this page alone */
  readonly scripts?: readonly AssetName[] | undefined;
  /** for somebody without an account: no way into the dashboard */
  readonly isAlone?: boolean;
}

/** The whole document. Its first heading is the frame's title; the page's content follows it. */
export function layout(
  view: ViewContext,
  frame: LayoutModel,
  main: Html,
  { live, isAlone = false, scripts = [] }: LayoutOptions = {},
): string {
  const { title, account, notice } = frame;
  const { words, brand } = view;
  const document = html`<!doctype html>
    <html lang="${words.language}">
      <head>
        <meta charset="utf-8" />
        <title>${title} · ${brand.name}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="${assetPath('icon.svg')}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assetPath('style.css')}" />
        ${brandStylesheetLink(brand)} ${['dashboard.js' as const, 'waiting.js' as const, ...scripts].map(scriptTag)}
      </head>
      <body ${live !== undefined && html`data-live="${live}"`}>
        <a class="skip" href="#main">${words.say('layout.skip')}</a>
        <header class="top">
          ${
            isAlone
              ? html`<span class="brand">${brand.name}</span>`
              : html`<a class="brand" href="${paths.projects}">${brand.name}</a>`
          }
          ${account && navigation(view, frame, account)}
        </header>
        <main id="main" tabindex="-1">
          <div class="title">
            <h1>${frame.heading ?? title}</h1>
            <p id="stream" class="stream" hidden></p>
          </div>
          <div id="problem">${notice?.kind === 'problem' && noticeBox(view, notice)}</div>
          ${notice !== null && notice.kind !== 'problem' && noticeBox(view, notice)} ${main}
          <div id="announce" class="unseen" aria-live="polite"></div>
        </main>
        <template id="words">${jsonIn(words.scriptTexts)}</template>
      </body>
    </html>`;
  return document.text.replaceAll(/\n\s+/g, '\n').replaceAll(betweenBlocks, '');
}

/** The end of a line before what is laid out as a block, a table or a list: it shows nowhere, and a page with many rows has kilobytes of it. */
const betweenBlocks =
  /\n(?=<\/?(?:html|head|meta|title|link|script|body|header|main|nav|section|div|form|h[1-6]|p|[uo]l|li|table|thead|tbody|tr|t[dh]|details|summary|option)\b)/g;

function brandStylesheetLink(brand: ViewContext['brand']): Content {
  const href = brandStylesheetPath(brand);
  return href !== null && html`<link rel="stylesheet" href="${href}" />`;
}

const scriptTag = (name: AssetName): Html => html`<script type="module" src="${assetPath(name)}"></script>`;

/** Data as the text of an element, where quotes stand for themselves. */
const jsonIn = (data: unknown): Html => new Html(JSON.stringify(data).replaceAll('&', '&amp;').replaceAll('<', '&lt;'));

function navigation(view: ViewContext, { section }: LayoutModel, { name, plan }: AccountView): Html {
  const { words } = view;
  return html`<nav aria-label="${words.say('layout.navigation')}">
      <ul>
        ${sections.map(
          ({ id, href }) =>
            html`<li>
              <a href="${href}" ${id === section && html`aria-current="page"`}>${words.say(`layout.${id}`)}</a>
            </li>`,
        )}
      </ul>
    </nav>
    <div class="account">
      <span>${name} <span class="tag">${plan}</span></span>
      <form method="post" action="/dashboard/sign-out">
        ${csrfField(view)}
        <button class="quiet">${words.say('layout.sign-out')}</button>
      </form>
    </div>`;
}

function noticeBox(view: ViewContext, notice: Notice): Html {
  const { words } = view;
  if (notice.kind === 'done') {
    return html`<div class="notice done" role="status">
      <p><strong>${notice.title}</strong> ${notice.detail}</p>
    </div>`;
  }
  if (notice.kind === 'checking') {
    return html`<div class="notice done" role="status" data-since="${String(notice.since)}" data-was="${notice.was}">
      <p><strong>${words.say('done.verify')}</strong> ${words.say('done.verify-detail')}</p>
    </div>`;
  }
  if (notice.kind === 'checked') {
    const told = { time: exactTime(view, notice.at), status: words.say(`status.${notice.status}`) };
    return html`<div class="notice done" role="status">
      <p><strong>${words.say(notice.isSame ? 'domain.checked-still' : 'domain.checked-now', told)}</strong></p>
    </div>`;
  }
  const { title, detail } = problemWords(view, notice.problem);
  const code = html`<code>${notice.problem.code}</code>`;
  return html`<div class="notice problem" role="alert">
    <p><strong>${title}.</strong> ${detail}</p>
    <p class="small">${words.say('layout.code', { code })}</p>
  </div>`;
}
