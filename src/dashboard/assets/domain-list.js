/* global document, Element, HTMLInputElement */
import { announce, byId, parsed, say, words } from './dashboard.js';

/** The list of a project's domains: rows that come, change and go while it is open, its menus and its selection. */

const table = byId('domains');
const body = table?.querySelector('tbody');

/** @returns {HTMLTableRowElement[]} */
const rows = () => [...(body?.children ?? [])].map((row) => /** @type {any} */ (row));

/** @param {Element} row */
const hostnameOf = ({ id }) => id.slice('row-'.length);

/** Where a row stands in the list: by status, then by hostname. @param {HTMLTableRowElement} row */
const keyOf = (row) => `${row.dataset.rank} ${hostnameOf(row)}`;

/** Whether a row that is new belongs to this page: by the filter and between the page's keys. */
function belongsHere(/** @type {HTMLTableRowElement} */ row) {
  const { text = '', rank, after, until } = table?.dataset ?? {};
  const key = keyOf(row);
  if (!hostnameOf(row).includes(text) || (rank !== undefined && rank !== row.dataset.rank)) return false;
  return (after === undefined || key > after) && (until === undefined || key <= until);
}

const controls = 'a, button, input, summary';

/** What a control does: the same in two versions of a row, which may have different menus. */
const doingOf = (/** @type {Element} */ control) =>
  `${control.tagName} ${control.getAttribute('href') ?? control.getAttribute('formaction') ?? ''}`;

/**
 * Puts a row in another's place, with the selection, the open menu and the focus of the other.
 * @param {HTMLTableRowElement} old
 * @param {HTMLTableRowElement} next
 */
function replace(old, next) {
  const menu = next.querySelector('details');
  if (menu) menu.open = old.querySelector('details')?.open ?? false;
  const [was, is] = [old.querySelector('input'), next.querySelector('input')];
  if (was && is) is.checked = was.checked;
  if (old.outerHTML === next.outerHTML) return;
  const focused = [...old.querySelectorAll(controls)].find((control) => control === document.activeElement);
  old.replaceWith(next);
  if (!focused) return;
  const same = [...next.querySelectorAll(controls)].find((control) => doingOf(control) === doingOf(focused));
  const control = same ?? next.querySelector('summary') ?? next.querySelector('a');
  /** @type {any} */ (control)?.focus();
}

/** The numbers beside the filters are those of the page as it was loaded. */
function forgetCounts() {
  for (const count of document.querySelectorAll('.finding .count')) count.remove();
}

/** A row stays where it is when its status changes: nothing moves away from under a finger. */
function show(/** @type {HTMLTableRowElement | null} */ row) {
  if (!row) return;
  const old = rows().find(({ id }) => id === row.id);
  if (!old && !belongsHere(row)) return;
  const before = words(old?.children[3]);
  if (old) replace(old, row);
  else body?.insertBefore(row, rows().find((other) => keyOf(other) > keyOf(row)) ?? null);
  const after = words(row.children[3]);
  if (after === before) return;
  listed();
  announce(say('changed', { hostname: hostnameOf(row), state: after }));
}

/** @param {string} hostname */
function remove(hostname) {
  const row = rows().find((one) => hostnameOf(one) === hostname);
  if (!row) return;
  const hadFocus = row.contains(document.activeElement);
  row.remove();
  listed();
  if (hadFocus) byId('main')?.focus();
}

/** Shows the table, or the hint for a page without rows. */
function listed() {
  forgetCounts();
  const none = rows().length === 0;
  byId('empty')?.toggleAttribute('hidden', !none);
  for (const id of ['domains', 'bulk']) byId(id)?.toggleAttribute('hidden', none);
}

/** Parses a row inside a table: outside of one the parser would drop its cells. @param {string} text */
const parsedRow = (text) => parsed(`<table>${text}</table>`).querySelector('tr');

document.addEventListener('domain-changed', (event) => show(parsedRow(/** @type {any} */ (event).detail.row)));
document.addEventListener('domain-removed', (event) => remove(/** @type {any} */ (event).detail.hostname));

/* menus */

/** @param {Element | null} except */
function closeMenus(except) {
  for (const menu of document.querySelectorAll('.domains details[open]')) {
    if (!except || !menu.contains(except)) menu.removeAttribute('open');
  }
}

/** A menu that would be cut off below opens upwards, where there is room. */
document.addEventListener(
  'toggle',
  ({ target }) => {
    const menu =
      target instanceof Element && target.matches('.domains details[open]') ? target.querySelector('ul') : null;
    if (!menu) return;
    menu.classList.remove('up');
    const { bottom, height } = menu.getBoundingClientRect();
    const above = menu.parentElement?.getBoundingClientRect().top ?? 0;
    menu.classList.toggle('up', bottom > document.documentElement.clientHeight && above > height);
  },
  true,
);

document.addEventListener('click', ({ target }) => closeMenus(target instanceof Element ? target : null));
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  const open = document.activeElement?.closest('.domains details[open]');
  closeMenus(null);
  open?.querySelector('summary')?.focus();
});

/* selection */

const all = byId('all');
if (all instanceof HTMLInputElement) {
  all.hidden = false;
  all.addEventListener('change', () => {
    for (const row of rows()) {
      const box = row.querySelector('input');
      if (box) box.checked = all.checked;
    }
  });
}
