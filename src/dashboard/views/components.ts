import type { Content } from '../html.ts';
import { Html, html } from '../html.ts';
import { paths } from '../dashboard-page.ts';

/** Components that several pages share. */

export const nothing = new Html('');

export const csrfField = (csrf: string): Html => html`<input type="hidden" name="csrf" value="${csrf}" />`;

/** The state as a word; its glyph and colour come from the stylesheet. */
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

/**
 * Makes a sentence of a message that starts in lower case and lacks the full stop; a name at its start stays unchanged.
 * Timestamps are shown in the dashboard's format.
 */
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
  /** id of the element that describes what is copied */
  readonly about: string;
}

/** Visible only if the script is running. */
export const copyButton = ({ id, label, value, about }: Copy): Html =>
  html`<button type="button" class="copy" id="${id}" data-copy="${value}" aria-describedby="${about}">
    ${label}
  </button>`;

export interface Crumb {
  readonly name: string;
  readonly href: string;
}

/** Breadcrumbs to the page; the page itself is not among them, as its heading names it. */
export const trail = (crumbs: readonly Crumb[]): Html =>
  html`<nav class="trail" aria-label="Breadcrumb">
    <ol>
      ${crumbs.map(({ name, href }) => html`<li><a href="${href}">${name}</a></li>`)}
    </ol>
  </nav>`;

export const outside = (hostname: string): Html => html`<a href="https://${hostname}/" rel="noopener">${hostname}</a>`;

/** Explains a plan without custom domains: why, what keeps working and what to do. */
export const withoutDomains = (address: string | null): Html =>
  html`<p>
      <strong>Why:</strong> every custom domain is checked in DNS and gets a certificate, which is renewed for as long
      as you use the domain. This is part of the plans Pro, Business and Enterprise.
    </p>
    <p>
      <strong>What keeps working:</strong> your project stays online at its platform
      address${address === null ? '' : html` ${outside(address)}`}, with HTTPS.
    </p>
    <p>
      <strong>What you can do:</strong> ask the platform for an upgrade, where you manage your subscription or through
      its support. Nothing has to be set up again: you can add a domain here as soon as the plan changes.
    </p>`;

interface Failure {
  readonly title: string;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
}

/** What went wrong and where to continue. The title is the page's heading. */
export const problemMain = ({ detail, code, requestId }: Failure): Html =>
  html`<section class="card" aria-label="What went wrong">
    <p role="alert">${sentence(detail)}</p>
    <p class="actions"><a class="button main" href="${paths.projects}">Go to your projects</a></p>
    <p class="hint">Your browser’s Back button takes you to where you were. Nothing that was saved before is lost.</p>
    <p class="small">
      Code <code>${code}</code>, request <code>${requestId}</code>: mention both when you ask for help.
    </p>
  </section>`;
