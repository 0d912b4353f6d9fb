import type { Catalogue, MessageKey, MessageParams } from './catalogue.ts';
import type { Message } from './message.ts';
import { fill, pluralForm } from './message.ts';

/** A message without parameters takes none. */
type Arguments<Key extends MessageKey, Given> = [MessageParams<Key>] extends [never] ? [] : [Given];
type Given<Key extends MessageKey, Value> = Readonly<Record<MessageParams<Key>, Value>>;

/** A catalogue with the formats of its language. */
export interface Words extends Omit<Catalogue, 'messages'> {
  /** A text with its parameters in their places; a number is written as the language writes it. */
  readonly say: <Key extends MessageKey, Params extends Given<Key, unknown>>(
    key: Key,
    ...params: Arguments<Key, Params>
  ) => readonly (string | Params[keyof Params])[];
  /** The same as one string, for parameters that are text. */
  readonly text: <Key extends MessageKey>(key: Key, ...params: Arguments<Key, Given<Key, string | number>>) => string;
  /** the texts of the script by what follows `script.` in their key, with the names of their parameters: the script fills them in */
  readonly scriptTexts: Readonly<Record<string, Message>>;
  readonly number: (value: number) => string;
  /** date and time to the minute, in UTC, without naming the zone */
  readonly minute: (at: Date) => string;
  /** the time of the day, in UTC */
  readonly clock: (at: Date) => string;
  /** the same to the second */
  readonly exactClock: (at: Date) => string;
  /** the date alone, in UTC */
  readonly day: (at: Date) => string;
}

export function createWords({ messages, ...catalogue }: Catalogue): Words {
  const { language } = catalogue;
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const minutes = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const clocks = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' });
  const exactClocks = new Intl.DateTimeFormat(language, { timeStyle: 'medium', timeZone: 'UTC' });
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const filled = (key: MessageKey, params: Readonly<Record<string, unknown>> = {}): readonly unknown[] =>
    fill(pluralForm(messages[key], rules, params.count), params).map((part) =>
      typeof part === 'number' ? numbers.format(part) : part,
    );
  return Object.freeze({
    ...catalogue,
    say: <Key extends MessageKey, Params extends Given<Key, unknown>>(key: Key, ...[params]: Arguments<Key, Params>) =>
      filled(key, params) as readonly (string | Params[keyof Params])[],
    text: <Key extends MessageKey>(key: Key, ...[params]: Arguments<Key, Given<Key, string | number>>) =>
      filled(key, params).join(''),
    scriptTexts: scriptTextsOf(messages),
    number: (value: number) => numbers.format(value),
    minute: (at: Date) => minutes.format(at),
    clock: (at: Date) => clocks.format(at),
    exactClock: (at: Date) => exactClocks.format(at),
    day: (at: Date) => days.format(at),
  });
}

const ofScript = 'script.';

const scriptTextsOf = (messages: Catalogue['messages']): Readonly<Record<string, Message>> =>
  Object.fromEntries(
    Object.entries(messages).flatMap(([key, message]) =>
      key.startsWith(ofScript) ? [[key.slice(ofScript.length), message]] : [],
    ),
  );
