import type { Code, ToolError } from '../../kernel/error.ts'

/** In place of advice that only the tools of another contract could follow. */
const HINTS: Partial<Readonly<Record<Code, string>>> = {
  too_large: 'Ask about a smaller file',
  not_a_file: 'Name a file',
}

/** What to do about a failure with the tools and parameters of this document. */
export function hintOf({ code, hint, details }: ToolError): string | undefined {
  if (code === 'ambiguous') return namedIn(details?.['symbols']) ?? hint
  return HINTS[code] ?? hint?.replace('Look for it with grep', 'Read the file with read_file')
}

/** The names as `functionName` takes them; undefined where their lines alone tell them apart. */
function namedIn(symbols: unknown): string | undefined {
  if (!Array.isArray(symbols)) return undefined
  const names = new Set(symbols.map(symbol => String(symbol).replace(/ \(line \d+\)$/, '')))
  return names.size === symbols.length ? `Give one of these as functionName: ${[...names].join(', ')}` : undefined
}
