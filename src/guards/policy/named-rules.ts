import type { Rule } from './rule.ts'

/** A rule as a configuration writes it. */
export type WrittenRule = Omit<Rule, 'id' | 'source' | 'narrows'> & { readonly id?: string | undefined }

/** Rules with the names that messages use: who wrote them, and the name or the number they have there. */
export const namedRules = (
  written: readonly WrittenRule[] = [],
  source: 'user' | 'project',
  narrows?: true,
): readonly Rule[] =>
  written.map((given, index) => ({
    ...given,
    id: `${source}:${given.id ?? index + 1}`,
    source,
    ...(narrows && { narrows }),
  }))
