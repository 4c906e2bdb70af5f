import type { Outcome } from '../../kernel/outcome.ts'
import { OWN_CODES } from '../../kernel/own-codes.ts'
import { answerLines, headline } from '../render/answer.ts'
import { linesByFile } from '../render/matches.ts'
import { isFields, numberAt, objectsIn, textAt, type Fields } from '../render/shape.ts'

const PLAIN = { paint: (_colour: unknown, text: string) => text }

/**
 * An answer of our own contract as a model reads it: source with line numbers, matches by file, diffs as diffs, an error as
 * one line and a hint. Texts of files and commands are exact, so that they can be handed back to `edit`.
 */
export async function modelText(tool: string, outcome: Outcome): Promise<string> {
  const { meta } = outcome
  if (!outcome.ok) return failure(outcome.error)
  const data = withoutEdits(outcome.data)
  const exact = isFields(data) ? exactText(data) : undefined
  const lines = exact ?? [titleOf(tool, data), ...(await answerLines(data, PLAIN, meta.changed))]
  return [...lines, ...(await metaLines(meta)), ...restLines(tool, data, meta)].join('\n')
}

const titleOf = (tool: string, data: unknown): string =>
  isFields(data)
    ? [headline(tool, data), textAt(data, 'path'), ...hashAt(data), textAt(Object(data['target']), 'signature')]
        .filter(Boolean)
        .join(', ')
    : headline(tool, data)

function failure({ code, message, hint, details }: (Outcome & { ok: false })['error']): string {
  // The message names every issue of the input.
  const { issues: _issues, ...others } = details ?? {}
  const more = Object.keys(others).length > 0 ? [JSON.stringify(others)] : []
  return [`${OWN_CODES[code]}: ${message}`, ...(hint === undefined || hint === '' ? [] : [hint]), ...more].join('\n')
}

/** Texts that must not be changed by as much as a blank; undefined for all other answers. */
function exactText(data: Fields): readonly string[] | undefined {
  const { content, stdout, stderr, matches } = data
  if (typeof content === 'string' && numberAt(data, 'from') !== undefined) return sourceLines(content, data)
  if (typeof stdout === 'string' && typeof stderr === 'string') return printedLines(stdout, stderr, data)
  const found = objectsIn(matches)
  return found?.every(({ text }) => typeof text === 'string') ? matchedLines(found, data) : undefined
}

/** Whoever asked for edits knows their texts: the answer says where they are now. */
function withoutEdits(data: unknown): unknown {
  const edits = isFields(data) ? objectsIn(data['applied']) : undefined
  if (!isFields(data) || !edits?.every(edit => 'old' in edit && 'new' in edit)) return data
  const places = edits.map(({ line, lines }) =>
    Number(lines) > 1 ? `${line}-${Number(line) + Number(lines) - 1}` : line,
  )
  return { ...data, applied: edits.length, lines: places.join(', ') }
}

function sourceLines(content: string, data: Fields): readonly string[] | undefined {
  // The lines of pages and cells are not those of a file.
  if (data['media'] !== undefined) return undefined
  const [from = 1, to = 0, all] = [numberAt(data, 'from'), numberAt(data, 'to'), numberAt(data, 'totalLines')]
  const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n')
  const facts = [
    `lines ${from}-${to} of ${all}`,
    `${numberAt(data, 'bytes')} bytes`,
    ...wordsAt(data, 'encoding', 'eol', 'symbol'),
    ...hashAt(data),
  ]
  return [`${textAt(data, 'path')} (${facts.join(', ')})`, ...lines.map((line, at) => `${from + at}\t${line}`)]
}

function printedLines(stdout: string, stderr: string, data: Fields): readonly string[] {
  const { exitCode, signal, handle, running, ended, offset, truncated } = data
  const facts = Object.entries({ signal, handle, running, ended, offset, truncated })
  const told = facts.filter(([, value]) => value !== undefined && value !== false)
  const head = [
    ...(exitCode === undefined ? [] : [`exit code ${exitCode}`]),
    ...told.map(([key, value]) => `${key} ${value}`),
  ]
  const ends = (text: string): readonly string[] => (text === '' ? [] : [text.replace(/\n$/, '')])
  return [head.join(', '), ...ends(stdout), ...(stderr === '' ? [] : ['stderr:', ...ends(stderr)])]
}

function matchedLines(matches: readonly Fields[], data: Fields): readonly string[] {
  const lines = [...linesByFile(matches)].flatMap(([path, own]) => [
    path,
    ...own.map(([line, { text, isMatch }]) => `${line}${isMatch ? ':' : '-'} ${text}`),
  ])
  return [headline('grep', { ...data, matches }), ...lines]
}

const wordsAt = (data: Fields, ...names: readonly string[]): readonly string[] =>
  names.flatMap(name => (typeof data[name] === 'string' ? [String(data[name])] : []))

const hashAt = (data: Fields): readonly string[] => (typeof data['hash'] === 'string' ? [`hash ${data['hash']}`] : [])

async function metaLines(meta: Outcome['meta']): Promise<readonly string[]> {
  const { changed, undo, transaction, dryRun, plan, diff, warnings = [], effects, lateEffects } = meta
  const place =
    transaction === undefined ? (undo === undefined ? '' : ` (undo ${undo})`) : ` (in transaction ${transaction})`
  const verb = dryRun ? 'Would change' : transaction === undefined ? 'Changed' : 'Staged'
  return [
    ...(changed.length > 0 ? [`${verb}: ${changed.join(', ')}${place}`] : []),
    ...(plan === undefined || !dryRun ? [] : [`Plan: ${plan}`]),
    ...(diff === undefined ? [] : [diff.trimEnd()]),
    ...(effects || lateEffects
      ? (await import('../render/effects-lines.ts')).allEffectsLines(meta).map(line => line.replace(/^ {2}/, ''))
      : []),
    ...warnings.map(warning => `Warning: ${warning}`),
  ]
}

/** How to get what is not here. */
function restLines(tool: string, data: unknown, { ref, bytes }: Outcome['meta']): readonly string[] {
  const next = isFields(data) ? data['next'] : undefined
  return [
    ...(isFields(next) ? [`More: the same call of ${tool} with ${JSON.stringify(next)}`] : []),
    ...(ref === undefined ? [] : [`The whole answer (${bytes} bytes): read ${JSON.stringify({ path: ref })}`]),
  ]
}
