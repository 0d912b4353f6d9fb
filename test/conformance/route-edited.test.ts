import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { inZone, useConformance } from '../support/conformance.ts';

/** A route that somebody edits leads to its project again. Fails where an edit lasts, or an edge stays with it. */

const fixture = useConformance(import.meta.filename, {
  services: [{ name: 'foreign', server: createServer((_, response) => response.writeHead(402).end('foreign')) }],
});
const hostname = inZone('www.route-edited');

it('leads to its project again', async () => {
  const kind = fixture().routeKinds.at(-1) ?? '';
  const before = await fixture().routeObjects(kind, hostname);
  const edited = before.filter(({ text }) => text.includes('"shop-web"'));
  expect(edited.length).toBeGreaterThan(0);
  for (const { text } of edited)
    await fixture().stage.kubectl.run(['replace', '-f', '-'], text.replaceAll('"shop-web"', '"foreign"'));
  await fixture().routeObjectsWhere(kind, hostname, (objects) =>
    objects.some(({ text }) => text.includes('"foreign"')) ? 'it leads elsewhere' : null,
  );
  // An edge may hear of the edit once it is undone already, and lead elsewhere for that moment.
  await eventually('it leads to its project again', 60_000, async () => {
    const { body } = await fixture().ask(hostname);
    expectThat(body.includes('"shop-web"'), body);
  });
});
