import { headOf, tailOf } from '../../guards/shrink.ts'
import type { ToolError } from '../../kernel/error.ts'
import { OWN_CODES } from '../../kernel/own-codes.ts'
import type { Printed } from '../../kernel/run-facts.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { isFields, numberAt, pathAt, textsIn, type Fields } from '../render/shape.ts'
import { valueLines } from '../render/value.ts'

const PLAIN = { paint: (_colour: unknown, text: string) => text, widest: Infinity, tabs: true }

/** Most characters of a failure below its first two lines; each stream of a command gets at least half. */
const MOST = 36_000
/** The marks of a cut and of a stream are besides. */
const MOST_PRINTED = MOST - 200
const MOST_PATHS = 100

/**
 * Formats an error as one line and a hint. Adds only what these cannot hold: output of a command or validator, and the
 * full lists of places and paths.
 */
export async function failureLines({ code, message, hint = '', details = {} }: ToolError): Promise<readonly string[]> {
  // The message names every issue of the input.
  const { issues: _issues, stdout, stderr, exitCode, kept, ...others } = details
  const first = shortSentence(message)
  const second = shortSentence(hint)
  const outputLines =
    typeof stdout === 'string' && typeof stderr === 'string' && `${stdout}${stderr}` !== ''
      ? [...(exitCode === undefined ? [] : [`exit code ${exitCode}`]), ...streamLines(stdout, stderr, Object(kept))]
      : []
  const more = [...outputLines, ...(await unsaid(others, `${first}\n${second}`))]
  return [`${OWN_CODES[code]}: ${first}`, ...(second === '' ? [] : [second]), ...textWithin(more.join('\n'), MOST)]
}

/** A short stream leaves its room to the other. */
function streamLines(stdout: string, stderr: string, kept: NonNullable<Printed['kept']>): readonly string[] {
  const [out, errors] = [stdout.trimEnd(), stderr.trimEnd()]
  const besides = (other: string): number => Math.max(MOST_PRINTED / 2, MOST_PRINTED - other.length)
  const streams = [
    textWithin(out, besides(errors), kept.stdout?.ref),
    textWithin(errors, besides(out), kept.stderr?.ref),
  ] as const
  return [...streams[0], ...(errors === '' ? [] : ['stderr:', ...streams[1]])]
}

/** Most characters of a message or hint: one quotes what the caller sent, or names each of its mistakes. */
const MOST_SENTENCE = 4_000

/** Cuts the middle of a long message or hint, and leaves it one line. */
export const shortSentence = (text: string): string => textWithin(text, MOST_SENTENCE).join(' ')

/** Cuts the middle of a text that does not fit, at whole lines where there are any. Names the reference to all of it. */
export function textWithin(text: string, most: number, ref?: string): readonly string[] {
  if (text === '') return []
  if (text.length <= most) return [text]
  const [head, tail] = [headOf(text, Math.ceil(most * 0.6)), tailOf(text, Math.floor(most * 0.4))]
  const notice = `… ${text.length - head.length - tail.length} more characters`
  return [head.replace(/\n$/, ''), ref === undefined ? notice : `${notice}; all of it is in ${ref}`, tail]
}

/** Returns the lists in a failure's details, without items already mentioned. */
async function unsaid(facts: Fields, said: string): Promise<readonly string[]> {
  const lines: string[] = []
  for (const [name, value] of Object.entries(facts)) {
    const paths = textsIn(value)?.filter(text => !said.includes(text)) ?? []
    if (paths.length > 0) lines.push(`${name}: ${listPaths(paths)}`)
    else if (isFields(value)) lines.push(...(await unsaid(value, said)))
    else if (Array.isArray(value) && value.every(isFields)) {
      const others = value.filter(each => !isSaid(each, said))
      lines.push(...(others.every(isNamedPlace) ? others.map(placeLine) : await valueLines(name, others, PLAIN)))
    }
  }
  return lines
}

/** Reports whether a place has an id, by which the next call can name it. */
const isNamedPlace = (fact: Fields): boolean =>
  typeof fact['id'] === 'string' && pathAt(fact) !== undefined && numberAt(fact, 'line') !== undefined

function placeLine(fact: Fields): string {
  const { id, text = '', why } = fact
  return sanitize(`${pathAt(fact)}:${numberAt(fact, 'line')} [${id}] ${text}${why === undefined ? '' : ` (${why})`}`)
}

const listPaths = (paths: readonly string[]): string =>
  paths.length > MOST_PATHS
    ? `${paths.slice(0, MOST_PATHS).join(', ')} and ${paths.length - MOST_PATHS} more`
    : paths.join(', ')

function isSaid(fact: Fields, said: string): boolean {
  if (isNamedPlace(fact)) return said.includes(`[${fact['id']}]`)
  const [path, line] = [pathAt(fact), numberAt(fact, 'line')]
  return path !== undefined && said.includes(line === undefined ? path : `${path}:${line}`)
}
