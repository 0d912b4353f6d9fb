import type { Content } from '../html.ts';
import { Html, html } from '../html.ts';

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
