/* global document, fetch, setTimeout, clearTimeout, FormData, URLSearchParams, AbortController */
/* global HTMLFormElement, HTMLInputElement, HTMLElement */
import { announce, byId, parsed, phrase } from './dashboard.js';

/** The form that adds a domain: what Add would answer, and what DNS says, while a hostname is being typed. */

/** After a pause of this long Add is asked, which costs one request. */
const previewPause = 300;
/** After so long again DNS is looked at, which costs ten; each hostname once. */
const lookPause = 700;
/** How long nothing is asked after a refusal that does not say when to ask again. */
const refusedPause = 60_000;
/** Browser timers are not reliable over longer periods. */
const longestPause = 3_600_000;
/** While less than this part of the quota is left, DNS is looked at only on demand. */
const reserve = 1 / 4;

const form = byId('add');
const hostname = byId('hostname');
const preview = byId('preview');
const look = byId('look');

if (form instanceof HTMLFormElement && hostname instanceof HTMLInputElement && preview && look) {
  enhance(form, hostname, { preview, look });
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} hostname
 * @param {{ preview: HTMLElement, look: HTMLElement }} places
 */
function enhance(form, hostname, places) {
  const words = JSON.parse(form.dataset.words ?? '{}');
  /** by hostname and what it does: what DNS said @type {Map<string, string>} */
  const seen = new Map();
  let timer = 0;
  let last = new AbortController();
  /** Nothing is asked before: requests while others are refused would count towards a ban. */
  let retryAt = 0;

  const stop = () => {
    clearTimeout(timer);
    last.abort();
    last = new AbortController();
    return last.signal;
  };
  const fields = () => new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const keyOf = () => ['hostname', 'role', 'to'].map((name) => fields().get(name)).join(' ');
  const ask = async (/** @type {string} */ path, /** @type {AbortSignal} */ signal) => {
    const response = await fetch(`${form.action}/${path}`, { method: 'POST', body: fields(), signal });
    retryAt = Math.max(retryAt, Date.now() + pauseAfter(response));
    return response;
  };
  const say = (/** @type {string} */ text) => {
    const hint = document.createElement('p');
    hint.className = 'hint';
    hint.textContent = text;
    places.look.replaceChildren(hint);
  };

  /** Whether requests are refused for now. That is said, and the check goes on when they no longer are. */
  const waits = () => {
    const left = retryAt - Date.now();
    if (left <= 0) return false;
    say(words.refused.replace('{time}', phrase(new Date(retryAt))));
    clearTimeout(timer);
    timer = later(Math.min(left, longestPause), typed);
    return true;
  };

  /** @param {AbortSignal} signal */
  const lookNow = async (signal) => {
    const key = keyOf();
    const known = seen.get(key);
    if (known !== undefined) return fill(places.look, known);
    say(words.running);
    const response = await ask('look', signal);
    const text = await textOf(response);
    if (signal.aborted) return;
    if (text === null) return waits() ? undefined : places.look.replaceChildren();
    fill(places.look, text);
    if (!places.look.querySelector('[data-seen]')) return;
    seen.set(key, text);
    announce(words.seen);
  };

  /** @param {AbortSignal} signal */
  const previewNow = async (signal) => {
    const response = await ask('preview', signal);
    const text = await textOf(response);
    if (signal.aborted) return null;
    fill(places.preview, text ?? '');
    waits();
    const found = places.preview.querySelector('[data-look]');
    offerPair(found instanceof HTMLElement ? (found.dataset.pair ?? '') : null);
    return found instanceof HTMLElement ? { isWhole: found.dataset.look !== '', isLow: isLow(response) } : null;
  };

  /** @param {string | null} counterpart the hostname that can be added too; '' if there is none, null if not known */
  const offerPair = (counterpart) => {
    const choice = byId('pair');
    const box = choice?.querySelector('input');
    const label = choice?.querySelector('span');
    if (!choice || !box || !label) return;
    choice.hidden = counterpart === '';
    box.disabled = counterpart === '';
    label.textContent = counterpart ? words.pairNamed.replace('{hostname}', counterpart) : words.pair;
  };

  const typed = () => {
    const signal = stop();
    places.look.replaceChildren();
    if (!/[^.]\.[^.]/.test(hostname.value)) {
      places.preview.replaceChildren();
      return offerPair(null);
    }
    if (waits()) return places.preview.replaceChildren();
    timer = later(previewPause, async () => {
      const possible = await previewNow(signal);
      if (!possible?.isWhole) return;
      if (seen.has(keyOf())) return lookNow(signal);
      if (possible.isLow) return say(words.saving);
      timer = later(lookPause, () => lookNow(signal));
    });
  };

  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'pair') return;
    typed();
  });
  form.addEventListener('submit', () => void stop());
  byId('check')?.addEventListener('click', (event) => {
    if (!form.reportValidity()) return;
    event.preventDefault();
    const signal = stop();
    places.look.replaceChildren();
    if (waits()) return;
    later(0, async () => {
      if (await previewNow(signal)) await lookNow(signal);
    });
  });
}

/**
 * Runs work later. What was interrupted, or did not reach the server, leaves no trace: the form works without it.
 * @param {number} ms
 * @param {() => unknown} work
 */
const later = (ms, work) =>
  setTimeout(() => {
    Promise.resolve()
      .then(work)
      .catch(() => undefined);
  }, ms);

/** The fragment; null for any other answer. @param {Response} response */
const textOf = async (response) => (response.ok && !response.redirected ? await response.text() : null);

/** Milliseconds until the next request may be sent; 0 unless this one was refused. @param {Response} response */
const pauseAfter = ({ status, headers }) =>
  status === 429 ? Number(headers.get('retry-after')) * 1_000 || refusedPause : 0;

/** @param {Response} response */
function isLow({ headers }) {
  const left = Number(headers.get('x-ratelimit-remaining'));
  return left < Number(headers.get('x-ratelimit-limit')) * reserve;
}

/**
 * @param {HTMLElement} place
 * @param {string} text
 */
function fill(place, text) {
  place.replaceChildren(...parsed(text).body.childNodes);
}
