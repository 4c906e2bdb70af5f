import { sanitize } from '../../kernel/sanitize.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { asking, type ToolAnswer } from './ask-tool.ts'
import { moreLine } from './command-line.ts'
import { MOST_SKIPPED, numberOption } from './number-option.ts'
import { OWN_OPTIONS } from './own-options.ts'
import { screenOf } from './pager.ts'
import { pathsFromHere } from './paths-from-here.ts'
import { painter, say, warn, type Terminal } from './terminal.ts'
import { EXIT, parse, UsageError } from './usage.ts'

interface Status {
  readonly state: 'building' | 'current' | 'behind'
  readonly pending: number
  readonly totalFiles: number
  readonly totalExports: number
  readonly byTag: Readonly<Record<string, number>>
  readonly generatedAt: string
}

interface QueryAnswer {
  readonly files: readonly {
    readonly path: string
    readonly exports: readonly string[]
    readonly tags: readonly string[]
    readonly size: number
    readonly modified: string
  }[]
  readonly total: number
  readonly next?: { readonly skip: number }
  readonly repoHash: string
  readonly status?: Status
}

const FIRST_LOOK_MS = 100
const LAST_LOOK_MS = 2000
/** Listing and loading take less than this; a longer wait has another cause. */
const LOADED_MS = 60_000
/** Most files of one request. */
const PAGE = 2000
const KINDS: ReadonlySet<string | undefined> = new Set(['exports', 'tag', 'symbol', 'prefix', 'all'])
const BAR = 30
const TAGS = 12

/** `toolwright index`: updates, counts or queries the index of the code. */
export async function index(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse('index', args, OWN_OPTIONS.index)
  const [what = 'status', by, value, ...more] = positionals
  if (what === 'export' && by === undefined)
    return asking(terminal, { ...values, json: false }, ({ ask }) => exportAll(terminal, ask))
  if (what !== 'query') {
    if ((what !== 'build' && what !== 'status') || by !== undefined)
      throw new UsageError(`There is no 'index ${[what, by].filter(Boolean).join(' ')}'`, 'index')
    return asking(terminal, { ...values, json: values.json === true && what === 'status' }, ({ ask }) =>
      what === 'build' ? build(terminal, ask) : status(terminal, ask, values.json === true),
    )
  }
  if (!KINDS.has(by) || more.length > 0 || (value === undefined) !== (by === 'all'))
    throw new UsageError("Ask as 'index query exports|tag|symbol|prefix VALUE' or 'index query all'", 'index')
  const page = {
    ...(values.limit !== undefined && {
      limit: numberOption(values.limit, '--limit', 'index', { least: 1, most: PAGE }),
    }),
    ...(values.skip !== undefined && { skip: numberOption(values.skip, '--skip', 'index', { most: MOST_SKIPPED }) }),
  }
  return asking(terminal, values, async ({ ask, here }) => {
    const valueInput = value === undefined ? {} : { value: by === 'prefix' ? here.typed(value) : value }
    const answer = await ask<QueryAnswer>('index', { by, ...valueInput, ...page })
    if (typeof answer === 'number') return answer
    const rest = (next: object): string => moreLine('index', positionals, { ...values, ...next })
    if (!values.json) printFiles(terminal, pathsFromHere(answer, here), rest)
    return answer.total > 0 ? EXIT.ok : EXIT.failed
  })
}

/** Waits until the index is complete, and shows progress on a terminal. */
async function build(terminal: Terminal, ask: ToolAnswer['ask']): Promise<number> {
  let most = 0
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LAST_LOOK_MS)) {
    const answer = await ask<QueryAnswer>('index', { by: 'status' })
    if (typeof answer === 'number') return answer
    const { status: now } = answer
    if (!now) return EXIT.failed
    most = Math.max(most, now.pending, 1)
    if (now.state === 'current') {
      if (terminal.stderr.isTTY) terminal.stderr.write('\r\x1b[K')
      say(terminal, summary(now))
      return EXIT.ok
    }
    if (terminal.stderr.isTTY) terminal.stderr.write(`\r\x1b[K${bar(most - now.pending, most, now.state)}`)
    await new Promise(resolve => setTimeout(resolve, pause))
  }
}

/** Exports the whole index as one document, in the schema of superconnect's appendix. */
async function exportAll(terminal: Terminal, ask: ToolAnswer['ask']): Promise<number> {
  const files: QueryAnswer['files'][number][] = []
  for (let skip: number | undefined = 0; skip !== undefined;) {
    const page: QueryAnswer | number = await ask<QueryAnswer>('index', { by: 'all', limit: PAGE, skip })
    if (typeof page === 'number') return page
    files.push(...page.files)
    skip = page.next?.skip
  }
  const statusAnswer = await ask<QueryAnswer>('index', { by: 'status' })
  if (typeof statusAnswer === 'number') return statusAnswer
  if (!statusAnswer.status) return EXIT.failed
  const { indexDocument } = await import('../../contracts/superconnect/index-document.ts')
  say(terminal, jsonLine(indexDocument(statusAnswer.repoHash, statusAnswer.status, files)))
  return EXIT.ok
}

const bar = (done: number, all: number, state: Status['state']): string => {
  if (state === 'building' && done === 0) return 'Looking for files'
  const full = Math.round((done / all) * BAR)
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done} of ${all} files`
}

async function status(terminal: Terminal, ask: ToolAnswer['ask'], isJson: boolean): Promise<number> {
  await untilLoaded(ask)
  const answer = await ask<QueryAnswer>('index', { by: 'status' })
  if (typeof answer === 'number') return answer
  const { status: now } = answer
  if (!now || isJson) return now ? EXIT.ok : EXIT.failed
  say(terminal, summary(now))
  if (now.state !== 'current') say(terminal, `  ${countOf(now.pending, 'file')} still to be read`)
  const tags = Object.entries(now.byTag).toSorted(([, one], [, other]) => other - one)
  const width = Math.max(0, ...tags.slice(0, TAGS).map(([tag]) => tag.length))
  for (const [tag, count] of tags.slice(0, TAGS)) say(terminal, `  ${sanitize(tag).padEnd(width)}  ${count}`)
  if (tags.length > TAGS) say(terminal, `  and ${tags.length - TAGS} more tags`)
  return EXIT.ok
}

/** Waits until the index stored by another process is loaded. Loading time grows with the workspace. */
async function untilLoaded(ask: ToolAnswer['ask']): Promise<void> {
  const until = performance.now() + LOADED_MS
  for (let pause = FIRST_LOOK_MS; performance.now() < until; pause = Math.min(pause * 1.5, LAST_LOOK_MS)) {
    const answer = await ask<QueryAnswer>('index', { by: 'status' }, { quiet: true })
    if (typeof answer === 'number' || answer.status?.state !== 'building') return
    await new Promise(resolve => setTimeout(resolve, pause))
  }
}

const summary = ({ totalFiles, totalExports, state }: Status): string =>
  `${countOf(totalFiles, 'file')}, ${countOf(totalExports, 'export')}${state === 'current' ? '' : ` (${state})`}`

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

function printFiles(terminal: Terminal, { files, total, next }: QueryAnswer, rest: (next: object) => string): void {
  const paint = painter(terminal)
  const { page, show } = screenOf(terminal)
  for (const { path, exports, tags } of files)
    say(
      page,
      [
        paint('bold', sanitize(path)),
        ...(tags.length > 0 ? [paint('dim', `[${sanitize(tags.join(', '))}]`)] : []),
        ...(exports.length > 0 ? [sanitize(exports.join(', '), { max: 200 })] : []),
      ].join('  '),
    )
  show()
  if (next) warn(terminal, `Shown up to ${next.skip} of ${total} files. ${rest(next)}`)
}
