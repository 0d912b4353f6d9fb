import { describe, expect, it } from '@jest/globals';
import { apiCalls } from '../../../src/server/call-table.ts';
import { openApiDocument } from '../../../src/server/openapi.ts';

/** What a call costs of the account's quota: what takes the process that serves everybody longer than others costs more. */

describe('what counts as more than one request', () => {
  it('are lookups, and a certificate of the customer’s own, whose signatures are checked', () => {
    const costly = apiCalls.flatMap(({ method, path, cost }) => {
      const units = cost?.({}) ?? 1;
      return units === 1 ? [] : [[`${method} ${path}`, units]];
    });
    expect(costly).toEqual(
      expect.arrayContaining([
        ['post /v1/lookups', 10],
        ['put /v1/projects/{project}/domains/{hostname}/certificate', 10],
      ]),
    );
    expect(costly).toHaveLength(2);
  });

  it('are calls with many items, by each of them, which the document says', () => {
    const { paths } = openApiDocument(apiCalls) as { paths: Record<string, { post?: { description: string } }> };
    const said = Object.entries(paths).flatMap(([path, { post }]) =>
      post?.description.includes('Counts as one request for each item, and does nothing where fewer are left.')
        ? [path]
        : [],
    );
    expect(said).toEqual(apiCalls.filter(({ bulk }) => bulk).map(({ path }) => path));
    expect(said).toHaveLength(3);
  });
});
