import { expect, it } from '@jest/globals';
import { conformanceDeadlineMs, inZone, useConformance } from '../support/conformance.ts';
import { createEchoServer } from '../support/echo-server.ts';

/**
 * A project that does not answer costs its visitors a 502, 503 or 504, and nobody else anything. Fails where an edge withdraws a hostname, or answers with
 * another project, because one is down; and where it does not notice that it is back.
 */

const fixture = useConformance(import.meta.filename, { isLive: false });

it(
  'fails alone, and comes back',
  async () => {
    const hostname = inZone('www.backend-down');
    const serve = () => fixture().serve({ name: 'frail', server: createEchoServer() });
    const first = await serve();
    await fixture().goLive();
    const visits = fixture().visit([inZone('other.backend-down')], ({ status }) => status === 200);
    await fixture().answers(hostname, 200);
    await first.stop();
    const { status, body } = await fixture().ask(hostname);
    expect([502, 503, 504]).toContain(status);
    expect(body).not.toContain('shop-web');
    await serve();
    await fixture().answers(hostname, 200);
    const { failed } = await visits.end();
    expect(failed).toEqual([]);
  },
  conformanceDeadlineMs,
);
