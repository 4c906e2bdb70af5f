import type { Code, ToolError } from '../../kernel/error.ts'
import { validatorReport } from '../../kernel/failed-validators.ts'
import { isSystemRefusal } from '../../kernel/system-refusal.ts'

/** The result of a failed call besides its times: the document's error, and a command's output so far. */
export function failureOf(
  { code, message, hint, details }: ToolError,
  codes: Readonly<Record<Code, string>>,
): { readonly data?: unknown; readonly error: { readonly code: string; readonly message: string } } {
  const { stdout, stderr, exitCode } = details ?? {}
  const data = typeof stdout === 'string' && { data: { stdout, stderr, exitCode } }
  // The document's error has only a message.
  const report = `${notesIn(details)}${validatorReport(details)}`
  const next = (data ? endedHint(code, details) : undefined) ?? hint
  const wireCode = isSystemRefusal({ code, details }) ? codes.denied : codes[code]
  return { ...data, error: { code: wireCode, message: `${next ? `${message}. ${next}` : message}${report}` } }
}

/** Says what the output in `data` lacks, and where all of it is. */
const notesIn = ({ outputNotes }: NonNullable<ToolError['details']> = {}): string =>
  Array.isArray(outputNotes) ? outputNotes.map(note => `. ${note}`).join('') : ''

/** The document has neither background commands nor error details. */
function endedHint(code: Code, details: ToolError['details']): string | undefined {
  if (code !== 'timeout' && code !== 'quota') return undefined
  const fateOfChanges =
    details?.['direct'] === true ? 'what it changed by then stays' : 'its changes to files were dropped'
  const setting = details?.['timeSetBy'] ?? 'timeoutMs where the tool is made'
  const more = code === 'timeout' ? `Give it more time (${String(setting)}); what` : 'What'
  return `${more} it had printed is in data, and ${fateOfChanges}`
}
