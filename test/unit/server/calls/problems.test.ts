import { describe, expect, it } from '@jest/globals';
import { apiCalls } from '../../../../src/server/call-table.ts';
import type { ApiCall } from '../../../../src/server/api-call.ts';
import { check } from '../../../../src/server/request-validation.ts';
import { problemOfError } from '../../../../src/use-cases/error-to-problem.ts';
import type { ProblemCode } from '../../../../src/use-cases/problem.ts';
import { documentOf } from '../../../support/document-of.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';
import type { Provocation } from './call-examples.ts';
import { provocations } from './call-examples.ts';

/**
 * Every problem that a call documents, provoked once: a code that cannot happen any more, or one that a call forgot to
 * document, fails here.
 */

async function answerTo(call: ApiCall, provocation: Provocation): Promise<ProblemCode | null> {
  const { params = {}, query, body, given, plan = 'pro', faults = {} } = provocation;
  const api = createInMemoryApi();
  const key = api.account('acme', plan);
  api.domain('acme', 'www.example.com');
  const context = api.as(key);
  given?.(api);
  const own = context.caller.apiKey.spec.keyId ?? '';
  const dependencies = { ...api.dependencies, cluster: { ...api.cluster, ...faults } };
  const named = params.key === 'own' ? { key: own } : params;
  try {
    const read = call.query ? check(call.query, query ?? {}, 'query') : query;
    const spend = () => Promise.resolve();
    await call.handle({ ...context, dependencies, params: named, query: read, body, spend, documentOf });
    return null;
  } catch (error) {
    return problemOfError(error)?.code ?? null;
  } finally {
    api.stop();
  }
}

const table = apiCalls.flatMap((call) =>
  Object.entries(provocations[call.name] ?? {}).map(
    ([code, provocation]) => [call.name, code, call, provocation] as const,
  ),
);

describe('a call answers', () => {
  it.each(table)('%s with %s', async (_, code, call, provocation) => {
    expect(await answerTo(call, provocation)).toBe(code);
  });

  it.each(apiCalls.map((call) => [call.name, call] as const))(
    '%s with no problem that is not provoked here',
    (_, call) => {
      expect([...call.problems].toSorted()).toEqual(Object.keys(provocations[call.name] ?? { missing: 1 }).toSorted());
    },
  );
});
