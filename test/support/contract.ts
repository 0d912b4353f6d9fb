import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { RestAnswer } from '../../dev/lib/rest.ts';

/** Holds live answers against the OpenAPI document that the server itself shows. */

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const quotaHeaders = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
];

export interface Contract {
  /** Fails the test when the answer is not one that the document describes. */
  check(method: string, path: string, answer: RestAnswer): void;
  /** `operationId status` of every answer that was checked */
  readonly seen: ReadonlySet<string>;
}

export function contractOf(document: OpenApi): Contract {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const seen = new Set<string>();
  return {
    seen,
    check(method, path, answer) {
      const { status, body } = answer;
      checkQuotaHeaders(method, path, answer);
      const operation = operationOf(document, method, path);
      if (!operation) return expect([400, 401, 404, 405, 429]).toContain(status);
      seen.add(`${operation.operationId} ${status}`);
      const response = operation.responses[String(status)];
      expect([operation.operationId, status, response]).toEqual([operation.operationId, status, expect.anything()]);
      if (!response?.content) return expect(body).toEqual({});
      const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
      expect([operation.operationId, status, Object.keys(response.content)]).toEqual([
        operation.operationId,
        status,
        [type],
      ]);
      const parts = ['paths', templateOf(document, path) ?? '', method.toLowerCase(), 'responses', String(status)];
      const pointer = `#/${[...parts, 'content', type, 'schema'].map(escape).join('/')}`;
      const validate = ajv.getSchema(`openapi${pointer}`);
      expect([pointer, validate?.(body), validate?.errors ?? null]).toEqual([pointer, true, null]);
    },
  };
}

function checkQuotaHeaders(method: string, path: string, { status, headers }: RestAnswer): void {
  for (const name of quotaHeaders) expect([method, path, name, headers.get(name)]).not.toContain(null);
  if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

const escape = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

function templateOf(document: OpenApi, path: string): string | undefined {
  const plain = path.split('?')[0] ?? '';
  const matches = (template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(plain);
  const found = Object.keys(document.paths).filter(matches);
  return found.find((template) => !template.includes('{')) ?? found[0];
}

function operationOf(document: OpenApi, method: string, path: string): Operation | undefined {
  const template = templateOf(document, path);
  return template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
}
