import type { DomainView } from '../../use-cases/domain-view.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { ViewContext } from '../view-context.ts';
import type { DomainModel } from '../view-models.ts';
import { bareTime, domainName, hostnameText, nothing, outside, time, timeAlone } from './elements.ts';

/** How far a domain has come, when DNS is checked next, and its facts. */
export const detailsSection = (view: ViewContext, model: DomainModel): Html =>
  html`<section class="card" id="details" aria-labelledby="details-title">
    <h2 id="details-title">${view.words.say('facts.title')}</h2>
    ${progress(view, model.domain)} ${checks(view, model)} ${hints(view, model)} ${facts(view, model.domain)}
  </section>`;

const steps = ['accepted', 'found', 'issued', 'served'] as const;

/** The progress of a domain that is not served yet. */
function progress({ words }: ViewContext, { state, certificate }: DomainView): Html {
  if (state !== 'Pending' && state !== 'Unverified' && state !== 'Verified') return nothing;
  const issued = certificate === null ? 2 : 3;
  const now = state === 'Pending' ? 0 : state === 'Unverified' ? 1 : issued;
  return html`<ol class="steps" aria-label="${words.text('progress.title')}">
    ${steps.map((step, index) => {
      const word = index < now ? 'done' : index === now ? 'now' : 'later';
      return html`<li class="${word}" ${index === now && html`aria-current="step"`}>
        ${words.say(`progress.${step}`)}<span class="unseen">: ${words.say(`progress.${word}`)}</span>
      </li>`;
    })}
  </ol>`;
}

/** Counts down in the script; empty and hidden without it. */
const countdown = (until: string): Html =>
  html`<span class="countdown" role="timer" data-until="${until}" hidden></span>`;

/** How often DNS is checked, in whole hours where it is that. */
function regularity({ words }: ViewContext, { checkEveryMinutes: count }: DomainModel): Content {
  if (count % 60 !== 0) return words.say('progress.every-minutes', { count });
  return words.say('progress.every-hours', { count: count / 60 });
}

const nextCheck = (view: ViewContext, model: DomainModel, at: Html): Content =>
  model.domain.checksEndAt === null
    ? view.words.say('progress.regular-check', { time: at, interval: regularity(view, model) })
    : view.words.say('progress.next-check', { time: at });

/** When DNS will be checked, and until when an old answer may linger in caches. */
function checks(view: ViewContext, model: DomainModel): Html {
  const { words } = view;
  const { checksEnded } = model;
  const { lingersUntil, nextCheckAt, checksEndAt } = model.domain;
  const at = (when: string) => html`${bareTime(view, when)} ${countdown(when)}`;
  return html`${
    lingersUntil === null
      ? nothing
      : html`<p data-over="${lingersUntil}">
          ${words.say('progress.lingers', { time: [bareTime(view, lingersUntil), ' ', countdown(lingersUntil)] })}
        </p>`
  }
  ${nextCheckAt !== null && html`<p>${nextCheck(view, model, at(nextCheckAt))}</p>`}
  ${
    checksEndAt === null
      ? nothing
      : html`<p class="small">
          ${
            checksEnded
              ? words.say('progress.checks-ended', { time: time(view, checksEndAt) })
              : words.say('progress.checks-end', { time: bareTime(view, checksEndAt) })
          }
        </p>`
  }`;
}

/** What caches out there may still show, where that can be the reason for what a visitor sees. */
function hints({ words }: ViewContext, { domain }: DomainModel): Content {
  const hint = (key: 'slow' | 'no-certificate' | 'old-certificate' | 'old-redirect') =>
    html`<p class="hint">${words.say(`progress.${key}`)}</p>`;
  if (domain.state === 'Unverified') return hint('slow');
  if (domain.state === 'Verified') return hint('no-certificate');
  if (domain.state !== 'Live') return nothing;
  return html`<details id="caches">
    <summary>${words.say('progress.caches')}</summary>
    ${hint('old-certificate')} ${domain.redirect === null && hint('old-redirect')}
  </details>`;
}

function facts(view: ViewContext, domain: DomainView): Html {
  const { words } = view;
  const { redirect, waits, createdAt } = domain;
  const rows: readonly (readonly [Content, Content])[] = [
    [words.say('facts.address'), address(view, domain)],
    [
      words.say('facts.role'),
      redirect === null
        ? words.say('facts.primary')
        : words.say('facts.redirect', { to: domainName(redirect.to), status: redirect.status.toString() }),
    ],
    [words.say('facts.certificate'), certificate(view, domain)],
    ...(waits === null
      ? []
      : [[words.say('facts.next-certificate'), nextCertificate(view, domain.state, waits)] as const]),
    [words.say('facts.added'), createdAt === null ? words.say('facts.added-now') : timeAlone(view, createdAt)],
    [words.say('facts.code'), html`<code>${domain.reason}</code>`],
  ];
  return html`<dl class="facts">
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

function address({ words }: ViewContext, { hostname, state }: DomainView): Content {
  if (state === 'Live' || state === 'Degraded') return outside(hostname);
  const url = ['https://', hostnameText(hostname), '/'];
  return words.say(state === 'Suspended' ? 'facts.address-again' : 'facts.address-later', { address: url });
}

function certificate(view: ViewContext, { state, certificate: served }: DomainView): Content {
  const { words } = view;
  const isServed = state === 'Live' || state === 'Degraded';
  if (served === null) return words.say(isServed ? 'facts.unknown-certificate' : 'facts.no-certificate');
  const ends = { time: timeAlone(view, served.notAfter) };
  if (served.source === 'own') return words.say('facts.own', ends);
  return words.say(state === 'Suspended' ? 'facts.not-renewed' : 'facts.renews', ends);
}

/** What the next certificate waits for, by the title of its reason, and until when, if known. */
function nextCertificate(
  view: ViewContext,
  state: DomainView['state'],
  { reason, until }: NonNullable<DomainView['waits']>,
): Content {
  const { title } = view.words.help(state, reason);
  return until === null ? title : view.words.say('facts.not-before', { title, time: bareTime(view, until) });
}
