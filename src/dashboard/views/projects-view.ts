import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { ProjectCard } from '../view-models.ts';
import { paths } from '../dashboard-page.ts';
import { counted, nothing, outside } from './components.ts';

export const projectsMain = (cards: readonly ProjectCard[]): Html =>
  cards.length === 0
    ? empty
    : html`<p class="lead">Choose a project to see its domains and to add one.</p>
        <ul class="cards">
          ${cards.map(card)}
        </ul>`;

const empty = html`<section class="card" aria-labelledby="empty-title">
  <h2 id="empty-title">No projects yet</h2>
  <p>
    A project appears here as soon as it exists on the platform. Create one with
    <code>POST /v1/projects</code> of the API or the way you usually publish, then come back and add a domain to it.
  </p>
</section>`;

const card = ({ project, domains, waiting }: ProjectCard): Html =>
  html`<li class="card">
    <h2><a href="${paths.project(project.name)}">${project.name}</a></h2>
    <p>
      ${project.platformHostname === null ? 'Its platform address is being set up.' : outside(project.platformHostname)}
    </p>
    <p>
      ${domains === 0 ? 'No custom domain yet' : counted(domains, 'custom domain')}${
        domains > 0 && waiting === 0 ? ', all live' : nothing
      }${waiting > 0 ? html`, <strong>${waiting} not live</strong>` : nothing}
    </p>
    ${
      project.deployedAt === null
        ? html`<p class="hint">Not deployed yet: domains can be added once it has been.</p>`
        : nothing
    }
  </li>`;
