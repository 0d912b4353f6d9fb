/**
 * Text that a person reads, with the names of its parameters in braces: `Expires on {date}`. Where a number decides the
 * form, there is one text per plural category (CLDR) of the language, chosen by the parameter `count`.
 */
export type Message = string | PluralMessage;

type PluralMessage = Readonly<Record<'other', string>> &
  Readonly<Partial<Record<Exclude<Intl.LDMLPluralRule, 'other'>, string>>>;

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The names of a message's parameters. */
export type ParamsOf<M extends Message> = M extends string
  ? NamesIn<M>
  : M extends PluralMessage
    ? 'count' | NamesIn<M[keyof M] & string>
    : never;

const placeholder = /\{([a-zA-Z]+)\}/;

/** The text with its parameters filled in, in order: `['Expires on ', date]`. A parameter that is missing throws. */
export function fill<Value>(text: string, params: Readonly<Record<string, Value>>): readonly (string | Value)[] {
  return text.split(placeholder).flatMap((part, index): readonly (string | Value)[] => {
    if (index % 2 === 0) return part === '' ? [] : [part];
    const value = params[part];
    if (value === undefined) throw new Error(`the parameter ${part} of "${text}" is missing`);
    return [value];
  });
}

/** The text of a message for this number; the number itself is ignored unless the message has plural forms. */
export function pluralForm(message: Message, rules: Intl.PluralRules, count: unknown): string {
  if (typeof message === 'string') return message;
  return message[rules.select(Number(count))] ?? message.other;
}

/** The names of the parameters in a text, for tests that compare languages. */
export const parameterNames = (text: string): readonly string[] =>
  text.split(placeholder).filter((_, index) => index % 2 === 1);
