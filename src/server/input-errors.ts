import type { z } from 'zod';

type Fault = z.ZodError['issues'][number];
type RawFault = Parameters<z.core.$ZodErrorMap>[0];

/** What can be wrong with one field of a body, or one parameter of a query. */
type InputErrorCode =
  | 'required'
  | 'unknown-field'
  | 'wrong-type'
  | 'unknown-value'
  | 'wrong-form'
  | 'too-long'
  | 'too-short'
  | 'too-large'
  | 'too-small';

/** One member of `errors` in a problem document. */
export interface InputError {
  /** where in the body: a JSON Pointer (RFC 6901), empty for the body as a whole; absent for a query */
  readonly pointer?: string;
  /** which parameter of the query; absent for a body */
  readonly parameter?: string;
  readonly code: InputErrorCode;
  readonly message: string;
}

/** Which input is read. */
export type InputPlace = 'body' | 'query' | 'form' | 'item';

/** Errors that a problem names, and how much of a name that its sender has chosen. */
const [namedAtMost, nameAtMost] = [20, 64];

/** What is wrong with an input, in our words, whatever library has found it; at most twenty. The faults need `reportInput`. */
export const inputErrors = (faults: readonly Fault[], place: InputPlace): readonly InputError[] =>
  faults
    .flatMap((fault): readonly InputError[] =>
      fault.code === 'unrecognized_keys'
        ? fault.keys.slice(0, namedAtMost).map((key) => errorAt(place, [...fault.path, key], unknownField))
        : [errorAt(place, fault.path, { code: codeOf(fault), message: fault.message })],
    )
    .slice(0, namedAtMost);

const unknownField = { code: 'unknown-field', message: 'take it out: there is no such field' } as const;

/** A path as people write one: `redirect.to`. */
export const fieldOf = (path: Fault['path']): string => path.map(nameOf).join('.');

function errorAt(place: InputPlace, path: Fault['path'], error: Pick<InputError, 'code' | 'message'>): InputError {
  if (place === 'query') return { parameter: fieldOf(path), ...error };
  const pointer = path.map((part) => `/${nameOf(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return { pointer, ...error };
}

const nameOf = (part: PropertyKey): string => String(part).slice(0, nameAtMost);

function codeOf({ code, input, ...fault }: Fault): InputErrorCode {
  switch (code) {
    case 'invalid_type':
      return input === undefined ? 'required' : 'wrong-type';
    case 'invalid_value':
      return input === undefined ? 'required' : 'unknown-value';
    case 'too_big':
      return isNumber(fault) ? 'too-large' : 'too-long';
    case 'too_small':
      return isNumber(fault) ? 'too-small' : 'too-short';
    default:
      return 'wrong-form';
  }
}

const isNumber = (fault: object): boolean => 'origin' in fault && ['number', 'int'].includes(String(fault.origin));

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** What to send instead, for faults whose schema says nothing of its own. */
export function sentenceOfFault(fault: RawFault): string {
  switch (fault.code) {
    case 'invalid_type':
      return fault.input === undefined ? 'it is required' : `send ${typeNames[fault.expected] ?? 'another type'}`;
    case 'invalid_value':
      return fault.input === undefined ? 'it is required' : `send one of ${fault.values.map(String).join(', ')}`;
    case 'too_big':
      return `send at most ${String(fault.maximum)}${unitOf(fault.origin)}`;
    case 'too_small':
      return `send at least ${String(fault.minimum)}${unitOf(fault.origin)}`;
    case 'invalid_format':
      return fault.format === 'datetime'
        ? 'send a time in RFC 3339, such as 2026-01-31T12:00:00Z'
        : 'it has a form that is not allowed here';
    default:
      return 'it has a form that is not allowed here';
  }
}

const unitOf = (origin: string): string => (origin === 'string' ? ' characters' : origin === 'array' ? ' items' : '');
