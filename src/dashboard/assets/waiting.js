/* global document, window, location, sessionStorage, setInterval, clearInterval, HTMLButtonElement */
import { byId, phrase, say } from './dashboard.js';

/**
 * After a refusal nothing is worth sending before its time: the buttons of all forms wait until then, on this page and on the next ones of
 * this tab, say until when, and work again.
 */

const stored = 'projectdomain.refused-until';

/** Whose requests are refused: another session in this tab has another budget. */
const session = () =>
  /** @type {HTMLInputElement | null} */ (document.querySelector('input[name="csrf"]'))?.value ?? '';

/** Milliseconds since the Unix epoch, by the visitor's own clock; 0 while nothing is refused. */
function refusedUntil() {
  try {
    const { of, at } = JSON.parse(sessionStorage.getItem(stored) ?? '{}');
    return of === session() ? Number(at) : 0;
  } catch {
    return 0;
  }
}

/** @param {number} at */
function remember(at) {
  try {
    sessionStorage.setItem(stored, JSON.stringify({ of: session(), at }));
  } catch {
    // Without storage the button of this page waits, and those of the next ones are refused.
  }
}

/** Buttons that send a form, but for the one that signs out: that is always allowed. */
const senders = () =>
  [...document.querySelectorAll('form[method="post"] button:not(.quiet, [type="button"]), button[form]')].filter(
    (button) => button instanceof HTMLButtonElement,
  );

/** @param {HTMLButtonElement} button @param {number} until */
function hold(button, until) {
  button.dataset.label ??= button.textContent ?? '';
  button.disabled = true;
  const label = button.dataset.label.trim();
  const said = say('again', { label, time: phrase(new Date(until)) });
  if (button.textContent !== said) button.textContent = said;
}

/** @param {HTMLButtonElement} button */
function release(button) {
  if (button.dataset.label === undefined) return;
  button.disabled = false;
  button.textContent = button.dataset.label;
  delete button.dataset.label;
}

const retry = byId('retry');
const everyMs = 1_000;
let until = 0;
let timer = 0;

function tick() {
  const isRefused = Date.now() < until;
  for (const button of [...(retry instanceof HTMLButtonElement ? [retry] : []), ...senders()]) {
    if (isRefused) hold(button, until);
    else release(button);
  }
  if (!isRefused) clearInterval(timer);
}

function wait() {
  until = Math.max(until, refusedUntil());
  if (Date.now() >= until) return;
  clearInterval(timer);
  timer = setInterval(tick, everyMs);
  tick();
}

if (retry instanceof HTMLButtonElement) {
  until = Date.now() + Number(retry.dataset.wait) * 1_000;
  remember(until);
  retry.hidden = false;
  retry.addEventListener('click', () => {
    if (retry.dataset.back === undefined) location.reload();
    else window.history.back();
  });
}

wait();

/** A page restored from the back/forward cache does not run its scripts again. */
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) wait();
});
