/** What is measured: each answers the same small JSON, and all but `bare` find the key and send X-RateLimit headers. */
export const variants = ['bare', 'without Redis', 'ours', 'express-rate-limit', 'rate-limiter-flexible'] as const;

export type Variant = (typeof variants)[number];

export const isVariant = (text: string): text is Variant => variants.some((variant) => variant === text);

/** Limits of every account: nothing is refused, or all but the first request of a minute. */
export const limitsOf = {
  allowed: { perMinute: 1_000_000_000, perDay: 2_000_000_000 },
  refused: { perMinute: 1, perDay: 2_000_000_000 },
} as const;

export type Path = keyof typeof limitsOf;
