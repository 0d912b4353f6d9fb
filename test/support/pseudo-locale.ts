import type { Catalogue, MessageKey } from '../../src/dashboard/words/catalogue.ts';
import type { Message } from '../../src/dashboard/words/message.ts';
import { english } from '../../src/dashboard/words/catalogue.ts';

/** A complete catalogue of a language that nobody speaks: what is not in it was not in the catalogue. */

export const opening = '⟦';
export const closing = '⟧';

const accented: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', n: 'ñ', c: 'ç', y: 'ý' };
const parameter = /(\{[a-zA-Z]+\})/;

/** ⟦Éxpírés óñ {date}⟧: letters that can be told from English, parameters as they are. */
export const pseudo = (text: string): string =>
  opening +
  text
    .split(parameter)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[a-z]/g, (letter) => accented[letter] ?? letter)))
    .join('') +
  closing;

const message = (given: Message): Message =>
  typeof given === 'string'
    ? pseudo(given)
    : { ...given, ...mapped(given as Readonly<Record<string, string>>, pseudo), other: pseudo(given.other) };

const mapped = <Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  change: (value: From) => To,
): Readonly<Record<Key, To>> =>
  Object.fromEntries(Object.entries<From>(record).map(([key, value]) => [key, change(value)])) as Readonly<
    Record<Key, To>
  >;

export const pseudoLocale: Catalogue = Object.freeze<Catalogue>({
  language: 'en-GB',
  messages: mapped<MessageKey, Message, Message>(english.messages, message),
  help(state, reason) {
    const { title, meaning, todo, ...rest } = english.help(state, reason);
    return { ...rest, title: pseudo(title), meaning: pseudo(meaning), todo: pseudo(todo) };
  },
  problems: mapped(english.problems, ({ title, todo }) => ({ title: pseudo(title), todo: pseudo(todo) })),
  issues: {
    found: (issue) => pseudo(english.issues.found(issue)),
    act: (issue) => pseudo(english.issues.act(issue)),
  },
  chapters: mapped(english.chapters, ({ title, causes, look, steps }) => ({
    title: pseudo(title),
    causes: causes.map(pseudo),
    look: look.map(pseudo),
    steps: steps.map(pseudo),
  })),
  actors: mapped(english.actors, pseudo),
  recordStatus: mapped(english.recordStatus, pseudo),
});
