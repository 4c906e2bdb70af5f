import type { Concern } from './concern.ts'
import { optionConcerns, type Options } from './options.ts'
import { literalOf, type Word } from './script.ts'

const SINKS = new Set(['-', '/dev/null'])

/** An address of the web, or a name without a scheme. */
const address = (text: string): string | undefined => {
  const [, scheme = 'http'] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text) ?? []
  return /^https?$/i.test(scheme) && !text.startsWith('/') ? undefined : `'${text}' is no address of the web`
}

/** A value that begins with one of these is the name of a file. */
const value = (text: string): string | undefined =>
  /^[@<]|^[^\s:{["]*[@=][@<]/.test(text) ? `'${text}' may be a file` : undefined

const CURL: Options = {
  flags: 'sSfLIikv46gGNV#',
  values: 'AHemXdw',
  operands: 'any',
  check: text => value(text) ?? address(text),
  long: `silent show-error fail fail-with-body location head include insecure verbose ipv4 ipv6 globoff get no-buffer version compressed
  user-agent= header= referer= max-time= connect-timeout= request= data= data-raw= json= write-out= retry= retry-delay= url= http1.1
  http2 tlsv1.2 tlsv1.3 max-redirs= progress-bar no-progress-meter url-query=`,
}

/** curl, as long as what it brings is shown: nothing is written, and no file is sent. */
export function curl(words: readonly Word[]): readonly Concern[] {
  return within(CURL, words, sinkAt(words, /^(-o|--output)$/, /^--output=(.*)$/))
}

const WGET: Options = {
  flags: 'qSvd46nV',
  values: 'TtU',
  operands: 'any',
  check: text => value(text) ?? address(text),
  long: 'spider quiet verbose no-verbose server-response timeout= tries= user-agent= header= version help max-redirect= compression=',
}

/** wget writes a file unless it is told not to. */
export function wget(words: readonly Word[]): readonly Concern[] {
  const sinks = sinkAt(words, /^(-q?O|--output-document)$/, /^(?:-q?O|--output-document=)(.+)$/)
  const isShown = sinks.length > 0 || words.some(word => /^--(spider|version|help)$/.test(word.source))
  const writes = isShown ? [] : [{ at: words.length, what: 'it writes a file' }]
  return [...within(WGET, words, sinks), ...writes]
}

/** The places of an option that names the screen, or nothing, as the place to write to. */
function sinkAt(words: readonly Word[], option: RegExp, joined: RegExp): readonly number[] {
  return words.flatMap((word, at) => {
    const text = literalOf(word) ?? ''
    const next = words[at + 1]
    if (option.test(text)) return SINKS.has((next && literalOf(next)) ?? '') ? [at, at + 1] : []
    return SINKS.has(joined.exec(text)?.[1] ?? '') ? [at] : []
  })
}

function within(options: Options, words: readonly Word[], without: readonly number[]): readonly Concern[] {
  const places = words.map((_, at) => at).filter(at => !without.includes(at))
  const rest = places.flatMap(at => words[at] ?? [])
  return optionConcerns(options, rest).map(({ at, what }) => ({ at: places[at] ?? words.length, what }))
}
