import type { CustomerStatus } from '../../rules/next-step.ts';
import { unicodeOf } from '../../use-cases/unicode-hostname.ts';
import { paths } from '../dashboard-page.ts';
import type { Content } from '../html.ts';
import { Html, html } from '../html.ts';
import type { ViewContext } from '../view-context.ts';

/** Elements that several pages share. */

export const nothing = new Html('');

export const csrfField = ({ csrf }: ViewContext): Html => html`<input type="hidden" name="csrf" value="${csrf}" />`;

const pillClasses: Readonly<Record<CustomerStatus, string>> = {
  NeedsAction: 'needs-action',
  InProgress: 'in-progress',
  Live: 'live',
  AtRisk: 'at-risk',
  Offline: 'offline',
};

/** The customer's status as words; its glyph and colour come from the stylesheet. */
export const statusPill = ({ words }: ViewContext, status: CustomerStatus): Html =>
  html`<span class="pill ${pillClasses[status]}">${words.say(`status.${status}`)}</span>`;

/** How a sentence says a time; the script says each in the visitor's zone and language, and keeps it fresh. */
type TimeForm =
  /** after a verb: "at 7:00 pm", "on 29 Nov at 1:45 am", "in 3 minutes" */
  | 'at'
  /** the same to the second, and never relative */
  | 'exact'
  /** after "until", "before", "since": "7:00 pm", "29 Nov at 1:45 am" */
  | 'until'
  /** on its own: "today at 7:00 pm", "3 minutes ago" */
  | 'alone';

/** Without the script the whole date, in UTC; that stays its tooltip. A text that is no time stays as it is. */
function timeAs({ words }: ViewContext, at: string, form: TimeForm): Content {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const whole = words.text('time.utc', { time: words.minute(date) });
  const clock = form === 'exact' ? words.exactClock(date) : words.clock(date);
  const said = form === 'at' || form === 'exact' ? words.text('time.at', { day: words.day(date), clock }) : whole;
  return html`<time datetime="${at}" title="${whole}" data-local="${form}">${said}</time>`;
}

/** A time within a sentence, after a verb: it brings its "at" or "on" along. `at`: RFC 3339. */
export const time = (view: ViewContext, at: string): Content => timeAs(view, at, 'at');

/** The same to the second. */
export const exactTime = (view: ViewContext, at: string): Content => timeAs(view, at, 'exact');

/** A time after a word such as "until", or with a countdown beside it. */
export const bareTime = (view: ViewContext, at: string): Content => timeAs(view, at, 'until');

/** A time that stands alone, as in a table. */
export const timeAlone = (view: ViewContext, at: string): Content => timeAs(view, at, 'alone');

/** The date alone. */
export function day({ words }: ViewContext, at: string): Content {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : html`<time datetime="${at}">${words.day(date)}</time>`;
}

/** As short as it can be written: a list has hundreds of them. */
const breakHere = new Html('<wbr>');

/**
 * A hostname that may be broken into lines after its dots, and nowhere inside a label (`wbr`). Right inside of a button,
 * whose parts are laid out side by side, it needs an element around it: each label would be a word of its own.
 */
export const hostnameText = (hostname: string): Content =>
  hostname.split('.').map((label, index) => (index === 0 ? label : html`${breakHere}.${label}`));

/** The name of a domain wherever people look for it: beside one of A-labels stands what its owner calls it, in the letters of its language. */
export function domainName(hostname: string): Content {
  const written = unicodeOf(hostname);
  if (written === null) return hostnameText(hostname);
  return html`<bdi>${hostnameText(written)}</bdi> <span class="a-label">(${hostnameText(hostname)})</span>`;
}

/** The same in a sentence or a list, where it begins on a line of its own before it is broken. */
export const wholeHostname = (hostname: string): Html => html`<span class="whole">${domainName(hostname)}</span>`;

/** A label with a hyphen that a column has room for, whose line breaks nowhere inside of it. */
const unbrokenLabel = 28;

/** A hostname in a column of records: its line breaks at dots, and at no hyphen. */
export const recordText = (text: string): Content =>
  text
    .split('.')
    .map((label, index) => [
      index === 0 ? '' : html`${breakHere}.`,
      label.includes('-') && label.length <= unbrokenLabel ? html`<span class="label">${label}</span>` : label,
    ]);

/** From this length on a hostname takes many lines on a phone. */
export const isLong = (hostname: string): boolean => hostname.length >= 60;

/** A hostname as a page's first heading; a long one is smaller, so that what follows stays in sight. */
export const hostnameHeading = (hostname: string): Content =>
  isLong(hostname) ? html`<span class="long">${domainName(hostname)}</span>` : domainName(hostname);

interface Copy {
  readonly id: string;
  readonly label: Content;
  /** what it shows beside its text, where `label` alone names it to screen readers */
  readonly short?: Content;
  readonly value: string;
  /** id of the element that describes what is copied */
  readonly about: string;
  /** the page's primary action */
  readonly isMain?: boolean;
}

/** Visible only if the script is running. */
export const copyButton = ({ id, label, short, value, about, isMain = false }: Copy): Html =>
  html`<button
    type="button"
    class="${isMain ? 'copy main' : 'copy'}"
    id="${id}"
    data-copy="${value}"
    ${short === undefined ? nothing : html`aria-label="${label}"`}
    aria-describedby="${about}"
  >
    ${short ?? label}
  </button>`;

interface Crumb {
  readonly name: Content;
  readonly href: string;
}

/** Breadcrumbs to the page, from the list of projects on; the page itself is not among them, as its heading names it. */
export function trail({ words }: ViewContext, project?: string, domain?: Crumb): Html {
  const crumbs: readonly Crumb[] = [
    { name: words.say('layout.projects'), href: paths.projects },
    ...(project === undefined ? [] : [{ name: project, href: paths.project(project) }]),
    ...(domain ? [domain] : []),
  ];
  return html`<nav class="trail" aria-label="${words.say('layout.breadcrumb')}">
    <ol>
      ${crumbs.map(({ name, href }) => html`<li><a href="${href}">${name}</a></li>`)}
    </ol>
  </nav>`;
}

/** A section with a heading, whose id is the name with `-title`. */
export const card = (name: string, title: Content, content: Content): Html =>
  html`<section class="card" aria-labelledby="${name}-title">
    <h2 id="${name}-title">${title}</h2>
    ${content}
  </section>`;

/** The head of a table whose columns all have a name. */
export const tableHead = (columns: readonly Content[]): Html =>
  html`<thead>
    <tr>
      ${columns.map((column) => html`<th scope="col">${column}</th>`)}
    </tr>
  </thead>`;

/** A choice among these values, each with what it is called; `id` is its name in the form too. */
export const selectField = (
  id: string,
  label: Content,
  options: readonly (readonly [value: string, name: Content])[],
  chosen: string,
): Html =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    <select id="${id}" name="${id}">
      ${options.map(
        ([value, name]) => html`<option value="${value}" ${value === chosen && html`selected`}>${name}</option>`,
      )}
    </select>
  </div>`;

/** The statuses that a redirect can have. */
export const redirectStatuses = ['301', '302', '307', '308'] as const;

/** A link to the hostname itself. */
export const outside = (hostname: string): Html =>
  html`<a href="https://${hostname}/" rel="noopener">${domainName(hostname)}</a>`;

/** A link into a configured place; the text alone where none is configured. */
export const linked = (href: string | null, text: Content): Content =>
  href === null ? text : html`<a href="${href}" rel="noopener">${text}</a>`;

/** What the platform is called within a sentence. */
export const platformOf = ({ words, brand }: ViewContext): string =>
  brand.platformName ?? words.text('layout.the-platform');

/** The platform's support: a link where one is configured. */
export const support = (view: ViewContext): Content =>
  linked(view.brand.supportUrl, view.words.say('layout.support', { platform: platformOf(view) }));

const plainWord = /^[a-z]+(?=[ ,;:])/;
const ended = /[.!?:]$/;
const timestamp = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/**
 * Makes a sentence of a text that starts in lower case and lacks the full stop; a name at its start stays unchanged.
 * Timestamps (RFC 3339) are written as the language writes them.
 */
export function sentence({ words }: ViewContext, text: string): string {
  const begun = text.replace(plainWord, (word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  const told = begun.replaceAll(timestamp, (at) => written(words, at));
  return text === '' || ended.test(told) ? told : `${told}.`;
}

function written(words: ViewContext['words'], at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : words.text('time.utc', { time: words.minute(date) });
}
