import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from '@jest/globals';
import { conformanceDeadlineMs, useConformance } from '../support/conformance.ts';
import { actOnPlatform } from '../support/platform-control.ts';

/**
 * While the operator is away, and when it is back, no visitor fails; what was changed meanwhile is served once it is back. Fails where a hostname needs the operator
 * to be served, or a start writes routes anew.
 */

const ground = useConformance(import.meta.filename, { isLive: false });
const zone = 'operator-away.example';
const [www, old, later] = [`www.${zone}`, `old.${zone}`, `later.${zone}`] as const;

afterAll(() => actOnPlatform('start operator'), conformanceDeadlineMs);

it(
  'fails nobody',
  async () => {
    for (const hostname of [www, old]) await ground().createRecord(hostname);
    for (const hostname of [www, old]) await ground().isLive(hostname);
    await ground().answers(old, 301);
    const visits = ground().visit([www, old], ({ status }, hostname) => status === (hostname === old ? 301 : 200));
    await actOnPlatform('stop operator');
    await ground().patch('project', 'shop', { spec: { service: { port: 8081 } } });
    await ground().patch('project', 'shop', { spec: { service: { port: 8080 } } });
    await sleep(3_000);
    await actOnPlatform('start operator');
    await ground().createRecord(later);
    await ground().isLive(later);
    await ground().answers(later, 200);
    const { failed, asked } = await visits.end();
    expect(failed).toEqual([]);
    expect(asked).toBeGreaterThan(100);
  },
  conformanceDeadlineMs,
);
