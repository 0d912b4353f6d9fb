import { helpTextOf } from '../../help/reason-help.ts';
import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { DomainView } from '../../use-cases/describe-domain.ts';
import type { ProjectView } from '../../use-cases/projects.ts';
import type { AddForm, DomainsModel, Preview } from '../view-models.ts';
import { paths } from '../dashboard-page.ts';
import { counted, csrfField, day, nothing, outside, pill, sentence, trail, withoutDomains } from './components.ts';

/** From this many domains on, the list has a filter. */
const manyDomains = 8;

export function domainsMain(model: DomainsModel, csrf: string): Html {
  const { project } = model;
  return html`${trail([{ name: 'Projects', href: paths.projects }])}
    <p class="lead">
      ${
        project.platformHostname === null
          ? 'The platform address of this project is being set up.'
          : html`This project is served at ${outside(project.platformHostname)}.`
      }
      Here you can add domains of your own.
    </p>
    ${adding(model, csrf)} ${list(model)}`;
}

function adding(model: DomainsModel, csrf: string): Html {
  const { project, allowance } = model;
  const { enabled, used, maxPerProject } = allowance;
  if (!enabled) {
    return html`<section class="card" aria-labelledby="add-title">
      <h2 id="add-title">Your plan has no custom domains</h2>
      ${withoutDomains(project.platformHostname)}
      <p><a href="/dashboard/plan">See your plan and usage</a></p>
    </section>`;
  }
  if (used >= maxPerProject) {
    return html`<section class="card" aria-labelledby="add-title">
      <h2 id="add-title">All ${counted(maxPerProject, 'domain')} of this project are used</h2>
      <p>
        To add another one, remove one that you no longer need, or ask the platform for a larger plan.
        <a href="/dashboard/plan">See your plan and usage</a>
      </p>
    </section>`;
  }
  return html`<section class="card" aria-labelledby="add-title">
    <h2 id="add-title">Add a domain</h2>
    ${
      project.deployedAt === null
        ? html`<p class="hint">This project has never been deployed. Deploy it first; then you can add domains.</p>`
        : nothing
    }
    ${addForm(model, csrf)}
    <p class="small">${used} of ${counted(maxPerProject, 'domain')} used in this project.</p>
  </section>`;
}

const addForm = (model: DomainsModel, csrf: string): Html =>
  html`<form
    method="post"
    action="${paths.project(model.project.name)}/domains"
    class="add"
    data-preview="${paths.project(model.project.name)}/domains/preview"
  >
    ${csrfField(csrf)}
    <div class="field">
      <label for="hostname">Hostname</label>
      <input
        id="hostname"
        name="hostname"
        required
        maxlength="260"
        value="${model.form.hostname}"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        inputmode="url"
        aria-describedby="hostname-hint problem preview"
      />
      <p id="hostname-hint" class="hint">Such as www.example.com or example.com.</p>
    </div>
    <fieldset>
      <legend>What it does</legend>
      ${roles.map((role) => choice(role, model.form))}
    </fieldset>
    ${redirecting(model)}
    <div class="actions"><button class="main">Add domain</button></div>
    <div id="preview" class="preview" aria-live="polite"></div>
  </form>`;

const roles = [
  { id: 'primary', name: 'Primary', hint: 'shows your project' },
  { id: 'redirect', name: 'Redirect', hint: 'sends visitors on to another address of the project' },
] as const;

const choice = ({ id, name, hint }: (typeof roles)[number], { role }: AddForm): Html =>
  html`<div class="choice">
    <label>
      <input
        type="radio"
        name="role"
        value="${id}"
        ${role === id ? html`checked` : nothing}
        aria-describedby="${id}-hint"
      />
      ${name}
    </label>
    <span class="hint" id="${id}-hint">${hint}</span>
  </div>`;

const statuses = [
  { id: '301', name: '301, permanent' },
  { id: '302', name: '302, temporary' },
  { id: '307', name: '307, temporary, method kept' },
  { id: '308', name: '308, permanent, method kept' },
] as const;

const redirecting = (model: DomainsModel): Html =>
  html`<div class="redirecting">
    <div class="field">
      <label for="to">Redirect to</label>
      ${destination(model)}
    </div>
    <div class="field">
      <label for="status">Status</label>
      <select id="status" name="status">
        ${statuses.map(({ id, name }) => option(id, name, model.form.status))}
      </select>
    </div>
  </div>`;

const option = (value: string, name: string, chosen: string): Html =>
  html`<option value="${value}" ${value === chosen ? html`selected` : nothing}>${name}</option>`;

/** Offers only valid redirect targets, and the value that was entered before. */
function destination({ project, primaries, form }: DomainsModel): Html {
  const own = project.platformHostname === null ? [] : [project.platformHostname];
  const offered = [...new Set([...primaries, ...own, ...(form.to === '' ? [] : [form.to])])];
  if (offered.length === 0) {
    return html`<input
      id="to"
      name="to"
      maxlength="260"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
    />`;
  }
  return html`<select id="to" name="to">
    ${offered.map((hostname) => option(hostname, hostname, form.to))}
  </select>`;
}

/**
 * The table exists even without rows: the script inserts domains that are added elsewhere, if they belong between the
 * last hostname of the page before and the last one of this page.
 */
const list = ({ project, domains, after, next, allowance }: DomainsModel): Html =>
  html`<section aria-labelledby="list-title">
    <div class="title">
      <h2 id="list-title">Domains</h2>
      <p class="filter" data-from="${manyDomains}" ${domains.length < manyDomains ? html`hidden` : nothing}>
        <label for="filter">Filter domains</label>
        <input id="filter" type="search" autocomplete="off" spellcheck="false" />
      </p>
    </div>
    <p id="empty" class="card" ${domains.length > 0 ? html`hidden` : nothing}>
      No custom domain yet.
      ${
        allowance.enabled
          ? 'Enter a hostname above: you will see the DNS record to create, and everything after that happens automatically.'
          : 'Visitors reach your project at its platform address.'
      }
    </p>
    <table
      id="domains"
      class="stack domains"
      aria-labelledby="list-title"
      ${after === null ? nothing : html`data-after="${after}"`}
      ${next === null ? nothing : html`data-until="${domains.at(-1)?.hostname ?? ''}"`}
      ${domains.length === 0 ? html`hidden` : nothing}
    >
      <thead>
        <tr>
          <th scope="col">Hostname</th>
          <th scope="col">Role</th>
          <th scope="col">State</th>
          <th scope="col">Certificate until</th>
        </tr>
      </thead>
      <tbody>
        ${domains.map((domain) => domainRow(domain, project))}
      </tbody>
    </table>
    ${
      next === null
        ? nothing
        : html`<p>
            <a rel="next" href="${paths.project(project.name)}?cursor=${next}">More of the ${allowance.used} domains</a>
          </p>`
    }
  </section>`;

/** Kept small, because a list has hundreds of rows: cell labels on narrow screens come from the stylesheet. */
export const domainRow = (domain: DomainView, project: ProjectView): Html =>
  html`<tr id="row-${domain.hostname}">
    <th scope="row"><a href="${paths.domain(project.name, domain.hostname)}">${domain.hostname}</a></th>
    <td>${role(domain)}</td>
    <td>${pill(domain.state)} ${domain.state === 'Live' ? nothing : helpTextOf(domain.state, domain.reason).title}</td>
    <td>${domain.certificate === null ? 'none yet' : day(domain.certificate.notAfter)}</td>
  </tr>`;

const role = ({ redirect }: DomainView): Content =>
  redirect === null ? 'Primary' : `Redirect to ${redirect.to} (${redirect.status})`;

/** Preview of adding a domain, shown in the form while a hostname is being typed. */
export function previewFragment(preview: Preview): Html {
  if (preview.kind === 'nothing') return nothing;
  if (preview.kind === 'refused') {
    return html`<p class="error">
      <strong>Not possible:</strong> ${sentence(preview.detail)} <code>${preview.code}</code>
    </p>`;
  }
  const { hostname, project, state, reason, records, createdAt } = preview.domain;
  if (createdAt !== null) {
    return html`<p>This project has <a href="${paths.domain(project, hostname)}">${hostname}</a> already.</p>`;
  }
  const words = helpTextOf(state, reason);
  return html`<p><strong>${hostname} can be added.</strong> You will be asked to create:</p>
    <ul>
      ${records.map(({ type, name, value }) => html`<li><code>${type}</code> <code>${name}</code> with value <code>${value}</code></li>`)}
    </ul>
    ${state === 'Pending' ? html`<p>${words.title}: ${words.todo}</p>` : nothing}`;
}
