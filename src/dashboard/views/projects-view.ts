import type { Content, Html } from '../html.ts';
import { html } from '../html.ts';
import type { ProjectCard } from '../view-models.ts';
import type { ViewContext } from '../view-context.ts';
import { paths } from '../dashboard-page.ts';
import { card, outside, platformOf } from './elements.ts';
import type { PlatformAddress } from './platform-address.ts';
import { platformAddress } from './platform-address.ts';

export const projectsMain = (view: ViewContext, cards: readonly ProjectCard[]): Html =>
  cards.length === 0
    ? none(view)
    : html`<p class="lead">${view.words.say('projects.lead')}</p>
        <ul class="cards">
          ${cards.map((shown) => project(view, shown))}
        </ul>`;

function none(view: ViewContext): Html {
  const { words } = view;
  const call = html`<code>POST /v1/projects</code>`;
  const detail = words.say('projects.none-detail', { platform: platformOf(view), call });
  return card('empty', words.say('projects.none'), html`<p>${detail}</p>`);
}

function project({ words }: ViewContext, shown: ProjectCard): Html {
  const { name, deployedAt } = shown.project;
  return html`<li class="card">
    <h2><a href="${paths.project(name)}">${name}</a></h2>
    <p>${address(words, platformAddress(shown.project))}</p>
    <p>${domains(words, shown)}</p>
    ${deployedAt === null && html`<p class="hint">${words.say('projects.not-deployed')}</p>`}
  </li>`;
}

function address(words: ViewContext['words'], found: PlatformAddress): Content {
  if (found.kind === 'online') return outside(found.hostname);
  return found.kind === 'pending'
    ? words.say('projects.address-pending')
    : words.say('projects.address-refused', { why: found.why });
}

function domains(words: ViewContext['words'], { domains, waiting }: ProjectCard): Content {
  if (domains === 0) return words.say('projects.no-domains');
  const rest =
    waiting === 0
      ? words.say('projects.all-live')
      : html`<strong>${words.say('projects.not-live', { count: waiting })}</strong>`;
  return [words.say('projects.domains', { count: domains }), ', ', rest];
}
