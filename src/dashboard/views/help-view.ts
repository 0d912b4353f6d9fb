import { symptoms } from '../../help/state-help.ts';
import { reasonsOf, helpTextOf } from '../../help/reason-help.ts';
import type { Symptom } from '../../help/state-help.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { chapters } from './help-chapters.ts';

/** One section per symptom; states link here by the section's id. docs/troubleshooting.md has the same sections. */
export const helpMain = (): Html =>
  html`<nav class="card" aria-label="On this page">
      <p>What do you see?</p>
      <ul>
        ${symptoms.map((symptom) => html`<li><a href="#${symptom}">${chapters[symptom].title}</a></li>`)}
      </ul>
    </nav>
    ${symptoms.map(section)}`;

function section(symptom: Symptom): Html {
  const { title, causes, look, steps } = chapters[symptom];
  return html`<section class="card" id="${symptom}" aria-labelledby="${symptom}-title">
    <h2 id="${symptom}-title">${title}</h2>
    <h3>Why it happens</h3>
    <ul>
      ${causes.map(item)}
    </ul>
    <h3>What to look at</h3>
    <ul>
      ${look.map(item)}
    </ul>
    <h3>What to do</h3>
    <ol>
      ${steps.map(item)}
    </ol>
    <h3>What the codes mean</h3>
    <table class="stack" aria-label="Codes: ${title}">
      <thead>
        <tr>
          <th scope="col">Shown as</th>
          <th scope="col">What to do</th>
        </tr>
      </thead>
      <tbody>
        ${reasonsOf(symptom).map(explained)}
      </tbody>
    </table>
  </section>`;
}

const item = (text: string): Html => html`<li>${text}</li>`;

function explained(code: string): Html {
  const { title, todo } = helpTextOf('', code);
  return html`<tr>
    <td data-label="Shown as">
      ${title}
      <p class="small"><code>${code}</code></p>
    </td>
    <td data-label="What to do">${todo}</td>
  </tr>`;
}
