import { sanitize } from '../../kernel/sanitize.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'

/** Parsed option values. */
export type OptionValues = Readonly<Record<string, unknown>>

/** Options that locate a call; printed last. */
const PLACE: ReadonlySet<string> = new Set(['root', 'config', 'profile', 'contract'])

/** Formats a command line that a shell reads back as this command: arguments, then options. */
export function commandLine(
  command: string,
  words: readonly string[],
  values: OptionValues = {},
  isAfterDashes = words.some(word => word.startsWith('-')),
): string {
  const all = Object.entries(values)
  const orderedOptions = [
    ...all.filter(([option]) => !PLACE.has(option)),
    ...all.filter(([option]) => PLACE.has(option)),
  ]
  const options = orderedOptions.flatMap(([option, value]) => optionWords(option, value))
  return quoteArgv(['toolwright', command, ...(isAfterDashes ? [...options, '--', ...words] : [...words, ...options])])
}

function optionWords(option: string, value: unknown): readonly string[] {
  if (value === undefined || value === false) return []
  if (value === true) return [`--${option}`]
  if (Array.isArray(value)) return value.flatMap(each => optionWords(option, each))
  const text = String(value)
  return text.startsWith('-') ? [`--${option}=${text}`] : [`--${option}`, text]
}

/** Returns the command for the rest of an answer: the typed command with other options. */
export const moreLine = (command: string, words: readonly string[], values: OptionValues): string =>
  sanitize(`There is more: ${commandLine(command, words, values)}`)

/** Options that repeat the workspace in the next command. */
export const sameWorkspace = ({ root, config, profile }: OptionValues): OptionValues => ({
  root,
  config,
  profile,
})

/** Formats a call of a tool with its input as JSON. */
export const callLine = (tool: string, input: object, values: OptionValues = {}): string =>
  commandLine('call', [tool, JSON.stringify(input)], values)
