import { asking, ASKING } from './ask-tool.ts'
import { MOST_SKIPPED, numberOption } from './number-option.ts'
import { printGrepped, type GrepAnswer } from './print-grepped.ts'
import { warn, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

const MOST = 2000
const LIMIT = { least: 1, most: MOST }
const AROUND = { most: 50 }
const OPTIONS = {
  ...ASKING,
  regexp: { type: 'string', short: 'e', multiple: true },
  'ignore-case': { type: 'boolean', short: 'i' },
  // The habit of many: lines are numbered anyway.
  'line-number': { type: 'boolean', short: 'n' },
  'word-regexp': { type: 'boolean', short: 'w' },
  'fixed-strings': { type: 'boolean', short: 'F' },
  'invert-match': { type: 'boolean', short: 'v' },
  multiline: { type: 'boolean', short: 'U' },
  'files-with-matches': { type: 'boolean', short: 'l' },
  count: { type: 'boolean', short: 'c' },
  'after-context': { type: 'string', short: 'A' },
  'before-context': { type: 'string', short: 'B' },
  context: { type: 'string', short: 'C' },
  glob: { type: 'string', short: 'g', multiple: true },
  'no-hidden': { type: 'boolean' },
  strict: { type: 'boolean' },
  limit: { type: 'string' },
  skip: { type: 'string' },
} as const

/** `toolwright grep`: lines of files for people, as ripgrep shows them. */
export async function grep(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('grep', args, OPTIONS)
  const given = values.regexp ?? positionals.slice(0, 1)
  if (given.length === 0) throw new UsageError('Give a pattern, e.g. grep TODO src', 'grep')
  const paths = values.regexp ? positionals : positionals.slice(1)
  const around = values.context === undefined ? undefined : numberOption(values.context, '-C', 'grep', AROUND)
  const lines = (text: string | undefined, option: string) =>
    text === undefined ? around : numberOption(text, option, 'grep', AROUND)
  const [before, after] = [lines(values['before-context'], '-B'), lines(values['after-context'], '-A')]
  const only = values['files-with-matches'] ? 'files' : values.count ? 'counts' : undefined
  const input = {
    ...matched(given, values['fixed-strings'] === true),
    ...(values['ignore-case'] && { ignoreCase: true }),
    ...(values['word-regexp'] && { word: true }),
    ...(values['invert-match'] && { invert: true }),
    ...(values.multiline && { multiline: true }),
    ...(values['no-hidden'] && { hidden: false }),
    ...(values.strict && { strict: true }),
    ...(values.glob && { globs: values.glob }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(only && { only }),
  }
  const limit = values.limit === undefined ? MOST : numberOption(values.limit, '--limit', 'grep', LIMIT)
  const skip = values.skip === undefined ? 0 : numberOption(values.skip, '--skip', 'grep', { most: MOST_SKIPPED })
  return asking(terminal, values, async ({ ask }) => {
    const all = { total: 0, shown: 0, filesHidden: 0, timedOut: false }
    for (const path of paths.length > 0 ? paths : ['.']) {
      const isFull = all.shown >= limit
      // Past the limit a path is only counted.
      const page = { limit: Math.max(1, limit - all.shown), skip: Math.max(0, skip - all.total) }
      const found = await ask<GrepAnswer>('grep', { ...input, path, ...page }, { quiet: isFull })
      if (typeof found === 'number') return found
      all.total += found.total
      all.filesHidden += found.filesHidden
      all.timedOut ||= found.timedOut === true
      if (isFull) continue
      all.shown += (found.files ?? found.matches).length
      if (!values.json) printGrepped(terminal, found)
    }
    if (!values.json) sayRest(terminal, { ...all, upTo: skip + all.shown }, only !== undefined)
    return all.total > 0 ? EXIT.ok : EXIT.failed
  })
}

/** An empty pattern is in every line, as for ripgrep; the tool itself takes none, because an agent would not mean that. */
function matched(given: readonly string[], isText: boolean): { patterns: readonly string[]; regex: boolean } {
  if (!given.includes('')) return { patterns: given, regex: !isText }
  const written = (pattern: string): string =>
    isText ? pattern.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/g, '\\$&') : pattern
  return { patterns: given.map(pattern => (pattern === '' ? '(?:)' : written(pattern))), regex: true }
}

interface Rest {
  readonly total: number
  readonly shown: number
  readonly upTo: number
  readonly filesHidden: number
  readonly timedOut: boolean
}

function sayRest(terminal: Terminal, { total, shown, upTo, timedOut, filesHidden }: Rest, areFiles: boolean): void {
  const what = areFiles ? 'files' : 'matches'
  if (shown > 0 && upTo < total) warn(terminal, `Shown up to ${upTo} of ${total} ${what}; the next: --skip ${upTo}`)
  if (timedOut) warn(terminal, 'Time ran out: this is what was found so far')
  if (filesHidden > 0)
    warn(terminal, `${filesHidden} ${filesHidden === 1 ? 'file was' : 'files were'} left out by rules`)
}
