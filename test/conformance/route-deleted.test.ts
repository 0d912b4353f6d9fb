import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/** Objects of a hostname's route that somebody deletes are made again. Fails where an edge does not take up an object of a name that it saw before. */

const fixture = useConformance(import.meta.filename);
const hostname = inZone('www.route-deleted');

it('is served again', async () => {
  for (const kind of fixture().routeKinds) {
    const named = await fixture().routeObjects(kind, hostname);
    expect(named.length).toBeGreaterThan(0);
    const uids = named.map(({ uid }) => uid);
    for (const { name } of named) await fixture().remove(kind, name);
    await fixture().routeObjectsWhere(kind, hostname, (objects) => {
      if (objects.length < named.length) return 'they are not all there';
      return objects.some(({ uid }) => uids.includes(uid)) ? 'they are the ones before' : null;
    });
    await fixture().answers(hostname, 200);
  }
});
