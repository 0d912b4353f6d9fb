import { expect, it } from '@jest/globals';
import { useConformance } from '../support/conformance.ts';

/** Objects of a hostname's route that somebody deletes are made again. Fails where an edge does not take up an object of a name that it saw before. */

const ground = useConformance(import.meta.filename);
const hostname = 'www.route-deleted.example';

it('is served again', async () => {
  for (const kind of ground().routeKinds) {
    const named = await ground().routeObjects(kind, hostname);
    expect(named.length).toBeGreaterThan(0);
    const uids = named.map(({ uid }) => uid);
    for (const { name } of named) await ground().remove(kind, name);
    await ground().routeObjectsWhere(kind, hostname, (objects) => {
      if (objects.length < named.length) return 'they are not all there';
      return objects.some(({ uid }) => uids.includes(uid)) ? 'they are the ones before' : null;
    });
    await ground().answers(hostname, 200);
  }
});
