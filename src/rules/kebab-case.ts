/**
 * A word of Kubernetes' resources as JSON and HTTP APIs write one: `SubdomainTaken` as `subdomain-taken`, `IPLiteral` as `ip-literal`. What is in that
 * form already stays as it is.
 */
export const kebabCase = (word: string): string =>
  word
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
