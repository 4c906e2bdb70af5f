import type { Findings } from './check-result.ts'

/** The output type `domain_map`: domains, layout and summary of a product. */
export function domainMap(data: unknown): Findings {
  if (!isObject(data)) return { errors: ['The output is not an object'] }
  const { domains, layout, summary, ...others } = data
  const list = Array.isArray(domains) ? domains : []
  const errors = [
    // The contract prints this sentence for an empty list.
    ...(list.length === 0 ? ["Missing 'domains' array"] : []),
    ...list.flatMap((domain, at) => (isObject(domain) ? [] : [`'domains.${at}' is not an object`])),
    ...(isObject(layout) ? [] : ["Missing 'layout' object"]),
    ...(isObject(summary) ? [] : ["Missing 'summary' object"]),
  ]
  return { errors, warnings: [...namesOf(list), ...Object.keys(others).map(key => `Unknown key '${key}'`)] }
}

/** Duplicate or missing names are for people to judge. */
function namesOf(domains: readonly unknown[]): readonly string[] {
  const names = new Set<string>()
  return domains.flatMap((domain, at) => {
    if (!isObject(domain)) return []
    const { name } = domain
    if (typeof name !== 'string' || name.trim() === '') return [`'domains.${at}' has no name`]
    if (names.has(name)) return [`'domains.${at}' has the name '${name}' of another domain`]
    names.add(name)
    return []
  })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
