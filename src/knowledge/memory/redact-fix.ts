import { ToolError } from '../../kernel/error.ts'
import type { Fix } from './fix.ts'

/** Returns a fix without secrets in any of its texts. Refuses an id with one: replaced, it would name another fix. */
export function redactFix({ attempts, ...fix }: Fix, redact: (text: string) => string): Fix {
  if (redact(fix.id) !== fix.id)
    throw new ToolError('invalid_input', 'The id of the fix looks like a secret', { hint: 'Give another id, or none' })
  const texts = Object.entries(fix).map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value])
  return {
    ...(Object.fromEntries(texts) as typeof fix),
    ...(attempts && {
      attempts: attempts.map(({ tried, failed }) => ({ tried: redact(tried), failed: redact(failed) })),
    }),
  }
}
