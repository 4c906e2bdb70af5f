import type { Code, ToolError } from '../../kernel/error.ts'

/** What a failed call answers besides its times: the document's error, and of a command what it had printed by then. */
export function failureOf(
  { code, message, hint, details }: ToolError,
  codes: Readonly<Record<Code, string>>,
): { readonly data?: unknown; readonly error: { readonly code: string; readonly message: string } } {
  const { stdout, stderr, exitCode } = details ?? {}
  const data = typeof stdout === 'string' && { data: { stdout, stderr, exitCode } }
  const report = reportOf(details)
  const next = (data ? endedHint(code, details) : undefined) ?? hint
  return { ...data, error: { code: codes[code], message: `${next ? `${message}. ${next}` : message}${report}` } }
}

const MOST_REPORT = 4000

/** What failed validators printed, the end of it where that is long: the document's error has nothing but its message. */
function reportOf(details: ToolError['details']): string {
  const validators: unknown = details?.['validators']
  if (!Array.isArray(validators)) return ''
  return validators
    .filter(({ passed }: Report) => !passed)
    .map(({ name, output }: Report) => `\n\n${name} reports:\n${lastOf(output.trimEnd())}`)
    .join('')
}

interface Report {
  readonly name: string
  readonly passed: boolean
  readonly output: string
}

const lastOf = (text: string): string => (text.length > MOST_REPORT ? `…${text.slice(-MOST_REPORT)}` : text)

/** The document knows neither commands in the background nor details of an error. */
function endedHint(code: Code, details: ToolError['details']): string | undefined {
  if (code !== 'timeout' && code !== 'quota') return undefined
  const kept = details?.['direct'] === true ? 'what it changed by then stays' : 'its changes to files were dropped'
  const more = code === 'timeout' ? 'Give it more time where the tool is made (timeoutMs); what' : 'What'
  return `${more} it had printed is in data, and ${kept}`
}
