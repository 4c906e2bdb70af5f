export type JsonData = Readonly<Record<string, unknown>>

/** Parses a configuration file. Allows comments and trailing commas, as compilers do. */
export function jsonData(text: string): JsonData | undefined {
  const withoutComments = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g, '$1')
  for (const each of [text, withoutComments.replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, '$1')])
    try {
      const data: unknown = JSON.parse(each)
      return isData(data) ? data : undefined
    } catch {}
  return undefined
}

export const isData = (value: unknown): value is JsonData =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
