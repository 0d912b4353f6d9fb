import { reasonsOf } from '../../help/reason-help.ts';
import { symptoms } from '../../help/state-help.ts';
import type { Symptom } from '../../help/state-help.ts';
import { english } from '../../words/catalogue.ts';
import { createWords } from '../../words/words.ts';
import { table } from './page-parts.ts';

const words = createWords(english);

/** The Help of the dashboard: the four problems that customers report, told for somebody who has never heard of DNS. */
export function customerHelpPage(): readonly string[] {
  return [
    'What customers read under Help in the dashboard. [troubleshooting.md](../troubleshooting.md) has the same four problems for administrators.',
    ...symptoms.flatMap(chapter),
  ];
}

function chapter(symptom: Symptom): readonly string[] {
  const { title, causes, look, steps } = words.chapters[symptom];
  return [
    `<a id="${symptom}"></a>`,
    `## ${title}`,
    `**${words.text('help.causes')}**`,
    causes.map((cause) => `- ${cause}`).join('\n'),
    `**${words.text('help.look')}**`,
    look.map((place) => `- ${place}`).join('\n'),
    `**${words.text('help.steps')}**`,
    steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    `**${words.text('help.codes')}**`,
    table(
      ['code', 'title', 'what to do'],
      reasonsOf(symptom).map((code) => {
        const { title: name, todo } = words.help('', code);
        return [code, name, todo];
      }),
    ),
  ];
}
