import type { Outcome } from '../../kernel/outcome.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { answerLines, headline } from '../render/answer.ts'
import { linesByFile } from '../render/matches.ts'
import { stageAnswer } from '../render/stage-answer.ts'
import { metaLines } from './meta-lines.ts'
import { inWords, isFields, numberAt, objectsIn, textAt, type Fields } from '../render/shape.ts'

const PLAIN = { paint: (_colour: unknown, text: string) => text, widest: Infinity, tabs: true }

/**
 * Formats an answer of our own contract for a model: source with line numbers, matches by file, diffs, an error as one
 * line and a hint. Texts of files and commands are exact, so that they can be passed to `edit`.
 */
export async function modelText(tool: string, outcome: Outcome): Promise<string> {
  const { meta } = outcome
  if (!outcome.ok) {
    const { failureLines } = await import('./failure-text.ts')
    return [...(await failureLines(outcome.error)), ...(await metaLines(meta))].join('\n')
  }
  const modelData = withoutEdits(tool === 'patch' ? patchChecked(outcome.data) : outcome.data)
  const { name, data } = tool === 'stage' ? stageAnswer(tool, modelData, modelData) : { name: tool, data: modelData }
  const exact = isFields(data) ? rememberedText(data) : undefined
  const lines = exact ?? [
    titleOf(name, data, meta.ref !== undefined),
    ...(await answerLines(data, PLAIN, meta.changed)),
  ]
  return [...lines, ...(await metaLines(meta)), ...restLines(tool, data, meta)].join('\n')
}

const titleOf = (tool: string, data: unknown, isCut: boolean): string =>
  isFields(data)
    ? [headline(tool, data, isCut), textAt(data, 'path'), ...hashAt(data), textAt(Object(data['target']), 'signature')]
        .filter(Boolean)
        .join(', ')
    : headline(tool, data, isCut)

/** The last text, because an answer is measured before it is sent. Not a weak map: its entries outlive minor collections. */
let last: { readonly data: Fields; readonly lines: readonly string[] | undefined } | undefined

function rememberedText(data: Fields): readonly string[] | undefined {
  if (last?.data !== data) last = { data, lines: exactText(data) }
  return last.lines
}

/** Returns texts that must stay exact, or undefined for other answers. */
function exactText(data: Fields): readonly string[] | undefined {
  const { content, stdout, stderr, matches } = data
  if (typeof content === 'string' && numberAt(data, 'from') !== undefined) return sourceLines(content, data)
  if (typeof stdout === 'string' && typeof stderr === 'string') return printedLines(stdout, stderr, data)
  const entryLines = listedLines(data)
  if (entryLines) return entryLines
  const matchFields = objectsIn(matches)
  return matchFields?.every(({ text }) => typeof text === 'string') ? matchedLines(matchFields, data) : undefined
}

/** Places of edits that a text names. */
const MOST_PLACES = 100

/** The caller knows the texts of its edits: show only their new places. */
function withoutEdits(data: unknown): unknown {
  const edits = isFields(data) ? objectsIn(data['applied']) : undefined
  if (!isFields(data) || !edits?.every(edit => 'old' in edit && 'new' in edit)) return data
  const places = edits.map(({ line, new: text }) => {
    const breaks = String(text).replace(/\n$/, '').split('\n').length - 1
    return breaks > 0 ? `${line}-${Number(line) + breaks}` : `${line}`
  })
  const { applied: _applied, total = edits.length, ...rest } = data
  const shownPlaces = places.slice(0, MOST_PLACES)
  const omittedCount = Number(total) - shownPlaces.length
  // A place, not a count.
  const at = shownPlaces.length === 1 && !shownPlaces[0]?.includes('-') ? 'at line' : 'at lines'
  return {
    applied: total,
    [at]: `${shownPlaces.join(', ')}${omittedCount > 0 ? ` and ${omittedCount} more` : ''}`,
    ...rest,
  }
}

/** A patch that was only checked has not failed. */
function patchChecked(data: unknown): unknown {
  if (!isFields(data) || data['applied'] !== false) return data
  const { applied: _applied, ...rest } = data
  return { 'it applies, nothing is changed': true, ...rest }
}

function sourceLines(content: string, data: Fields): readonly string[] | undefined {
  // Lines of pages and cells are not lines of a file.
  if (data['media'] !== undefined) return undefined
  const [from = 1, to = 0, all] = [numberAt(data, 'from'), numberAt(data, 'to'), numberAt(data, 'totalLines')]
  const hasEnd = content.endsWith('\n')
  const lines = content === '' ? [] : (hasEnd ? content.slice(0, -1) : content).split('\n')
  const facts = [
    `lines ${from}-${to} of ${all}`,
    `${numberAt(data, 'bytes')} bytes`,
    ...wordsAt(data, 'encoding', 'eol'),
    ...wordsAt(data, 'symbol').map(name => `in ${name}`),
    ...(to === all && !data['next'] && !hasEnd && content !== '' ? ['no newline at the end'] : []),
    ...hashAt(data),
  ]
  return [`${textAt(data, 'path')} (${facts.join(', ')})`, ...lines.map((line, at) => `${from + at}\t${line}`)]
}

function printedLines(stdout: string, stderr: string, data: Fields): readonly string[] {
  const { exitCode, signal, handle, running, ended, offset, truncated } = data
  // A poll prints nothing, however much was printed.
  const facts = Object.entries({ signal, handle, running, ended, 'output until offset': offset, truncated })
  const presentFacts = facts.filter(([, value]) => value !== undefined && value !== false)
  const head = [
    ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
    ...presentFacts.map(([key, value]) => (value === true ? key : `${key} ${value}`)),
  ]
  const ends = (text: string): readonly string[] => (text === '' ? [] : [text.replace(/\n$/, '')])
  return [head.join(', '), ...ends(stdout), ...(stderr === '' ? [] : ['stderr:', ...ends(stderr)])]
}

/** Lists a directory's entries relative to it. */
function listedLines(data: Fields): readonly string[] | undefined {
  const { entries: rawEntries, next } = data
  const [path, entries] = [
    textAt(data, 'path'),
    Array.isArray(rawEntries) && rawEntries.length === 0 ? [] : objectsIn(rawEntries),
  ]
  if (path === undefined || !entries?.every(({ path: at, type }) => typeof at === 'string' && typeof type === 'string'))
    return undefined
  const start = path === '.' ? 0 : path.length + 1
  const facts = Object.entries(data).filter(([key, value]) => COUNTS.has(key) && Boolean(value))
  const summaryFacts = [
    `${entries.length} of ${numberAt(data, 'total')}`,
    ...facts.map(([key, value]) => `${inWords(key)} ${value}`),
    ...(data['truncated'] === true && next === undefined ? ['truncated'] : []),
  ]
  return [
    `${path}/ (${summaryFacts.join(', ')})`,
    ...entries.map(({ path: at, type, size }) => {
      const name = sanitize(String(at).slice(start)) + (MARKS[String(type)] ?? '')
      return size === undefined ? name : `${name}  ${Number(size)}`
    }),
  ]
}

const COUNTS: ReadonlySet<string> = new Set(['ignored', 'filesHidden'])
const MARKS: Readonly<Record<string, string>> = { directory: '/', symlink: '@' }

function matchedLines(matches: readonly Fields[], data: Fields): readonly string[] {
  const lines = [...linesByFile(matches)].flatMap(([path, own]) => [
    path,
    ...own.map(([line, { text, isMatch }]) => `${line}${isMatch ? ':' : '-'} ${text}`),
  ])
  return [headline('grep', { ...data, matches }), ...lines]
}

const wordsAt = (data: Fields, ...names: readonly string[]): readonly string[] =>
  names.flatMap(name => (typeof data[name] === 'string' ? [String(data[name])] : []))

/** Digits of a hash that `expect` needs. */
const HASH_DIGITS = 16

const hashAt = (data: Fields): readonly string[] =>
  typeof data['hash'] === 'string' ? [`hash ${data['hash'].slice(0, HASH_DIGITS)}`] : []

/** Tools that count no total and go on nowhere: a higher limit gives more. */
const LISTS_PART: ReadonlySet<string> = new Set(['symbols', 'graph'])

/** Returns how to get the rest. */
function restLines(tool: string, data: unknown, { ref, bytes }: Outcome['meta']): readonly string[] {
  const { next, partial, unread }: Fields = isFields(data) ? data : {}
  const isPart = !isFields(next) && ref === undefined && LISTS_PART.has(tool) && Object(data).truncated === true
  const isUnread = tool === 'symbols' && partial === true && unread === undefined
  return [
    ...(isUnread ? ['Files are still being read, so there may be others: ask again'] : []),
    ...(isPart ? ['There are more: call again with a higher limit, or ask for less'] : []),
    ...(isFields(next) ? [`More: the same call of ${tool} with ${JSON.stringify(next)}`] : []),
    // What is stored of a list is JSON: its next page reads better.
    ...(ref === undefined || isFields(next)
      ? []
      : [`The whole answer (${bytes} bytes): read ${JSON.stringify({ path: ref })}`]),
  ]
}
