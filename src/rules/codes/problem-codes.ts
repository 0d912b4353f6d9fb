import { projectAcceptedReasons } from './project-reasons.ts';

interface ProblemCodeRow {
  /** of HTTP */
  readonly status: number;
  /** a problem's title in REST, and its heading in the dashboard */
  readonly title: string;
  /** what to do, for people; REST's `detail` says more of the request */
  readonly todo: string;
}

/** Every error response of the API (RFC 9457, application/problem+json), in one catalogue of stable codes. */
export const problemCodes = {
  'malformed-request': {
    status: 400,
    title: 'Something is missing or not valid',
    todo: 'Check what you entered and try again.',
  },
  'unknown-field': {
    status: 400,
    title: 'The request has an unknown field',
    todo: 'Load the page again and try once more.',
  },
  unauthenticated: { status: 401, title: 'A valid API key is required', todo: 'This needs a valid API key.' },
  'plan-upgrade-required': {
    status: 403,
    title: 'Not included in your plan',
    todo: 'Custom domains require Pro or higher.',
  },
  'scope-missing': {
    status: 403,
    title: 'Your API key does not allow this',
    todo: 'Sign in with a key that is allowed to do it.',
  },
  'cross-site': {
    status: 403,
    title: 'The form was not sent by the dashboard',
    todo: 'It wasn’t sent from a page of your session. Open the page again and send it from there.',
  },
  'abnormal-usage-detected': {
    status: 403,
    title: 'Your API key is temporarily banned',
    todo: 'A program kept sending requests after it was told to wait. The key works again once the ban ends.',
  },
  'not-found': { status: 404, title: 'Not found', todo: 'The link may be out of date, or something was removed.' },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed here',
    todo: 'Go back and use the buttons of the page.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    todo: 'Try once more; your connection may be slow.',
  },
  'account-not-ready': {
    status: 409,
    title: 'Your account is still being set up',
    todo: 'Try again in a few minutes.',
  },
  'already-exists': { status: 409, title: 'This name is taken', todo: 'Choose another name.' },
  conflict: {
    status: 409,
    title: 'Someone else changed this at the same time',
    todo: 'Load the page again, then repeat your change.',
  },
  'domain-pending': {
    status: 409,
    title: 'This domain cannot be verified yet',
    todo: 'Something other than DNS has to happen first; its page says what.',
  },
  'project-not-deployed': {
    status: 409,
    title: 'Publish your project first',
    todo: 'A domain can be added once the project has been published.',
  },
  'domain-cap-reached': {
    status: 409,
    title: 'Your plan allows no more domains',
    todo: 'Remove a domain that you no longer need, or move to a higher plan.',
  },
  'project-cap-reached': {
    status: 409,
    title: 'Your plan allows no more projects',
    todo: 'Delete a project that you no longer need, or move to a higher plan.',
  },
  'key-cap-reached': {
    status: 409,
    title: 'Your plan allows no more API keys',
    todo: 'Delete a key that you no longer need, or move to a higher plan.',
  },
  'link-cap-reached': {
    status: 409,
    title: 'This domain has as many links as it may have',
    todo: 'Revoke a link that you no longer need.',
  },
  'label-cap-reached': {
    status: 409,
    title: 'This domain has as many labels as it may have',
    todo: 'Take away a label that you no longer need.',
  },
  'subdomain-reserved': {
    status: 409,
    title: 'This platform address is reserved',
    todo: projectAcceptedReasons.SubdomainReserved.todo,
  },
  'subdomain-taken': {
    status: 409,
    title: 'This platform address is taken',
    todo: projectAcceptedReasons.SubdomainTaken.todo,
  },
  'write-refused': {
    status: 409,
    title: 'The cluster of the platform refuses this change',
    todo: 'Nothing was changed. Contact the people who run the platform and quote the code below.',
  },
  'primary-exists': {
    status: 409,
    title: 'The project already has a primary domain',
    todo: 'Add this domain as a redirect to it.',
  },
  'hostname-in-use': {
    status: 409,
    title: 'You already use this domain',
    todo: 'Open it in the project that has it: change it there, or remove it first.',
  },
  'hostname-not-held': {
    status: 409,
    title: 'A domain is not verified yet',
    todo: 'Add and verify every domain that the certificate names first.',
  },
  'idempotency-key-in-use': {
    status: 409,
    title: 'A request with this Idempotency-Key is being answered',
    todo: 'Wait a moment, then try again.',
  },
  'precondition-failed': {
    status: 412,
    title: 'It was changed since you read it',
    todo: 'Load the page again, then repeat your change.',
  },
  'payload-too-large': { status: 413, title: 'That is too much at once', todo: 'Enter less and try again.' },
  'unsupported-media-type': {
    status: 415,
    title: 'The media type is not supported',
    todo: 'Load the page again and try once more.',
  },
  'expectation-failed': {
    status: 417,
    title: 'The expectation cannot be met',
    todo: 'Go back and use the buttons of the page.',
  },
  'invalid-hostname': {
    status: 422,
    title: 'This domain cannot be used',
    todo: 'Enter it as it appears in your browser, such as www.example.com.',
  },
  'invalid-redirect': {
    status: 422,
    title: 'This redirect is not possible',
    todo: 'Choose a domain of this project that isn’t a redirect.',
  },
  'too-many-items': {
    status: 422,
    title: 'Too many items at once',
    todo: 'Send them in several parts.',
  },
  'prepare-unavailable': {
    status: 422,
    title: 'Domains cannot be prepared here',
    todo: 'Add it without preparing it: the certificate follows once it points here.',
  },
  'invalid-certificate': { status: 422, title: 'This certificate cannot be used', todo: 'Send another certificate.' },
  'idempotency-key-reused': {
    status: 422,
    title: 'This Idempotency-Key belongs to another request',
    todo: 'Send each request with a new Idempotency-Key.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    todo: 'Delete the cookies of this site and try again.',
  },
  'quota-exceeded': { status: 429, title: 'The request limit is reached', todo: 'Your plan and usage stay open.' },
  'too-many-writes': {
    status: 429,
    title: 'Too many changes at once',
    todo: 'Earlier changes of your account are still being made. Try again in a few seconds.',
  },
  'too-many-lookups': {
    status: 429,
    title: 'Too many DNS checks at once',
    todo: 'Earlier checks of your account are still running. Try again in a few seconds.',
  },
  'too-many-streams': {
    status: 429,
    title: 'Too many event streams are open',
    todo: 'Close one of your other dashboard tabs, then load this page again.',
  },
  'too-many-idempotency-keys': {
    status: 429,
    title: 'Too many keys and links with an Idempotency-Key',
    todo: 'Try again later, or send the request without an Idempotency-Key.',
  },
  'internal-error': {
    status: 500,
    title: 'Something went wrong on our side',
    todo: 'Try again in a minute. If it happens again, contact us.',
  },
  'sessions-unavailable': {
    status: 503,
    title: 'We cannot confirm your sign-in right now',
    todo: 'Nothing was lost. Try again in a few seconds.',
  },
  'links-unavailable': {
    status: 503,
    title: 'Links cannot be opened right now',
    todo: 'Nothing was lost. Try again in a few seconds.',
  },
  'idempotency-unavailable': {
    status: 503,
    title: 'We cannot tell whether this was done before',
    todo: 'Nothing was changed. Try again in a few seconds with the same Idempotency-Key.',
  },
  'cluster-unavailable': {
    status: 503,
    title: 'Changes cannot be made right now',
    todo: 'Nothing was lost. Try again in a few seconds.',
  },
  'not-begun': {
    status: 503,
    title: 'There was no time left for this item',
    todo: 'Nothing was done about it. Send it again.',
  },
  overloaded: {
    status: 503,
    title: 'The server is too busy right now',
    todo: 'Nothing was changed. Try again in a few seconds.',
  },
  starting: {
    status: 503,
    title: 'The server is starting or stopping',
    todo: 'Nothing was changed. Try again in a few seconds.',
  },
} as const satisfies Readonly<Record<string, ProblemCodeRow>>;
