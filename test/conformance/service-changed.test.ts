import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';

/** A project that moves to another Service, as with a new version, fails nobody. Fails where an edge drops the one before it has the next. */

const server = createServer((_, response) => response.end('the next version'));
const fixture = useConformance(import.meta.filename, { services: [{ name: 'next-web', server }] });
const hostname = inZone('www.service-changed');

it(
  'leads to the other Service and back, and fails nobody',
  async () => {
    const visits = fixture().visit([hostname], ({ status }) => status === 200);
    for (const [name, said] of [
      ['next-web', 'the next version'],
      ['shop-web', '"shop-web"'],
    ] as const) {
      await fixture().patch('project', 'shop', { spec: { service: { name } } });
      await eventually(`${name} answers`, 60_000, async () => {
        const { body } = await fixture().ask(hostname);
        expectThat(body.includes(said), body);
      });
    }
    const { failed } = await visits.end();
    const isExpected = (one: string) => fixture().exceptions.gapAtServiceChange && one.endsWith('status 503');
    expect(failed.filter((one) => !isExpected(one))).toEqual([]);
  },
  conformanceDeadlineMs,
);
