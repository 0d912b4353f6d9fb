/* global document, performance, window, location, navigator, fetch, setTimeout, clearTimeout, setInterval, EventSource, URL, DOMParser, CustomEvent, HTMLElement, HTMLFormElement, HTMLInputElement, HTMLTemplateElement, Element */

/** Progressive enhancement: every function of the dashboard also works without this script, by loading pages. */

document.documentElement.classList.add('script');

// Shows the notice of an action once, and not again when the page is reloaded.
if (location.search.startsWith('?done=')) {
  const shown = new URL(location.href);
  for (const name of ['done', 'since', 'was']) shown.searchParams.delete(name);
  window.history.replaceState(null, '', shown.pathname + shown.search);
}

/** @param {string} id */
export const byId = (id) => document.getElementById(id);

/** Announces a change to screen readers, which are told nothing of a text that stays the same. @param {string} text */
export function announce(text) {
  const region = byId('announce');
  if (region) region.textContent = region.textContent === text ? `${text}\u00A0` : text;
}

const catalogue = byId('words');
/** @type {Record<string, string | Record<string, string>>} */
const texts = catalogue instanceof HTMLTemplateElement ? JSON.parse(catalogue.content.textContent ?? '{}') : {};
const language = document.documentElement.lang;
const plurals = new Intl.PluralRules(language);

/**
 * A text of the catalogue, with its parameters filled in.
 * @param {string} key
 * @param {Record<string, string | number>} [params] `count` decides the plural form
 */
export function say(key, params = {}) {
  const text = texts[key] ?? key;
  const form = typeof text === 'string' ? text : (text[plurals.select(Number(params.count))] ?? text.other ?? key);
  return form.replaceAll(/\{(\w+)\}/g, (_, name) => String(params[name] ?? ''));
}

/* times, as a person says them */

/** The visitor's own variant of the page's language: `en-US` of `en`. */
const locale = navigator.languages.find((one) => one.split('-')[0] === language.split('-')[0]) ?? language;
const clocks = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const exactClocks = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const wholeDays = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
const distances = new Intl.RelativeTimeFormat(locale);

/** A time nearer than this, in milliseconds, is told by its distance. */
const nearMs = 3_600_000;
const minuteMs = 60_000;

/** The number of days in the visitor's zone from one time to another. @param {Date} from @param {Date} to */
const daysBetween = (from, to) =>
  Math.round((new Date(to).setHours(12, 0, 0, 0) - new Date(from).setHours(12, 0, 0, 0)) / 86_400_000);

/**
 * In the visitor's zone: "in 3 minutes", "at 7:00 PM", "tomorrow at 7:00 PM", "on 29 Nov at 1:45 AM".
 * @param {Date} at
 * @param {string} [form] how the sentence goes on: at, exact, until or alone
 */
export function phrase(at, form = 'at') {
  const now = new Date();
  const left = at.getTime() - now.getTime();
  if ((form === 'at' || form === 'alone') && Math.abs(left) < nearMs) {
    if (left > 0) return distances.format(Math.ceil(left / minuteMs), 'minute');
    return left > -minuteMs ? say('now') : distances.format(Math.ceil(left / minuteMs), 'minute');
  }
  const clock = (form === 'exact' ? exactClocks : clocks).format(at);
  const ahead = daysBetween(now, at);
  if (ahead === 0 && form === 'until') return clock;
  if (ahead === 0) return form === 'alone' ? say('today-at', { clock }) : say('at-clock', { clock });
  if (ahead === 1) return say('tomorrow-at', { clock });
  if (ahead === -1) return say('yesterday-at', { clock });
  const day = (at.getFullYear() === now.getFullYear() ? days : wholeDays).format(at);
  return form === 'at' || form === 'exact' ? say('on-day-at', { day, clock }) : say('day-at', { day, clock });
}

/** Shows times in the visitor's time zone; the tooltip is the time in UTC. @param {Document} page */
function showLocalTimes(page) {
  for (const element of page.querySelectorAll('time[data-local]')) {
    const at = new Date(element.getAttribute('datetime') ?? '');
    if (Number.isNaN(at.getTime())) continue;
    const said = phrase(at, element.getAttribute('data-local') ?? undefined);
    if (element.textContent !== said) element.textContent = said;
  }
}

/** @param {string} text */
export function parsed(text) {
  const page = new DOMParser().parseFromString(text, 'text/html');
  showLocalTimes(page);
  return page;
}

/** @param {Element | null | undefined} element */
export const words = (element) => (element?.textContent ?? '').replaceAll(/\s+/g, ' ').trim();

showLocalTimes(document);

/** Each part of the page as the server sent it, whatever is opened, copied or counted down in it since. @type {WeakMap<Element, string>} */
const sources = new WeakMap();
for (const part of document.querySelectorAll('#panel > *, #setup > *, #records-live > *'))
  sources.set(part, part.outerHTML);

/** How often what is relative is told anew, in milliseconds. */
const retoldEvery = 10_000;
setInterval(() => showLocalTimes(document), retoldEvery);

/* copy */

const copiedFor = 2_000;

/** The label of each button that says that its text was copied, for when it no longer does. @type {WeakMap<Element, string>} */
const copyLabels = new WeakMap();

/** @param {HTMLElement} button */
async function copy(button) {
  const label = button.getAttribute('aria-label') ?? copyLabels.get(button) ?? words(button);
  byId('copy-refused')?.remove();
  try {
    await navigator.clipboard.writeText(button.dataset.copy ?? '');
  } catch {
    refuseCopy(button);
    return;
  }
  announce(say('copied', { label }));
  showCopied(button);
}

/** Of a button that is clicked again, the first time runs out. @param {HTMLElement} button */
function showCopied(button) {
  if (copyLabels.has(button)) return;
  const label = words(button);
  copyLabels.set(button, label);
  button.style.minWidth = `${button.getBoundingClientRect().width}px`;
  button.classList.add('copied');
  button.textContent = say('copied-short');
  setTimeout(() => {
    copyLabels.delete(button);
    button.classList.remove('copied');
    button.style.minWidth = '';
    button.textContent = label;
  }, copiedFor);
}

/** Selects the text that the button stands behind, and says so beside it. @param {HTMLElement} button */
function refuseCopy(button) {
  const text = button.previousElementSibling;
  if (text instanceof HTMLInputElement) text.select();
  else if (text) window.getSelection()?.selectAllChildren(text);
  const note = document.createElement('span');
  note.id = 'copy-refused';
  note.className = 'hint';
  note.textContent = say('copy-refused');
  button.after(note);
  announce(say('copy-refused'));
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
/** Buttons whose form was sent and has not been answered. @type {Set<Element>} */
const sent = new Set();

document.addEventListener('submit', (event) => {
  const { target, submitter } = event;
  const button = submitter ?? (target instanceof HTMLFormElement ? target.querySelector('button') : null);
  if (event.defaultPrevented || !(button instanceof window.HTMLButtonElement)) return;
  // A second click of a double one may come before the button is disabled.
  if (sent.has(button)) return void event.preventDefault();
  sent.add(button);
  const label = button.textContent;
  const reset = () => {
    button.disabled = false;
    button.textContent = label;
    working.delete(reset);
    sent.delete(button);
  };
  // After the event, because a disabled button is left out of the submitted form.
  setTimeout(() => {
    button.disabled = true;
    button.textContent = say('working');
    announce(say('working'));
    working.add(reset);
    setTimeout(reset, patience);
  });
});

/** A page restored from the back/forward cache still has its disabled buttons. */
window.addEventListener('pageshow', () => {
  for (const reset of [...working]) reset();
});

/* menus */

document.addEventListener('keydown', ({ key }) => {
  const menu = document.querySelector('.menu[open]');
  if (key !== 'Escape' || !menu || document.querySelector('dialog[open]')) return;
  menu.removeAttribute('open');
  menu.querySelector('summary')?.focus();
});

document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('.menu[open]'))
    if (!(target instanceof Element && (menu.contains(target) || target.closest('dialog'))))
      menu.removeAttribute('open');
});

/* times that are counted down */

/** Further away than this, in seconds, a time is told by the clock alone. */
const countedFrom = 3_600;

/** Shows how long it is until each time on the page that is near, and nothing once it has passed. */
function countDown() {
  for (const element of document.querySelectorAll('.countdown')) {
    const left = Math.ceil((Date.parse(element.getAttribute('data-until') ?? '') - Date.now()) / 1_000);
    const minutes = Math.floor(left / 60);
    element.toggleAttribute('hidden', !(left > 0 && left < countedFrom));
    element.textContent =
      minutes > 0 ? say('left', { minutes, seconds: left % 60 }) : say('seconds-left', { seconds: left });
  }
  // What holds until a time is not said any longer.
  for (const element of document.querySelectorAll('[data-over]'))
    element.toggleAttribute('hidden', Date.parse(element.getAttribute('data-over') ?? '') <= Date.now());
}

countDown();
setInterval(countDown, 1_000);

/* live updates */

/**
 * Replaces an element that the server sends otherwise now, and keeps the focus.
 * @param {Element} old
 * @param {Element} next
 */
function replace(old, next) {
  const source = next.outerHTML;
  if (source === (sources.get(old) ?? old.outerHTML)) return;
  sources.set(next, source);
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  for (const { id } of old.querySelectorAll('details[open]'))
    if (id !== '') next.querySelector(`[id="${id}"]`)?.setAttribute('open', '');
  old.replaceWith(next);
  if (focused) (focused.id === '' ? next.querySelector('a') : (byId(focused.id) ?? byId('main')))?.focus();
}

/** The notice of an action is shown for at least this long after the page was loaded. */
const noticeMs = 5_000;

/** How long a check may take until the page says that it takes longer than usual. */
const checkMs = 60_000;

/** The notice of a check that was asked for and has not ended. */
const pendingNotice = () => /** @type {HTMLElement | null} */ (document.querySelector('.notice.done[data-since]'));

/** Ends the notice of the check that was asked for, once the panel shows what that found: also where nothing has changed. */
function endCheck() {
  const notice = pendingNotice();
  const line = byId('checked');
  const at = line?.querySelector('time');
  if (!notice || !line || !at || line.dataset.ahead === 'true') return;
  if (!(Number(line.dataset.version) >= Number(notice.dataset.since))) return;
  const isSame = notice.dataset.was === line.dataset.key;
  const said = document.createElement('p');
  const strong = document.createElement('strong');
  const found = { time: words(at), status: line.dataset.status ?? '' };
  strong.textContent = isSame ? say('checked-still', found) : say('checked-now', found);
  said.append(strong);
  delete notice.dataset.since;
  notice.replaceChildren(said);
}

if (pendingNotice())
  setTimeout(() => {
    const text = pendingNotice()?.querySelector('p');
    if (text) text.textContent = say('check-late');
  }, checkMs);

/** @param {Element | null} incoming */
function showPanel(incoming) {
  const panel = byId('panel');
  if (!panel || !incoming) return;
  const before = words(byId('state-title'));
  const kept = [...incoming.children].map(({ id }) => id);
  for (const old of [...panel.children]) if (!kept.includes(old.id)) old.remove();
  for (const [index, section] of [...incoming.children].entries()) {
    const old = byId(section.id);
    if (old) replace(old, section);
    else {
      sources.set(section, section.outerHTML);
      panel.insertBefore(section, panel.children[index] ?? null);
    }
  }
  countDown();
  endCheck();
  const after = words(byId('state-title'));
  if (after === before) return;
  announce(say('changed', { hostname: panel.dataset.name ?? '', state: after }));
  setTimeout(() => {
    if (!pendingNotice()) document.querySelector('.notice.done')?.remove();
  }, noticeMs - performance.now());
}

/* the page of several domains */

/** Changes that come together are one request for the page. */
const setupPause = 1_000;
let setupTimer = 0;

/** @param {string} hostname */
function changedSetup(hostname) {
  if (!byId('setup')?.dataset.hostnames?.split(' ').includes(hostname)) return;
  clearTimeout(setupTimer);
  setupTimer = setTimeout(() => void refreshSetup(), setupPause);
}

async function refreshSetup() {
  try {
    const response = await fetch(location.href);
    if (!response.ok || response.redirected) return;
    const page = parsed(await response.text());
    const before = words(byId('setup-state'));
    for (const next of page.querySelectorAll('#setup > *')) {
      const old = byId(next.id);
      if (old) replace(old, next);
    }
    const after = words(byId('setup-state'));
    if (after !== before) announce(after);
  } catch {
    // The server is unreachable: the stream says so, and the next change asks again.
  }
}

/** Tells the script of the list. @param {string} name @param {object} detail */
const tell = (name, detail) => void document.dispatchEvent(new CustomEvent(name, { detail }));

/** @param {string} hostname */
function removed(hostname) {
  changedSetup(hostname);
  const panel = byId('panel');
  if (panel?.dataset.hostname === hostname) {
    const note = document.createElement('p');
    note.className = 'card';
    note.textContent = say('removed-page', { hostname: panel.dataset.name ?? hostname });
    panel.replaceChildren(note);
    byId('ask-remove')?.remove();
    announce(say('removed', { hostname }));
  }
  if (!byId(`row-${hostname}`)) return;
  tell('domain-removed', { hostname });
  announce(say('removed', { hostname }));
}

/** @param {MessageEvent<string>} event */
function changed({ data }) {
  const { hostname, row, panel } = JSON.parse(data);
  tell('domain-changed', { hostname, row });
  changedSetup(hostname);
  if (panel !== undefined && byId('panel')?.dataset.hostname === hostname)
    showPanel(parsed(panel).getElementById('panel'));
}

/** Removes what was deleted while the stream was disconnected. @param {MessageEvent<string>} event */
function named({ data }) {
  const { hostnames } = JSON.parse(data);
  const own = byId('panel')?.dataset.hostname;
  if (own !== undefined && !hostnames.includes(own)) removed(own);
  const shown = [...document.querySelectorAll('#domains tbody tr')].map(({ id }) => id.slice('row-'.length));
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
    const text = say(on ? 'live' : 'reconnecting');
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

/* the page that a hand-over link opens */

const refreshEvery = 15_000;
/** A page that is left open does not ask for ever: its link "Check again" does. */
const refreshFor = 3_600_000;

/** Replaces what has changed; the text of a live region is kept in its element, so that it is read out. @param {Document} page */
function showRecords(page) {
  for (const next of [...(page.getElementById('records-live')?.children ?? [])]) {
    const old = byId(next.id);
    if (!old) continue;
    if (next.getAttribute('role') !== 'status') replace(old, next);
    else if (words(old) !== words(next)) {
      old.className = next.className;
      old.textContent = words(next);
    }
  }
}

/** Asks for the page again while somebody looks at it, until the link ends. */
function followRecords() {
  const ends = performance.now() + refreshFor;
  let timer = 0;
  const later = (wait = refreshEvery) => {
    clearTimeout(timer);
    if (document.visibilityState === 'visible' && performance.now() < ends) timer = setTimeout(refresh, wait);
  };
  const refresh = async () => {
    let wait = refreshEvery;
    try {
      const response = await fetch(location.pathname, { credentials: 'omit' });
      if (response.status === 404) return location.reload();
      wait = Math.max(wait, Number(response.headers.get('retry-after')) * 1_000 || 0);
      if (response.ok) showRecords(parsed(await response.text()));
    } catch {
      // The server is unreachable: the next attempt may reach it.
    }
    later(wait);
  };
  document.addEventListener('visibilitychange', () => later(0));
  later();
}

if (byId('records-live')) followRecords();
