import type { Content } from '../html.ts';
import { Html, html } from '../html.ts';
import { paths } from '../dashboard-page.ts';

/** Small pieces that several pages are made of. */

export const nothing = new Html('');

export const csrfField = (csrf: string): Html => html`<input type="hidden" name="csrf" value="${csrf}" />`;

/** The state as a word; its glyph and colour come from the style. */
export const pill = (state: string): Html => html`<span class="pill ${state.toLowerCase()}">${state}</span>`;

const minutes = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

function timed(at: string, format: Intl.DateTimeFormat, zone: string): Content {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return html`<time datetime="${at}">${format.format(date)}${zone}</time>`;
}

export const time = (at: string): Content => timed(at, minutes, ' UTC');
export const day = (at: string): Content => timed(at, days, '');

const plainWord = /^[a-z]+(?=[ ,;:])/;
const ended = /[.!?:]$/;

const timestamp = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** What the rules say begins small and ends open; a name at its beginning stays as it is. Times are told as elsewhere. */
export function sentence(text: string): string {
  const begun = text
    .replace(plainWord, (word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .replaceAll(timestamp, (at) => (Number.isNaN(Date.parse(at)) ? at : `${minutes.format(new Date(at))} UTC`));
  return text === '' || ended.test(begun) ? begun : `${begun}.`;
}

/** "1 domain", "2 domains". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

interface Copy {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** id of what says which one it is */
  readonly about: string;
}

/** Shown only where the script can do it. */
export const copyButton = ({ id, label, value, about }: Copy): Html =>
  html`<button type="button" class="copy" id="${id}" data-copy="${value}" aria-describedby="${about}">
    ${label}
  </button>`;

export interface Crumb {
  readonly name: string;
  readonly href: string;
}

/** Where the page is; the page itself is its heading. */
export const trail = (crumbs: readonly Crumb[]): Html =>
  html`<nav class="trail" aria-label="Breadcrumb">
    <ol>
      ${crumbs.map(({ name, href }) => html`<li><a href="${href}">${name}</a></li>`)}
    </ol>
  </nav>`;

export const outside = (hostname: string): Html => html`<a href="https://${hostname}/" rel="noopener">${hostname}</a>`;

/** What a plan without custom domains cannot do, why, and what goes on. */
export const withoutDomains = (address: string | null): Html =>
  html`<p>
      <strong>Why:</strong> every domain of your own is checked in DNS, given a certificate and renewed for as long as
      you use it. That is part of the plans Pro, Business and Enterprise.
    </p>
    <p>
      <strong>What goes on:</strong> your project stays online at its platform
      address${address === null ? '' : html` ${outside(address)}`}, with HTTPS.
    </p>
    <p>
      <strong>What you can do:</strong> ask the platform for an upgrade, where you manage your subscription or through
      its support. Nothing has to be set up again: a domain can be added here the moment the plan changes.
    </p>`;

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
