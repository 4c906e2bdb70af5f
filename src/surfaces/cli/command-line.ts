import { sanitize } from '../../kernel/sanitize.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'

/** The values of options, as the parser gives them. */
export type OptionValues = Readonly<Record<string, unknown>>

/** Options that say where a call is made; they stand last. */
const PLACE: ReadonlySet<string> = new Set(['root', 'config', 'contract'])

/** A line that a shell reads back as this command: its arguments, then its options. */
export function commandLine(
  command: string,
  words: readonly string[],
  values: OptionValues = {},
  isAfterDashes = words.some(word => word.startsWith('-')),
): string {
  const all = Object.entries(values)
  const sorted = [...all.filter(([option]) => !PLACE.has(option)), ...all.filter(([option]) => PLACE.has(option))]
  const options = sorted.flatMap(([option, value]) => given(option, value))
  return quoteArgv(['toolwright', command, ...(isAfterDashes ? [...options, '--', ...words] : [...words, ...options])])
}

function given(option: string, value: unknown): readonly string[] {
  if (value === undefined || value === false) return []
  if (value === true) return [`--${option}`]
  if (Array.isArray(value)) return value.flatMap(each => given(option, each))
  const text = String(value)
  return text.startsWith('-') ? [`--${option}=${text}`] : [`--${option}`, text]
}

/** What to type for the rest of an answer: the command as it was typed, with other options. */
export const moreLine = (command: string, words: readonly string[], values: OptionValues): string =>
  sanitize(`There is more: ${commandLine(command, words, values)}`)

/** Where a call was made, for the next line about the same workspace. */
export const sameWorkspace = ({ root, config }: OptionValues): OptionValues => ({ root, config })

/** A call of a tool with its input as JSON. */
export const callLine = (tool: string, input: object, values: OptionValues = {}): string =>
  commandLine('call', [tool, JSON.stringify(input)], values)
