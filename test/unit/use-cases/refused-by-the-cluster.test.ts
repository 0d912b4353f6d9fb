import { describe, expect, it } from '@jest/globals';
import { KubernetesError } from '../../../src/kubernetes/kubernetes-errors.ts';
import { problemOfError } from '../../../src/use-cases/error-to-problem.ts';

/** What a caller of the API is told where the cluster refuses its change: whose turn it is, and nothing that is not its own. */

const answer = (status: number, reason: string, message: string, causes: readonly string[] = []) =>
  new KubernetesError({ status, reason, message, retryAfterMs: null, causes });

const of = (kind: string) => `${kind}.projectdomain.io "x" is forbidden: `;
const hook = 'admission webhook "rules.example.com" denied the request: globex/shop has it';
const policy = "ValidatingAdmissionPolicy 'no-shops' with binding 'b' denied request: no";

describe('a change that the cluster refuses', () => {
  it.each([
    [
      'by a full quota of something else',
      answer(403, 'Forbidden', `${of('projects')}exceeded quota: own, requested: count/pods=1`),
      409,
      'write-refused',
    ],
    [
      'by the cap of the plan',
      answer(
        403,
        'Forbidden',
        `${of('projects')}exceeded quota: projectdomain-maximum, requested: count/projects.projectdomain.io=1`,
      ),
      409,
      'project-cap-reached',
    ],
    [
      'by a quota that has not counted yet',
      answer(403, 'Forbidden', `${of('projects')}status unknown for quota: q, resources: x`),
      503,
      'cluster-unavailable',
    ],
    ['by a webhook', answer(400, 'Status400', hook), 409, 'write-refused'],
    ['by a webhook that says that something is invalid', answer(422, 'Invalid', hook), 409, 'write-refused'],
    ['by a policy', answer(422, 'Invalid', `${of('projects')}${policy}`), 409, 'write-refused'],
    ['by a namespace that ends', answer(403, 'Forbidden', 'x', ['NamespaceTerminating']), 409, 'write-refused'],
    [
      'by a webhook that is away',
      answer(500, 'InternalError', 'Internal error occurred: failed calling webhook "w": x'),
      503,
      'cluster-unavailable',
    ],
    ['by a version', answer(409, 'Conflict', 'the object has been modified'), 409, 'conflict'],
  ])('%s', (_, error, status, code) => {
    expect(problemOfError(error)).toMatchObject({ status, code });
  });

  it('by a right that is missing is our fault', () => {
    expect(problemOfError(answer(403, 'Forbidden', `${of('projects')}User "x" cannot create resource`))).toBeNull();
  });

  it('says what refused it and whose turn it is, without words that may name what is of others', () => {
    const problem = problemOfError(answer(400, 'Status400', hook));
    expect(problem?.message).toBe(
      'admission rules.example.com denies the write of the change; nothing was changed: ask the people who run the platform',
    );
    expect(problem?.members).toEqual({ refusal: 'AdmissionDenied' });
  });
});
