import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/** A visitor gets an answer that takes twenty seconds to begin, or to go on. Fails where an edge ends answers that take long. */

const server = createServer((request, response) => {
  const { url } = request;
  if (url === '/later') response.write('first, ');
  void sleep(url === '/' ? 0 : 20_000).then(() => response.end('at last'));
});
const fixture = useConformance(import.meta.filename, { services: [{ name: 'slow', server }] });
const ask = (path: string) => fixture().exchange(inZone('www.slow-answer'), { path, timeoutMs: 30_000 });

it('both', async () => {
  const [first, later] = await Promise.all([ask('/first'), ask('/later').catch(() => null)]);
  expect([first.status, later?.body.toString()]).toEqual(
    fixture().exceptions.endsLongAnswers ? [504, undefined] : [200, 'first, at last'],
  );
}, 60_000);
