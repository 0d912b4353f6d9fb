import { statusForCustomer } from '../../use-cases/domain-view.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import { paths } from '../dashboard-page.ts';
import { isChange, recordRows, stepCount } from '../record-rows.ts';
import type { ViewContext } from '../view-context.ts';
import type { SetupDomain, SetupModel } from '../view-models.ts';
import { csrfField, exactTime, hostnameText, nothing, statusPill, trail } from './elements.ts';
import { explanationOf } from './explanation.ts';
import { labelsOf, recordTable } from './record-table.ts';

/**
 * The page of several domains that are set up together: where each of them is, one Verify for all, and one table with the records of all. The
 * script asks for it again, and replaces each child of `#setup`, when one of its domains has changed.
 */
export const setupMain = (view: ViewContext, model: SetupModel): Html =>
  html`${trail(view, model.project.name)}
    <div id="setup" data-hostnames="${model.domains.map(({ situation }) => situation.domain.hostname).join(' ')}">
      ${overview(view, model)} ${records(view, model)}
    </div>`;

/** A domain that waits for something other than DNS has nothing to verify. */
const isChecked = ({ situation }: SetupDomain): boolean => situation.domain.state !== 'Pending';
const isLive = ({ situation }: SetupDomain): boolean => situation.domain.state === 'Live';

const rowsOf = ({ situation, dnsHost }: SetupDomain) => recordRows(situation.domain, dnsHost);

/** Records to delete and to add; of alternatives one counts. */
const changesOf = (one: SetupDomain): number => rowsOf(one).filter(isChange).length;

function overview(view: ViewContext, model: SetupModel): Html {
  const { words } = view;
  const { domains, gone, mayWrite } = model;
  return html`<section class="card state" id="setup-state" aria-labelledby="setup-title">
    <h2 id="setup-title">${words.say('setup.domains')}</h2>
    <div class="next">
      <p class="step">${sentence(view, domains)}</p>
      ${mayWrite && domains.some(isChecked) && verify(view, model)}
    </div>
    <ul class="set-up">
      ${domains.map((one) => item(view, model.project.name, one))}
      ${gone.map((hostname) => html`<li>${words.say('setup.gone', { hostname: hostnameText(hostname) })}</li>`)}
    </ul>
  </section>`;
}

function sentence({ words }: ViewContext, domains: readonly SetupDomain[]): Content {
  const count = domains.reduce((sum, one) => sum + changesOf(one), 0);
  const button = html`<strong>${words.say('setup.verify')}</strong>`;
  if (count > 0 && domains.some(isChecked)) return words.say('setup.change', { count, button });
  return words.say(domains.every(isLive) ? 'setup.live' : 'setup.waiting');
}

/** Where all are Live it is not what comes next. */
const verify = (view: ViewContext, { project, domains }: SetupModel): Html =>
  html`<div class="${domains.every(isLive) ? 'actions' : 'actions primary'}">
    <form method="post" action="${paths.project(project.name)}/setup/verify">
      ${csrfField(view)}
      ${domains.map(
        ({ situation: { domain } }) => html`<input type="hidden" name="hostname" value="${domain.hostname}" />`,
      )}
      <button id="verify" class="${domains.every(isLive) ? '' : 'main'}">${view.words.say('setup.verify')}</button>
    </form>
  </div>`;

/** Its state, and the way to its own page. */
function item(view: ViewContext, project: string, { situation, isVerifyAhead }: SetupDomain): Html {
  const { words } = view;
  const { hostname, redirect, checkedAt } = situation.domain;
  const status = statusForCustomer(situation);
  const { title } = explanationOf(view, situation);
  const role =
    redirect === null ? words.say('facts.primary') : words.say('setup.redirect', { to: hostnameText(redirect.to) });
  const seen = checkedAt === null ? nothing : words.say('domain.checked', { time: exactTime(view, checkedAt) });
  const checked = isVerifyAhead ? words.say('done.verify') : seen;
  return html`<li>
    ${statusPill(view, status)} <a href="${paths.domain(project, hostname)}">${hostnameText(hostname)}</a>
    <span>${title !== words.text(`status.${status}`) && title}</span>
    <p class="small">${role}. ${checked}</p>
  </li>`;
}

function records(view: ViewContext, { project, domains }: SetupModel): Html {
  const { words } = view;
  const groups = domains.map((one) => {
    const rows = rowsOf(one);
    const { hostname, dnsHost } = one.situation.domain;
    const title = html`<a href="${paths.domain(project.name, hostname)}">${hostnameText(hostname)}</a>
      ${statusPill(view, statusForCustomer(one.situation))}`;
    return { rows, labels: labelsOf(dnsHost, rows), title };
  });
  const hasAlternatives = groups.some(({ rows }) => stepCount(rows) !== null);
  return html`<section class="card" id="records" aria-labelledby="records-title">
    <h2 id="records-title">${words.say('setup.records')}</h2>
    ${recordTable(view, groups, 'records-title')}
    ${hasAlternatives && html`<p class="hint">${words.say('records.alternative')}</p>`}
    <p class="hint">${words.say('setup.more')}</p>
  </section>`;
}
