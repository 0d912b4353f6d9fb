import { describe, expect, it } from '@jest/globals';
import { apiCalls } from '../../../src/server/call-table.ts';
import { openApiDocument } from '../../../src/server/openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: readonly string[];
}

const document = openApiDocument(apiCalls) as {
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | readonly unknown[]>>>>;
};
const operations = Object.values(document.paths).flatMap((path) =>
  Object.values(path).filter((one): one is Operation => 'operationId' in one),
);

/** What linters of OpenAPI documents ask for (Spectral's operation-description, operation-tag-defined, tag-description, openapi-tags). */
describe('the OpenAPI document', () => {
  it.each(operations.map((one) => [one.operationId, one] as const))('describes %s', (_, operation) => {
    expect(operation.summary).toMatch(/\S/);
    expect(operation.description).toMatch(/^(?:Requires the scope|Any key will do).*\.$/);
  });

  it('has no pattern that only some regular expressions read', () => {
    const patterns = [...JSON.stringify(openApiDocument(apiCalls)).matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g)];
    expect(patterns.length).toBeGreaterThan(2);
    for (const [, pattern = ''] of patterns) expect(() => new RegExp(JSON.parse(pattern) as string)).not.toThrow();
  });

  it('defines each tag that its calls have, with what it stands for, and no other', () => {
    const used = new Set(operations.flatMap(({ tags }) => tags));
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
    for (const { description } of document.tags) expect(description).toMatch(/^[A-Z].*\.$/);
  });
});
