import { hitsOf } from '../render/highlight.ts'
import { asking, type ToolAnswer } from './ask-tool.ts'
import { dashedValues } from './dashed-values.ts'
import { moreLine } from './command-line.ts'
import { MOST_SKIPPED, numberOption } from './number-option.ts'
import { OWN_OPTIONS } from './own-options.ts'
import { screenOf } from './pager.ts'
import { pathsFromHere } from './paths-from-here.ts'
import { printMatches, type GrepAnswer } from './print-matches.ts'
import { warn, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'
import { warnUnreadable } from './warn-unreadable.ts'

/** Most lines of one call, and the default limit. */
const PAGE = 2000
const LIMIT = { least: 1, most: MOST_SKIPPED }
const AROUND = { most: 50 }

/** `toolwright grep`: shows matching lines for people, like ripgrep. */
export async function grep(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse(
    'grep',
    dashedValues(args, { e: 'regexp', g: 'glob', t: 'type' }),
    OWN_OPTIONS.grep,
  )
  const patterns = values.regexp ?? positionals.slice(0, 1)
  if (patterns.length === 0) throw new UsageError('Give a pattern, e.g. grep TODO src', 'grep')
  const paths = values.regexp ? positionals : positionals.slice(1)
  const around = values.context === undefined ? undefined : numberOption(values.context, '-C', 'grep', AROUND)
  const lines = (text: string | undefined, option: string) =>
    text === undefined ? around : numberOption(text, option, 'grep', AROUND)
  const [before, after] = [lines(values['before-context'], '-B'), lines(values['after-context'], '-A')]
  const only = values['files-with-matches'] ? 'files' : values.count ? 'counts' : undefined
  const input = {
    ...patternInput(patterns, values['fixed-strings'] === true),
    ...(values['ignore-case'] && { ignoreCase: true }),
    ...(values['word-regexp'] && { word: true }),
    ...(values['invert-match'] && { invert: true }),
    ...(values.multiline && { multiline: true }),
    ...(values.type && { types: values.type }),
    ...(values['only-matching'] && { onlyMatching: true }),
    ...(values['no-hidden'] && { hidden: false }),
    ...(values.strict && { strict: true }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(only && { only }),
  }
  const limit = values.limit === undefined ? PAGE : numberOption(values.limit, '--limit', 'grep', LIMIT)
  const skip = values.skip === undefined ? 0 : numberOption(values.skip, '--skip', 'grep', { most: MOST_SKIPPED })
  return asking(terminal, values, async ({ ask, here }) => {
    const globs = values.glob && { globs: values.glob.map(glob => globFrom(here.path, glob)) }
    const all = { total: 0, shown: 0, filesHidden: 0, secretFilesLeftOut: 0, timedOut: false }
    const screen = screenOf(terminal)
    let worstExit: number | undefined
    for (const path of paths.length > 0 ? paths.map(here.typed) : [here.path]) {
      const isFull = all.shown >= limit
      // Past the limit, matches of a path are only counted.
      const page = { limit: Math.max(1, limit - all.shown), skip: Math.max(0, skip - all.total) }
      const matches = pathsFromHere(await pages(ask, { ...input, ...globs, path }, page, isFull), here)
      if ('exit' in matches) {
        worstExit = Math.max(worstExit ?? 0, matches.exit)
        if (matches.isOfPath) continue
        screen.show()
        return matches.exit
      }
      all.total += matches.total
      all.filesHidden += matches.filesHidden
      all.secretFilesLeftOut += matches.secretFilesLeftOut
      all.timedOut ||= matches.timedOut === true
      if (isFull) continue
      all.shown += (matches.files ?? matches.matches).length
      if (!values.json) warnUnreadable(terminal, matches)
      if (!values.json)
        printMatches(screen.page, matches, { hits: hitsOf(input), isPart: values['only-matching'] === true })
    }
    screen.show()
    const upTo = skip + all.shown
    const more = moreLine('grep', positionals, { ...values, skip: upTo })
    if (!values.json) sayRest(terminal, { ...all, upTo, more }, only !== undefined)
    return worstExit ?? (all.total > 0 ? EXIT.ok : EXIT.failed)
  })
}

/** Converts a glob with a slash: it is relative to the current directory, and the tool's to the workspace. */
function globFrom(directory: string, glob: string): string {
  const [, not = '', path = ''] = /^(!?)([^]*)$/.exec(glob) ?? []
  if (directory === '.' || !path.slice(0, -1).includes('/')) return glob
  return `${not}/${directory.replaceAll(/[\\*?[\]{}]/g, '\\$&')}/${path.replace(/^\//, '')}`
}

/** Errors of one path only; the other paths are still searched. */
const OF_PATH: ReadonlySet<string> = new Set(['not_found', 'not_a_directory', 'denied', 'outside_workspace'])

interface Failed {
  readonly exit: number
  readonly isOfPath: boolean
}

/** Collects the wanted matches in as many calls as needed. */
async function pages(
  ask: ToolAnswer['ask'],
  input: object,
  { limit, skip }: { readonly limit: number; readonly skip: number },
  quiet: boolean,
): Promise<GrepAnswer | Failed> {
  let whole: GrepAnswer | undefined
  for (let [remaining, from] = [limit, skip]; ;) {
    let code = ''
    const pageInput = { ...input, limit: Math.min(remaining, PAGE), skip: from }
    const page = await ask<GrepAnswer>('grep', pageInput, { quiet, onFailure: error => (code = error.code) })
    if (typeof page === 'number') return { exit: page, isOfPath: OF_PATH.has(code) }
    remaining -= (page.files ?? page.matches).length
    whole = {
      ...page,
      matches: [...(whole?.matches ?? []), ...page.matches],
      ...(page.files && { files: [...(whole?.files ?? []), ...page.files] }),
      timedOut: whole?.timedOut === true || page.timedOut === true,
    }
    if (!page.next || remaining <= 0) return whole
    from = page.next.skip
  }
}

/** An empty pattern matches every line, as in ripgrep. The tool refuses it, because an agent would not mean it. */
function patternInput(patterns: readonly string[], isText: boolean): { patterns: readonly string[]; regex: boolean } {
  if (!patterns.includes('')) return { patterns, regex: !isText }
  const regexSource = (pattern: string): string =>
    isText ? pattern.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/g, '\\$&') : pattern
  return { patterns: patterns.map(pattern => (pattern === '' ? '(?:)' : regexSource(pattern))), regex: true }
}

interface Rest {
  readonly total: number
  readonly shown: number
  readonly upTo: number
  readonly more: string
  readonly filesHidden: number
  readonly secretFilesLeftOut: number
  readonly timedOut: boolean
}

function sayRest(
  terminal: Terminal,
  { total, shown, upTo, more, timedOut, filesHidden, secretFilesLeftOut }: Rest,
  areFiles: boolean,
): void {
  const what = areFiles ? 'files' : 'matches'
  if (shown > 0 && upTo < total) warn(terminal, `Shown up to ${upTo} of ${total} ${what}. ${more}`)
  if (timedOut) warn(terminal, 'Time ran out: this is what was found so far')
  if (filesHidden > 0)
    warn(terminal, `${filesHidden} ${filesHidden === 1 ? 'file was' : 'files were'} left out by rules`)
  if (secretFilesLeftOut > 0) {
    const files = secretFilesLeftOut === 1 ? 'file that may hold secrets was' : 'files that may hold secrets were'
    warn(terminal, `${secretFilesLeftOut} ${files} left out`)
  }
}
