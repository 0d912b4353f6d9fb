import type { Symptom } from '../../rules/codes/code-rows.ts';
import { symptoms } from '../../rules/codes/code-rows.ts';
import { reasonsOf } from '../../rules/help-text.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import type { ViewContext } from '../view-context.ts';
import { support, tableHead } from './elements.ts';

/** One section per symptom; states link here by the section's id. docs/troubleshooting.md has the same sections. */
export function helpMain(view: ViewContext): Html {
  const { words } = view;
  return html`<nav class="card" aria-label="${words.say('help.contents')}">
      <p>${words.say('help.question')}</p>
      <ul>
        ${symptoms.map((symptom) => html`<li><a href="#${symptom}">${words.chapters[symptom].title}</a></li>`)}
      </ul>
    </nav>
    ${symptoms.map((symptom) => section(view, symptom))}
    <p class="card">${words.say('help.more', { support: support(view) })}</p>`;
}

function section(view: ViewContext, symptom: Symptom): Html {
  const { words } = view;
  const { title, causes, look, steps } = words.chapters[symptom];
  return html`<section class="card" id="${symptom}" aria-labelledby="${symptom}-title">
    <h2 id="${symptom}-title">${title}</h2>
    <h3>${words.say('help.causes')}</h3>
    <ul>
      ${causes.map(item)}
    </ul>
    <h3>${words.say('help.look')}</h3>
    <ul>
      ${look.map(item)}
    </ul>
    <h3>${words.say('help.steps')}</h3>
    <ol>
      ${steps.map(item)}
    </ol>
    <h3>${words.say('help.codes')}</h3>
    <table class="stack" aria-label="${words.say('help.codes-of', { chapter: title })}">
      ${tableHead([words.say('help.column-code'), words.say('help.steps')])}
      <tbody>
        ${reasonsOf(symptom).map((code) => explained(view, code))}
      </tbody>
    </table>
  </section>`;
}

const item = (text: string): Html => html`<li>${text}</li>`;

function explained({ words }: ViewContext, code: string): Html {
  const { title, todo } = words.help('', code);
  return html`<tr>
    <td data-label="${words.say('help.column-code')}">
      ${title}
      <p class="small"><code>${code}</code></p>
    </td>
    <td data-label="${words.say('help.steps')}">${todo}</td>
  </tr>`;
}
