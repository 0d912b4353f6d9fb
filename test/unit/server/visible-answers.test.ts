import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { apiCalls } from '../../../src/server/call-table.ts';
import { endWithJson } from '../../../src/server/answer-problem.ts';
import { serverSentEvent } from '../../../src/server/event-stream.ts';
import { documentOf } from '../../support/document-of.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** Fails when an answer of REST has a character that a terminal obeys, that turns the text behind it, or that nobody sees. */

const hostile = '\u009b31m\u202e\u2066\u2028\u200b\u{e0041}\u001b]52;c;';
const document = { detail: hostile, [hostile]: 'it’s – 日本' };

function sentBy(send: (response: ServerResponse) => void): string {
  let sent = '';
  send({ setHeader: () => undefined, end: (text: string) => (sent = text) } as unknown as ServerResponse);
  return sent;
}

/** A page of domains, whose texts are made JSON once each. */
async function listed(): Promise<string> {
  const api = createInMemoryApi();
  const key = api.account('acme', 'pro');
  const at = { lastTransitionTime: '2026-01-01T00:00:00Z', message: hostile } as const;
  const conditions = [{ type: 'Ready', status: 'False', reason: 'StrayAddress', ...at }] as const;
  api.domain('acme', 'a.example.com', { status: { state: 'Degraded', conditions } });
  const call = apiCalls.find(({ name }) => name === 'listDomains');
  const request = {
    ...api.as(key),
    spend: () => Promise.resolve(),
    documentOf,
    params: { project: 'shop' },
    query: { limit: 100 },
    body: undefined,
    headers: {},
  };
  const answer = await call?.handle(request);
  api.stop();
  return answer?.json ?? '';
}

it('nor in a page of domains', async () => {
  const text = await listed();
  expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(text)).toMatchObject({ items: [{ message: hostile }] });
});

describe('nothing hides in it, and a parser reads what was there', () => {
  it.each<[string, string]>([
    ['a document', sentBy((response) => endWithJson(response, 'application/json', JSON.stringify(document)))],
    ['an event', /^data: (.*)$/m.exec(serverSentEvent('state', document))?.[1] ?? ''],
  ])('%s', (_, text) => {
    expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    expect(text).toContain('it’s – 日本');
    expect(JSON.parse(text)).toEqual(document);
  });
});
