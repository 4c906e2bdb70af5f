import { binaryContents, leftOutLine } from '../../guards/approval/card.ts'
import { consequences } from '../../guards/approval/consequences.ts'
import { judgedAs } from '../../guards/policy/decide.ts'
import { sanitize, sanitizeBlock } from '../../kernel/sanitize.ts'
import type { Card } from '../../runtime/questions.ts'
import { seeAllCommand } from '../card-text.ts'
import { changedLines } from './changed-lines.ts'
import { firstChange } from './first-change.ts'
import { fitDetails, type Detail } from './fit-details.ts'

/** The most characters of the details: the parameters and the whole diff. */
const MOST_DETAILS = 20_000

export interface ShortCard {
  readonly message: string
  /** The whole diff or command on one line, because the place where it is shown loses line breaks. */
  readonly details: string | undefined
  /** True if the lines alone show all that a call runs, sends or changes. */
  readonly isPlain: boolean
  /** False if something is neither in the lines nor in the details; no one can approve that for good. */
  readonly isWhole: boolean
}

/**
 * Claude Code shows a card of four lines, each cut at the width of the terminal. It shows only three of a longer one.
 */
const MOST_LINES = 4
/** Columns of a line that a usual terminal shows. */
const WIDTH = 100
/** Characters of a line that quotes a file, an input or a reason; the details have the rest. A command stays whole. */
const MOST_LINE = 500
/** Most files of each kind that a line names. */
const MOST_FILES = 3

const short = (text: string): string => sanitize(text, { max: MOST_LINE })

/**
 * Formats a question of our own contract: what changes and by how much, what the form leaves out, the old and the new
 * line, what could happen, and the reason. The reason comes last, so that a narrow terminal cuts it.
 */
export function shortCard(card: Card): ShortCard {
  const { tool, input, claims, changes } = card
  const diffs = changes.map(change => change.diff())
  const { added, removed } = changedLines(diffs.join(''))
  const counts = added.length + removed.length === 0 ? '' : ` (+${added.length} −${removed.length})`
  const command = claims.find(({ action }) => action === 'exec')
  const target = command?.resource ?? targetOf(claims, changes)
  const place = command?.cwd === undefined ? '' : `in ${command.cwd}: `
  const first = `${sanitize(verbOf(tool, input))} ${sanitize(place + target)}${counts}`
  const callText = givenTo(card, target)
  const quotedLines =
    callText === undefined || diffs.join('') !== ''
      ? firstChange(diffs).map(line => sanitizeBlock(line, { max: MOST_LINE }))
      : [short(command ? inputLine(callText) : callText)]
  const explanationLines = explanations(card, target)
  const isPlain =
    [first, ...quotedLines, explanationLines[0]?.line ?? ''].every(isNarrow) &&
    !isLong(callText) &&
    isInLines(diffs, { added, removed }) &&
    explanationLines[0]?.line === explanationLines[0]?.whole
  const { text, hidden } = fitDetails(
    detailsOf(card, { diffs, explained: explanationLines, isPlain, given: callText, place }),
    MOST_DETAILS,
  )
  const unseen = [...hidden, ...binaryContents(diffs.join(''))]
  const notShown = unseen.length === 0 ? [] : [leftOutLine(unseen, seeAllCommand(card))]
  const topLines = [first, ...notShown, ...quotedLines]
  const shownExplanations =
    unseen.length === 0 ? explanationLines : explanationLines.filter(({ label }) => label !== ALWAYS)
  const explanationTexts = shownExplanations.map(({ line }) => line)
  const freeLines = Math.max(0, MOST_LINES - topLines.length - 1)
  const lines = [
    ...topLines,
    ...explanationTexts.slice(0, freeLines),
    explanationTexts.slice(freeLines).join(' · '),
  ].filter(line => line !== '')
  return {
    message: lines.join('\n'),
    details: text === '' ? undefined : text,
    isPlain: isPlain && unseen.length === 0,
    isWhole: unseen.length === 0,
  }
}

const ALWAYS = 'Always means'

interface Explanation {
  readonly label: string
  /** The line of the message, which may be cut. */
  readonly line: string
  readonly whole: string
}

/** Says what could happen, why a person is asked, and what `always` would remember. */
function explanations({ claims, changes, why, proposal }: Card, target: string): readonly Explanation[] {
  const explanation = (label: string, some: string, all = some): Explanation => ({
    label,
    line: `${label}: ${short(some)}`,
    whole: `${label}: ${sanitize(all)}`,
  })
  return [
    explanation('Could happen', consequences(claims, changes, MOST_FILES), consequences(claims, changes)),
    explanation('Why', withoutTarget(why, claims, target)),
    ...(proposal === undefined ? [] : [explanation(ALWAYS, proposal)]),
  ]
}

/** Collects what the lines do not show, or not as a whole: parameters, the diff, cut explanations. */
function detailsOf(
  { input, claims, changes }: Card,
  { diffs, explained, isPlain, given, place }: Pick<Shown, 'diffs' | 'explained' | 'isPlain' | 'given' | 'place'>,
): readonly Detail[] {
  const isCommand = claims.some(({ action }) => action === 'exec')
  const isSaid = isPlain && (given === undefined || !isCommand) && place === ''
  const command = claims.find(({ action }) => action === 'exec')?.resource ?? ''
  const shownWhole = command.length > MOST_DETAILS ? command : undefined
  const [only, ...others] = changes
  const isOne = only?.kind === 'change' && others.length === 0
  return [
    ...(isSaid || (!isCommand && changes.length > 0)
      ? []
      : [{ text: parameters(input, shownWhole), kind: 'the parameters' } as const]),
    ...diffs.filter(diff => diff !== '').map(diff => ({ text: isOne ? hunks(diff) : diff, kind: 'a file' }) as const),
    ...explained
      .filter(({ line, whole }) => line !== whole)
      .map(({ whole }) => ({ text: whole, kind: 'the explanation' }) as const),
  ]
}

interface Shown {
  readonly diffs: readonly string[]
  readonly explained: readonly Explanation[]
  readonly isPlain: boolean
  readonly given: string | undefined
  readonly place: string
}

/** Reports whether a usual terminal shows all of a line. Characters of many scripts take two columns. */
const isNarrow = (line: string): boolean =>
  line.length <= WIDTH && line.length + (line.match(/[\u1100-\uffff]/g)?.length ?? 0) <= WIDTH

/** Reports whether the old and the new line are all that changes: no third line, no mode, no bytes. */
const isInLines = (
  diffs: readonly string[],
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): boolean => added.length <= 1 && removed.length <= 1 && !diffs.some(diff => UNSHOWN.test(diff))

/** Parts of a diff that the lines do not show. */
const UNSHOWN = /^(?:Binary files |old mode |new file mode (?!100644$))/m

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

/** Returns the text that a command reads and its line does not show. */
function inputOf(input: unknown): string {
  const { stdin, input: inputText }: { readonly stdin?: unknown; readonly input?: unknown } = Object(input)
  return [stdin, inputText].filter(text => typeof text === 'string').join('\n')
}

const inputLine = (given: string): string => {
  const lines = given.split('\n').filter(line => line.trim() !== '')
  return `Input${lines.length > 1 ? ` (${lines.length} lines)` : ''}: ${lines[0]?.trim() ?? 'blank'}`
}

const isLong = (given = ''): boolean => given.trim().includes('\n') || !isNarrow(sanitize(given))

/** Returns every parameter of a call but this value: the client cuts the lines above, but not these. */
const parameters = (input: unknown, except?: string): string =>
  Object.entries(Object(input))
    .filter(([, value]) => value !== undefined && value !== except)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ')

/** Leaves out the names of the only file that changes, because the first line has them. */
const hunks = (diff: string): string =>
  diff
    .slice(0, Math.max(0, diff.indexOf('@@ ')))
    .replace(/^(?:diff --git|---|\+\+\+) .*\n/gm, '')
    .concat(diff.slice(Math.max(0, diff.indexOf('@@ '))))

/** Returns the files that change, without directories made for them, or else the other subject of the question. */
function targetOf(claims: Card['claims'], changes: Card['changes']): string {
  const isFor = (directory: string) =>
    changes.some(({ kind, path }) => kind !== 'mkdir' && path.startsWith(`${directory}/`))
  const targetChanges = changes.filter(({ kind, path }) => kind !== 'mkdir' || !isFor(path))
  const [first, ...others] = new Set(
    targetChanges.map(({ from, path }) => (from === undefined ? path : `${from} → ${path}`)),
  )
  const subject = first ?? claims.find(({ action }) => action !== 'read')?.resource ?? claims[0]?.resource ?? ''
  return `${subject}${others.length > 0 ? ` and ${others.length} more` : ''}`
}

/** Removes the claim from the beginning of the reason if the first line names it. */
function withoutTarget(why: string, claims: Card['claims'], target: string): string {
  const subjects = claims.filter(({ resource }) => resource === target).map(judgedAs)
  const prefix = subjects.find(subject => why.startsWith(subject)) ?? ''
  return why.slice(prefix.length)
}
