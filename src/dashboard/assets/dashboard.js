/* global document, performance, window, location, navigator, fetch, setTimeout, clearTimeout, EventSource, URL, FormData, DOMParser, URLSearchParams, AbortController, HTMLElement, HTMLFormElement, HTMLInputElement, Element */

/** Progressive enhancement: every function of the dashboard also works without this script, by loading pages. */

document.documentElement.classList.add('script');

// Shows the notice of an action once, and not again when the page is reloaded.
if (location.search.startsWith('?done=')) window.history.replaceState(null, '', location.pathname);

/** @param {string} id */
const byId = (id) => document.getElementById(id);

/** Announces a change to screen readers. @param {string} text */
function announce(text) {
  const region = byId('announce');
  if (region) region.textContent = text;
}

/** @param {string} text */
const parsed = (text) => new DOMParser().parseFromString(text, 'text/html');

/** @param {Element | null | undefined} element */
const words = (element) => (element?.textContent ?? '').replaceAll(/\s+/g, ' ').trim();

/* copy */

const copiedFor = 2_000;

/** @param {HTMLElement} button */
async function copy(button) {
  const label = words(button);
  try {
    await navigator.clipboard.writeText(button.dataset.copy ?? '');
  } catch {
    announce('Your browser does not allow copying here; select the text and copy it');
    selectBeside(button);
    return;
  }
  announce(`${label.replace(/^Copy /, '')} copied`);
  button.classList.add('copied');
  setTimeout(() => button.classList.remove('copied'), copiedFor);
}

/** @param {HTMLElement} button */
function selectBeside(button) {
  const shown = button.previousElementSibling;
  if (shown instanceof HTMLInputElement) shown.select();
  else if (shown) window.getSelection()?.selectAllChildren(shown);
}

/* confirmation of Remove */

/** @param {HTMLAnchorElement} link */
async function confirmRemoval(link) {
  try {
    const response = await fetch(link.href);
    const page = parsed(await response.text());
    const question = page.getElementById('remove');
    if (!response.ok || !question) throw new Error('not the page that was requested');
    open(words(page.querySelector('h1')), question, link);
  } catch {
    location.assign(link.href);
  }
}

/**
 * @param {string} title
 * @param {Element} content
 * @param {HTMLElement} opener
 */
function open(title, content, opener) {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'dialog-title');
  const heading = document.createElement('h2');
  heading.id = 'dialog-title';
  heading.tabIndex = -1;
  heading.autofocus = true;
  heading.textContent = title;
  dialog.append(heading, document.importNode(content, true));
  dialog.addEventListener('click', (event) => {
    if (!(event.target instanceof Element && event.target.closest('[data-close]'))) return;
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    (opener.isConnected ? opener : byId(opener.id))?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener('click', (event) => {
  if (!(event.target instanceof Element)) return;
  const button = event.target.closest('[data-copy]');
  if (button instanceof HTMLElement) return void copy(button);
  const link = event.target.closest('a[data-dialog]');
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  void confirmRemoval(/** @type {HTMLAnchorElement} */ (link));
});

/* forms being submitted */

const patience = 30_000;

/** @type {Set<() => void>} */
const working = new Set();

document.addEventListener('submit', (event) => {
  const { target, submitter } = event;
  const button = submitter ?? (target instanceof HTMLFormElement ? target.querySelector('button') : null);
  if (event.defaultPrevented || !(button instanceof window.HTMLButtonElement)) return;
  const label = button.textContent;
  const reset = () => {
    button.disabled = false;
    button.textContent = label;
    working.delete(reset);
  };
  // After the event, because a disabled button is left out of the submitted form.
  setTimeout(() => {
    button.disabled = true;
    button.textContent = 'Working…';
    announce('Working…');
    working.add(reset);
    setTimeout(reset, patience);
  });
});

/** A page restored from the back/forward cache still has its disabled buttons. */
window.addEventListener('pageshow', () => {
  for (const reset of [...working]) reset();
});

/* preview of adding a domain */

const typingPause = 400;

/** @param {HTMLFormElement} form */
function previewing(form) {
  const place = byId('preview');
  const url = form.dataset.preview;
  const hostname = form.elements.namedItem('hostname');
  if (!place || !url || !(hostname instanceof HTMLInputElement)) return;
  let timer = 0;
  let last = new AbortController();
  const update = async () => {
    const current = (last = new AbortController());
    try {
      const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
      const response = await fetch(url, { method: 'POST', body, signal: current.signal });
      const text = response.ok && !response.redirected ? await response.text() : '';
      if (!current.signal.aborted) place.replaceChildren(...parsed(text).body.childNodes);
    } catch {
      if (!current.signal.aborted) place.replaceChildren();
    }
  };
  const later = () => {
    clearTimeout(timer);
    last.abort();
    if (!/[^.]\.[^.]/.test(hostname.value)) return place.replaceChildren();
    timer = setTimeout(update, typingPause);
  };
  form.addEventListener('input', later);
  form.addEventListener('submit', () => {
    clearTimeout(timer);
    last.abort();
  });
}

for (const form of document.querySelectorAll('form[data-preview]')) {
  if (form instanceof HTMLFormElement) previewing(form);
}

/* filter of the list */

const filter = byId('filter');

/** @returns {HTMLTableRowElement[]} */
const rows = () => [...document.querySelectorAll('#domains tbody tr')].map((row) => /** @type {any} */ (row));

/** @param {boolean} aloud */
function filtered(aloud) {
  if (!(filter instanceof HTMLInputElement)) return;
  const wanted = filter.value.trim().toLowerCase();
  const all = rows();
  for (const row of all) row.hidden = !words(row).toLowerCase().includes(wanted);
  if (aloud) announce(`${all.filter(({ hidden }) => !hidden).length} of ${all.length} domains shown`);
}

filter?.addEventListener('input', () => filtered(true));

/* live updates */

/**
 * Replaces an element and keeps the focus.
 * @param {Element} old
 * @param {Element} next
 */
function replace(old, next) {
  if (old.outerHTML === next.outerHTML) return;
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  old.replaceWith(next);
  if (focused) (focused.id === '' ? next.querySelector('a') : (byId(focused.id) ?? byId('main')))?.focus();
}

/** The notice of an action is shown for at least this long after the page was loaded. */
const noticeMs = 5_000;

/** @param {Element | null} incoming */
function showPanel(incoming) {
  const panel = byId('panel');
  if (!panel || !incoming) return;
  const before = words(byId('state-title'));
  for (const section of [...incoming.children]) {
    const old = byId(section.id);
    if (old) replace(old, section);
    else panel.append(section);
  }
  const after = words(byId('state-title'));
  if (after === before) return;
  announce(`${panel.dataset.hostname}: ${after}`);
  setTimeout(() => document.querySelector('.notice.done')?.remove(), noticeMs - performance.now());
}

/** Whether a row belongs to this page of the list. @param {HTMLTableRowElement} row */
function belongsHere({ id }) {
  const { after, until } = byId('domains')?.dataset ?? {};
  return (after === undefined || id > `row-${after}`) && (until === undefined || id <= `row-${until}`);
}

/** @param {HTMLTableRowElement | null} row */
function showRow(row) {
  const body = document.querySelector('#domains tbody');
  if (!body || !row) return;
  const old = byId(row.id);
  if (!old && !belongsHere(row)) return;
  const before = words(old?.children[2]);
  if (old) replace(old, row);
  else body.insertBefore(row, rows().find(({ id }) => id > row.id) ?? null);
  listed();
  const after = words(row.children[2]);
  if (after !== before) announce(`${words(row.children[0])}: ${after}`);
}

/** Shows the hint for an empty list, or else the table; and the filter once there are many rows. */
function listed() {
  const none = rows().length === 0;
  const filtering = filter?.closest('p');
  if (filtering && rows().length >= Number(filtering.dataset.from)) filtering.hidden = false;
  byId('empty')?.toggleAttribute('hidden', !none);
  byId('domains')?.toggleAttribute('hidden', none);
  filtered(false);
}

/** @param {string} hostname */
function removed(hostname) {
  const panel = byId('panel');
  if (panel?.dataset.hostname === hostname) {
    const note = document.createElement('p');
    note.className = 'card';
    note.textContent = `${hostname} was removed. It is no longer served.`;
    panel.replaceChildren(note);
    byId('ask-remove')?.remove();
    announce(`${hostname} was removed`);
  }
  const row = byId(`row-${hostname}`);
  if (!row) return;
  row.remove();
  listed();
  announce(`${hostname} was removed`);
}

/** Parses a row inside a table: outside of one the parser would drop its cells. @param {string} text */
const parsedRow = (text) => parsed(`<table>${text}</table>`).querySelector('tr');

/** @param {MessageEvent<string>} event */
function changed({ data }) {
  const { hostname, row, panel } = JSON.parse(data);
  showRow(parsedRow(row));
  if (byId('panel')?.dataset.hostname === hostname) showPanel(parsed(panel).getElementById('panel'));
}

/** Removes what was deleted while the stream was disconnected. @param {MessageEvent<string>} event */
function named({ data }) {
  const { hostnames } = JSON.parse(data);
  const own = byId('panel')?.dataset.hostname;
  if (own !== undefined && !hostnames.includes(own)) removed(own);
  const shown = byId('domains') ? rows().map(({ id }) => id.slice('row-'.length)) : [];
  for (const hostname of shown) if (!hostnames.includes(hostname)) removed(hostname);
}

/**
 * Leads to the sign-in form if the session has ended: EventSource does not say why a stream ended.
 * @param {string} url a page of the same session
 */
async function checkSession(url) {
  try {
    const { redirected, status } = await fetch(url);
    if (redirected || status === 401 || status === 404) location.assign(url);
  } catch {
    // The server is unreachable: the stream reconnects later, and this check is repeated then.
  }
}

/** A page that spends no quota and is served even while limited or banned. */
const freePage = '/dashboard/plan';

/**
 * Milliseconds until the quota allows a request; 0 if it does now or the server is unreachable. Reopening the stream
 * again and again while requests are refused would count towards a ban.
 */
async function quotaWait() {
  try {
    const { headers } = await fetch(freePage, { method: 'HEAD', redirect: 'manual' });
    if (headers.get('x-ratelimit-remaining') !== '0') return 0;
    const ends = Number(headers.get('x-ratelimit-reset')) * 1_000;
    return Math.max(0, ends - Date.parse(headers.get('date') ?? '')) || 0;
  } catch {
    return 0;
  }
}

const firstWait = 1_000;
/** Browser timers are not reliable over longer periods. */
const longestPause = 3_600_000;
const longestWait = 30_000;

/** @param {string} live */
function follow(live) {
  const shown = byId('stream');
  let wait = firstWait;
  let opened = false;
  const url = new URL(live, location.href);
  /** @type {EventSource | null} */
  let source = null;
  let timer = 0;
  /** @param {boolean} on */
  const showStatus = (on) => {
    if (!shown) return;
    const text = on ? 'Updates: live' : 'Updates: reconnecting…';
    if (shown.textContent !== text && (opened || !on)) announce(text);
    shown.textContent = text;
    shown.classList.toggle('on', on);
    shown.hidden = false;
  };
  const connect = () => {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(url);
    source.addEventListener('open', () => {
      showStatus(true);
      opened = true;
      wait = firstWait;
    });
    source.addEventListener('names', named);
    source.addEventListener('domain', (event) => {
      changed(event);
      url.searchParams.set('since', event.lastEventId);
    });
    source.addEventListener('removed', ({ data }) => removed(JSON.parse(data).hostname));
    source.addEventListener('error', () => {
      source?.close();
      showStatus(false);
      clearTimeout(timer);
      timer = setTimeout(again, wait * (0.75 + Math.random() / 2));
    });
  };
  const again = async () => {
    const refusedFor = Math.min(await quotaWait(), longestPause);
    clearTimeout(timer);
    if (document.visibilityState !== 'visible') return;
    if (refusedFor > 0) {
      timer = setTimeout(again, refusedFor);
      return;
    }
    if (wait > firstWait) void checkSession(url.pathname.replace(/\/events$/, ''));
    wait = Math.min(wait * 2, longestWait);
    connect();
  };
  // Browsers allow six connections to a host (HTTP/1.1): a hidden page closes its stream.
  document.addEventListener('visibilitychange', () => {
    clearTimeout(timer);
    source?.close();
    if (document.visibilityState === 'visible') connect();
  });
  window.addEventListener('pagehide', () => source?.close());
  if (document.visibilityState === 'visible') connect();
}

const { live } = document.body.dataset;
if (live !== undefined) follow(live);
