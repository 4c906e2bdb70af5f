import { consequences } from '../../guards/approval/consequences.ts'
import { judgedAs } from '../../guards/policy/decide.ts'
import { sanitize, sanitizeBlock } from '../../kernel/sanitize.ts'
import type { Card } from '../../runtime/questions.ts'
import { changedLines } from './changed-lines.ts'
import { firstChange } from './first-change.ts'

/** Cuts a longer diff, whose size the first line gives, and longer parameters. */
const MOST_DETAILS = 20_000

export interface ShortCard {
  readonly message: string
  /** The whole diff or command on one line, because the place where it is shown loses line breaks. */
  readonly details: string | undefined
  /** False if the lines leave out part of what a call runs, sends or changes, besides lines of a diff. */
  readonly isPlain: boolean
}

/**
 * Claude Code shows a card of four lines, each cut at the width of the terminal. It shows only three of a longer one.
 */
const MOST_LINES = 4
/** Characters of a line that a usual terminal shows. */
const WIDTH = 100
/** Characters of a line that quotes a file, an input or a reason; the details have the rest. A command stays whole. */
const MOST_LINE = 500
/** Most files of each kind that a line names. */
const MOST_FILES = 3

const short = (text: string): string => sanitize(text, { max: MOST_LINE })

/**
 * Formats a question of our own contract: what changes and by how much, the old and the new line, what could happen,
 * and the reason. The reason comes last, so that a narrow terminal cuts it.
 */
export function shortCard(card: Card): ShortCard {
  const { tool, input, claims, changes, why, proposal } = card
  const diffs = changes.map(change => change.diff())
  const diff = diffs.join('')
  const { added, removed } = changedLines(diff)
  const counts = added.length + removed.length === 0 ? '' : ` (+${added.length} −${removed.length})`
  const command = claims.find(({ action }) => action === 'exec')
  const target = command?.resource ?? targetOf(claims, changes)
  const place = command?.cwd === undefined ? '' : `in ${command.cwd}: `
  const given = givenTo(card, target)
  const shown = [
    `${sanitize(verbOf(tool, input))} ${sanitize(place + target)}${counts}`,
    ...(given === undefined || diff !== ''
      ? firstChange(diffs).map(line => sanitizeBlock(line, { max: MOST_LINE }))
      : [short(command ? inputLine(given) : given)]),
  ]
  const explained = [
    `Could happen: ${short(consequences(claims, changes, MOST_FILES))}`,
    `Why: ${short(withoutTarget(why, claims, target))}`,
    ...(proposal === undefined ? [] : [`Always means: ${short(proposal)}`]),
  ]
  const own = MOST_LINES - shown.length - 1
  const lines = [...shown, ...explained.slice(0, own), explained.slice(own).join(' · ')].filter(line => line !== '')
  const isPlain = (!command || (place + target).length <= WIDTH) && !isLong(given) && !diffs.some(isBinary)
  const isTold = isPlain && (given === undefined || !command) && place === ''
  const details = [
    ...(isTold || (!command && changes.length > 0) ? [] : [parameters(input)]),
    ...(diff === '' ? [] : [hunks(diff, changes)]),
  ]
  return {
    message: lines.join('\n'),
    details: details.length === 0 ? undefined : sanitize(details.join('; '), { max: MOST_DETAILS }),
    isPlain,
  }
}

/** The parameter that belongs to the name of a tool. */
const KINDS: Readonly<Record<string, string>> = { stage: 'action', refactor: 'kind' }

function verbOf(tool: string, input: unknown): string {
  const name = tool.slice(tool.indexOf('/') + 1)
  const kind: unknown = Object(input)[KINDS[name] ?? '']
  return typeof kind === 'string' ? `${name} ${kind}` : name
}

/** Returns what the first line and the diff do not show: the input of a command, or the parameters of a call without either. */
function givenTo({ input, claims, changes }: Card, target: string): string | undefined {
  const command = claims.find(({ action }) => action === 'exec')
  if (command) return command.input === undefined ? undefined : inputOf(input)
  if (changes.length > 0) return undefined
  const others = Object.entries(Object(input)).filter(([, value]) => value !== target)
  return others.length === 0 ? undefined : parameters(Object.fromEntries(others))
}

const isBinary = (diff: string): boolean => /^Binary files /m.test(diff)

/** Returns the text that a command reads and its line does not show. */
function inputOf(input: unknown): string {
  const { stdin, input: added }: { readonly stdin?: unknown; readonly input?: unknown } = Object(input)
  return [stdin, added].filter(text => typeof text === 'string').join('\n')
}

const inputLine = (given: string): string => {
  const lines = given.split('\n').filter(line => line.trim() !== '')
  return `Input${lines.length > 1 ? ` (${lines.length} lines)` : ''}: ${lines[0]?.trim() ?? 'blank'}`
}

const isLong = (given = ''): boolean => given.trim().includes('\n') || given.length > WIDTH

/** Returns every parameter of a call: the client cuts the lines above, but not these. */
const parameters = (input: unknown): string =>
  Object.entries(Object(input))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ')

/** Returns only the hunks if the content of a single file changes, because the first line names it. */
function hunks(diff: string, [only, ...others]: Card['changes']): string {
  const at = diff.indexOf('@@ ')
  const isContent = only?.kind === 'change' && others.length === 0 && !diff.slice(0, at).includes('\nnew mode ')
  return isContent ? diff.slice(Math.max(0, at)) : diff
}

/** Returns the files that change, without directories made for them, or else the other subject of the question. */
function targetOf(claims: Card['claims'], changes: Card['changes']): string {
  const isFor = (directory: string) =>
    changes.some(({ kind, path }) => kind !== 'mkdir' && path.startsWith(`${directory}/`))
  const named = changes.filter(({ kind, path }) => kind !== 'mkdir' || !isFor(path))
  const [first, ...others] = new Set(named.map(({ from, path }) => (from === undefined ? path : `${from} → ${path}`)))
  const subject = first ?? claims.find(({ action }) => action !== 'read')?.resource ?? claims[0]?.resource ?? ''
  return `${subject}${others.length > 0 ? ` and ${others.length} more` : ''}`
}

/** Removes the claim from the beginning of the reason if the first line names it. */
function withoutTarget(why: string, claims: Card['claims'], target: string): string {
  const judged = claims.filter(({ resource }) => resource === target).map(judgedAs)
  const said = judged.find(subject => why.startsWith(subject)) ?? ''
  return why.slice(said.length)
}
