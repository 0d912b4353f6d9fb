import type { Page } from 'playwright-core';
import { spacedText } from './spaced-text.ts';

/** A time on a page, with the words around it. */
export interface ShownTime {
  /** RFC 3339 */
  readonly at: string;
  /** in UTC, as it is written */
  readonly written: string;
  /** its sentence as far as the time, with the label of the row or fact that it is in, and the row's pills */
  readonly said: string;
  /** what follows it is counted down to; null where nothing is */
  readonly countedTo: string | null;
}

/** A record in the table of a domain's page, or on the page of a hand-over link. */
interface ShownRecord {
  /** delete, add, or, keep */
  readonly act: string;
  readonly type: string;
  readonly fqdn: string;
  readonly name: string;
  readonly value: string;
  /** found, missing and so on; empty where none is shown */
  readonly status: string;
  readonly found: readonly string[];
  /** what the buttons beside name and value copy */
  readonly copies: readonly string[];
}

/** What a page of the dashboard says, as data; what it does not have is empty or null. */
export interface PageFacts {
  /** milliseconds since the Unix epoch */
  readonly now: number;
  readonly title: string;
  readonly heading: string;
  /** the status of a domain's own page, and what is beside it */
  readonly status: string | null;
  readonly headline: string;
  readonly step: string;
  readonly recordsTitle: string;
  readonly records: readonly ShownRecord[];
  readonly times: readonly ShownTime[];
  readonly details: Readonly<Record<string, { readonly text: string; readonly at: string | null }>>;
  /** newest first */
  readonly timeline: readonly {
    readonly kind: string;
    readonly at: string;
    readonly text: string;
    readonly ends: string | null;
  }[];
  /** of a project */
  readonly rows: readonly {
    readonly hostname: string;
    readonly status: string;
    readonly why: string;
    readonly role: string;
  }[];
  readonly counts: Readonly<Record<string, number>>;
  /** the filter that is on; null without one */
  readonly filter: string | null;
  readonly isOnePage: boolean;
  readonly bulk: { readonly said: string; readonly sends: number; readonly lists: number } | null;
  /** requests per minute and per day, of the plan and as they are counted */
  readonly limits: readonly string[];
  readonly usage: readonly string[];
  /** the row of the key that opened the session */
  readonly ownKey: string | null;
  /** of the platform, that are named anywhere */
  readonly targets: readonly string[];
}

/** Reads the page as it stands. */
export const pageFacts = (page: Page): Promise<PageFacts> => page.evaluate<PageFacts>(read);

/** Breaks within a hostname are elements without text, so its text is whole. */
const read = `(() => {
  const text = (element) => (element?.textContent ?? '').replaceAll(/\\s+/g, ' ').trim();
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const one = (selector, within = document) => within.querySelector(selector);
  const at = (element) => one('time', element)?.getAttribute('datetime') ?? null;
  const label = (element) => element.dataset.label ?? (element.matches('dd') ? text(element.previousElementSibling) : '');
  const said = (element) => {
    const block = element.closest('p, li, dd, td, th') ?? element;
    const until = document.createRange();
    until.setStart(block, 0);
    until.setEndAfter(element);
    const sentence = until.toString().replaceAll(/\\s+/g, ' ').trim().split(/(?<=[.?!]) /).at(-1);
    return [label(block), sentence, ...all('.pill', block.closest('.keys tr') ?? block).map(text)].join(' ').trim();
  };
  const copies = (row) => all('[data-copy]', row).map((button) => button.dataset.copy);
  const state = one('#state');
  const pill = one('#state .pill');
  const counts = all('.finding nav a').map((link) => [text(link.firstChild), Number(text(one('.count', link)))]);
  const bulk = one('form[action$="/domains/bulk/confirm"]');
  const main = ${spacedText}(one('main'));
  return {
    now: Date.now(),
    title: document.title,
    heading: text(one('h1')),
    status: pill && text(pill),
    headline: text(pill?.nextElementSibling),
    step: text(one('#state .step')),
    recordsTitle: text(one('#records-title')),
    records: all('#records tbody tr').map((row) => {
      const [type, name, value] = all('td', row).map((cell) => one('code', cell));
      return {
        act: row.className, type: text(type), fqdn: name?.title ?? '', name: text(name), value: text(value),
        status: text(one('.record-status', row)), found: all('.hint code', row).map(text), copies: copies(row),
      };
    }),
    times: all('time:not([hidden] time)').map((element) => ({
      at: element.getAttribute('datetime'),
      written: element.title || text(element),
      said: said(element),
      countedTo: element.nextElementSibling?.getAttribute('data-until') ?? null,
    })),
    details: Object.fromEntries(all('#details dt').map((name) => [
      text(name), { text: text(name.nextElementSibling), at: at(name.nextElementSibling) },
    ])),
    timeline: all('#timeline li').map((item) => ({
      kind: item.className, at: at(item), text: text(one('p > span', item)), ends: at(one('p > span', item)),
    })),
    rows: all('#domains tbody tr').map((row) => ({
      hostname: text(one('th a', row)), status: text(one('.pill', row)), why: text(one('.pill + span', row)),
      role: text(all('td', row)[1]),
    })),
    counts: Object.fromEntries(counts),
    filter: one('.finding nav a[aria-current]') && text(one('.finding nav a[aria-current]').firstChild),
    isOnePage: !one('nav.pages'),
    bulk: bulk && {
      said: [text(one('h1')), text(one('main .card p')), text(one('button.main', bulk))].join(' '),
      sends: all('input[name=hostname]', bulk).length,
      lists: all('table.outcomes tbody tr').length,
    },
    limits: [...main.matchAll(/([0-9,]+) per (?:minute|day)/g)].map(([, limit]) => limit),
    usage: [...main.matchAll(/of ([0-9,]+) requests used/g)].map(([, limit]) => limit),
    ownKey: all('.keys tr:has(th > .tag)').map((row) =>
      all('td', row).map((cell) => label(cell) + ' ' + text(cell)).join('; '))[0] ?? null,
    targets: [...new Set([main, ...all('[data-copy]').map((button) => button.dataset.copy)].join(' ')
      .match(/\\bp-[a-z2-7]{26}\\.[a-z0-9.-]*[a-z0-9]/g) ?? [])],
  };
})()`;
