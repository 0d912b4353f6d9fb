import { domainToUnicode } from 'node:url';
import { helpTextOf } from '../../help/reason-help.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { DomainView } from '../../use-cases/describe-domain.ts';
import type { DomainModel } from '../view-models.ts';
import { paths } from '../dashboard-page.ts';
import { foundSection } from './issues-view.ts';
import { csrfField, nothing, outside, pill, sentence, time, trail, withoutDomains } from './components.ts';
import { recordsSection } from './records-view.ts';

export const domainMain = (model: DomainModel, csrf: string): Html =>
  html`${trail([
    { name: 'Projects', href: paths.projects },
    { name: model.project.name, href: paths.project(model.project.name) },
  ])}
  ${domainPanel(model, csrf)}`;

/** The part of the page that is updated live; the script replaces it section by section. */
export const domainPanel = (model: DomainModel, csrf: string): Html =>
  html`<div id="panel" data-hostname="${model.domain.hostname}">
    ${stateSection(model, csrf)} ${recordsSection(model)} ${foundSection(model)} ${timelineSection(model.timeline)}
  </div>`;

function stateSection({ project, domain }: DomainModel, csrf: string): Html {
  const { state, reason, message } = domain;
  const words = helpTextOf(state, reason);
  return html`<section class="card state" id="state" aria-labelledby="state-title">
    <h2 id="state-title">${pill(state)} ${html`<span>${titled(state, reason)}</span>`}</h2>
    <p>${words.meaning}</p>
    <p>${words.todo}</p>
    ${reason === 'PlanUpgradeRequired' ? withoutDomains(project.platformHostname) : nothing}
    ${
      message === '' || state === 'Live'
        ? nothing
        : html`<p class="exactly">${sentence(message)} <code>${reason}</code></p>`
    }
    ${words.symptom === null ? nothing : symptomLink(words.symptom)} ${progress(domain)}
    ${actions(domain, project.name, csrf)} ${facts(domain)}
  </section>`;
}

const symptoms: Readonly<Record<string, string>> = {
  'verification-keeps-failing': 'Verification keeps failing',
  'no-certificate': 'No certificate',
  'connection-not-private': '“Your connection is not private”',
  'redirects-misbehave': 'Redirects misbehave',
};

const symptomLink = (symptom: string): Html =>
  html`<p><a href="/dashboard/help#${symptom}">Help: ${symptoms[symptom] ?? symptom}</a></p>`;

const steps = ['Domain accepted', 'DNS record found', 'Certificate issued', 'Served over HTTPS'] as const;

/** The progress of a domain that is not served yet. */
function progress({ state, certificate }: DomainView): Html {
  if (state !== 'Pending' && state !== 'Unverified' && state !== 'Verified') return nothing;
  const issued = certificate === null ? 2 : 3;
  const now = state === 'Pending' ? 0 : state === 'Unverified' ? 1 : issued;
  return html`<ol class="steps" aria-label="Progress">
    ${steps.map((step, index) => {
      if (index < now) return html`<li class="done">${step}<span class="unseen">: done</span></li>`;
      if (index === now)
        return html`<li class="now" aria-current="step">${step}<span class="unseen">: in progress</span></li>`;
      return html`<li>${step}<span class="unseen">: later</span></li>`;
    })}
  </ol>`;
}

/** A Pending domain waits for something other than DNS, named by its reason: there is nothing to verify yet. */
function actions({ hostname, state }: DomainView, project: string, csrf: string): Html {
  const here = paths.domain(project, hostname);
  const verify = state === 'Unverified' || state === 'Suspended' ? 'Verify' : 'Re-verify';
  return html`<div class="actions">
    ${
      state === 'Pending'
        ? nothing
        : html`<form method="post" action="${here}/verify">
            ${csrfField(csrf)}
            <button id="verify" class="${state === 'Live' ? '' : 'main'}">${verify}</button>
          </form>`
    }
    <a class="button" id="ask-remove" href="${here}/remove" data-dialog>Remove</a>
  </div>`;
}

function facts({ hostname, state, redirect, certificate, waits, createdAt }: DomainView): Html {
  const served = state === 'Live' || state === 'Degraded';
  const written = domainToUnicode(hostname);
  const rows: readonly (readonly [string, Content])[] = [
    ...(written === '' || written === hostname ? [] : [['Written as', written] as const]),
    [
      'Address',
      served
        ? outside(hostname)
        : `https://${hostname}/, once it is ${state === 'Suspended' ? 'served again' : 'live'}`,
    ],
    [
      'Role',
      redirect === null ? 'Primary: shows your project' : `Redirect to ${redirect.to}, status ${redirect.status}`,
    ],
    [
      'Certificate',
      certificate === null ? 'none yet' : html`valid until ${time(certificate.notAfter)}${renewal(state)}`,
    ],
    ...(waits === null ? [] : [['Next certificate', nextCertificate(state, waits)] as const]),
    ['Added', createdAt === null ? 'just now' : time(createdAt)],
  ];
  return html`<dl class="facts">
    ${rows.map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

/** What the next certificate is waiting for, by the title of its reason, and until when, if known. */
function nextCertificate(state: DomainView['state'], { reason, until }: NonNullable<DomainView['waits']>): Content {
  const { title } = helpTextOf(state, reason);
  return until === null ? title : html`${title}; not before ${time(until)}`;
}

const renewal = (state: DomainView['state']): string =>
  state === 'Suspended' ? ', not renewed while suspended' : ', renewed automatically before';

const timelineSection = (timeline: DomainModel['timeline']): Html =>
  html`<section class="card" id="timeline" aria-labelledby="timeline-title">
    <h2 id="timeline-title">Timeline</h2>
    ${
      timeline.length === 0
        ? html`<p>Nothing has happened yet. Every change of state is listed here.</p>`
        : html`<ol class="timeline">
            ${timeline.map(entry)}
          </ol>`
    }
  </section>`;

/** The title beside a pill; empty if it would repeat the pill. */
function titled(state: string, reason: string): string {
  const { title } = helpTextOf(state, reason);
  return title === state ? '' : title;
}

const entry = ({ at, state, reason, message }: DomainModel['timeline'][number]): Html =>
  html`<li>
    <p>${time(at)} ${pill(state)} ${titled(state, reason)}</p>
    ${message === '' ? nothing : html`<p class="hint">${sentence(message)}</p>`}
  </li>`;
