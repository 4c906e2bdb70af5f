import { ToolError } from '../../kernel/error.ts'

/**
 * Returns the one text of a call's validated parameters: top-level keys in the order of the tool's schema, deeper ones
 * sorted, no spaces. Throws for a key that the schema does not have, because the matched text must be what runs.
 */
export function canonicalJson(input: unknown, keyOrder: readonly string[]): string {
  if (!isRecord(input)) return stringify(input)
  const extra = Object.keys(input).find(key => !keyOrder.includes(key))
  if (extra !== undefined)
    throw new ToolError('invalid_input', `Unknown parameter '${extra}'`, { hint: `Expected: ${keyOrder.join(', ')}` })
  const presentKeys = keyOrder.filter(key => Object.hasOwn(input, key) && input[key] !== undefined)
  return `{${presentKeys.map(key => `${JSON.stringify(key)}:${stringify(input[key])}`).join(',')}}`
}

function stringify(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stringify).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? 'null'
  const keys = Object.keys(value).filter(key => value[key] !== undefined)
  return `{${keys
    .toSorted()
    .map(key => `${JSON.stringify(key)}:${stringify(value[key])}`)
    .join(',')}}`
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
