import type { ApiKey } from '../generated/api-key.ts';

/** What an API key may be used for, with the meaning in one line; every REST call names the scope that it needs. */
export const scopeMeanings = {
  'domains:read': 'Show projects and domains, and follow their changes.',
  'domains:write': 'Create, change and remove projects and domains, and ask for a check.',
  'keys:write': 'List, create and delete API keys, with no more scopes than the calling key.',
} as const satisfies Readonly<Record<ApiKey['spec']['scopes'][number], string>>;

export type Scope = keyof typeof scopeMeanings;

export const scopes = Object.freeze(Object.keys(scopeMeanings) as Scope[]);
