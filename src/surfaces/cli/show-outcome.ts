import { join, resolve, sep } from 'node:path'
import { sanitize } from '../../kernel/sanitize.ts'
import { ToolError } from '../../kernel/error.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import { workedMs } from '../../kernel/time.ts'
import type { Toolkit } from '../../toolkit.ts'
import { answerLines, headline } from '../render/answer.ts'
import type { Style } from '../render/paint.ts'
import { isFields, objectsIn, type Fields } from '../render/shape.ts'
import { commandLine, sameWorkspace, type OptionValues } from './command-line.ts'
import type { Here } from './find-workspace.ts'
import { painter, say, type Terminal } from './terminal.ts'

/** A tool typed as a command: its name, and a function that replaces parameters with options in a text. */
export interface TypedCommand {
  readonly name: string
  readonly here: Here
  readonly inOptions: (text: string) => string
  /** Paths in the input, relative to the workspace. */
  readonly paths?: readonly string[]
}

interface Shown {
  /** The contract's answer, if the contract words failures itself. */
  readonly answer?: unknown
  /** The call completed without success. */
  readonly failed?: boolean
  readonly input?: unknown
  /** Typed options. */
  readonly values?: OptionValues
  /** Returns the command as typed, with another input. */
  readonly again?: (input: Fields) => string
  readonly typed?: TypedCommand
}

/**
 * Shows an outcome to people: what was done, where, how long it took, and the answer. Output cannot control the
 * terminal.
 */
export async function showOutcome(
  terminal: Terminal,
  kit: Toolkit,
  tool: string,
  outcome: Outcome,
  display: Shown = {},
): Promise<void> {
  const isTerminal = terminal.stdout.isTTY === true
  const hits = isTerminal ? (await import('../render/highlight.ts')).hitsOf(display.input) : undefined
  const style: Style = { paint: painter(terminal), hits }
  const lines = outcome.ok
    ? await doneLines(kit, tool, outcome, display, style)
    : await failedLines(outcome, display, style, await openLines(kit, tool, outcome, display))
  if (isTerminal) (await import('./pager.ts')).sayPaged(terminal, lines.join('\n'))
  else say(terminal, lines.join('\n'))
}

async function failedLines(
  { error, meta }: Failed,
  { answer, typed }: Shown,
  style: Style,
  open: readonly string[],
): Promise<string[]> {
  const { message, hint: wordedHint, body } = await wordError(error, answer)
  const hint = open.length > 0 ? 'Choose one: --transaction ID' : wordedHint
  const lines = await answerLines(body, style)
  return [
    `${style.paint('red', '✗')} ${sanitize(typed ? pathsTyped(message, typed) : message)}`,
    ...(hint ? [`  ${sanitize(typed ? typed.inOptions(typedHint(hint)) : hint)}`] : []),
    style.paint('dim', `  Time: ${time(workedMs(meta))}`),
    ...hintLines(meta),
    ...(lines.length > 0 ? ['', ...lines] : []),
    ...open,
  ]
}

/** Replaces paths of the input in a message by the typed ones. */
const pathsTyped = (message: string, { here, paths = [] }: TypedCommand): string =>
  paths.reduce((text, path) => text.replaceAll(`'${path}'`, () => `'${here.shown(path)}'`), message)

/** Lists open transactions for a caller that lacks one. */
async function openLines(
  { state }: Toolkit,
  tool: string,
  { error }: Failed,
  { values = {} }: Shown,
): Promise<string[]> {
  if (tool !== 'stage' || error.code !== 'not_found') return []
  const lines = (await import('./open-transactions.ts')).openTransactionLines(state.transactions, values)
  return lines.length > 0 ? ['', ...lines] : []
}

async function doneLines(kit: Toolkit, tool: string, done: Done, shown: Shown, style: Style): Promise<string[]> {
  const { paint } = style
  const commandName = shown.typed?.name ?? tool
  const { name, data } =
    tool === 'stage'
      ? (await import('../render/stage-answer.ts')).stageAnswer(commandName, shown.input, done.data)
      : { name: commandName, data: done.data }
  const outcome = { ...done, data }
  const { meta } = outcome
  const places = placesOf(kit.root, outcome)
  const fromHere = await placerFor(shown)
  const body = await answerLines(
    fromHere(rewordNote(await bodyOf(kit, outcome), shown)),
    style,
    fromHere({ paths: places }).paths,
  )
  return [
    `${shown.failed ? paint('red', '✗') : paint('green', '✓')} ${meta.dryRun ? 'Would do: ' : ''}${sanitize(headline(name, data, meta.ref !== undefined))}`,
    ...places.map(path => `  Location: ${sanitize(join(kit.root, path))}`),
    paint('dim', `  Time: ${time(workedMs(meta))}`),
    ...(meta.undo ? [`  Undo: ${sanitize(commandLine('undo', [meta.undo], sameWorkspace(shown.values ?? {})))}`] : []),
    ...(await transactionLines(meta.transaction, shown)),
    ...(meta.plan && (meta.changed.length > 0 || meta.warnings) ? [`  Plan: ${meta.plan}`] : []),
    ...(meta.effects || meta.lateEffects
      ? (await import('../render/effects-lines.ts')).allEffectsLines(fromHere(meta))
      : []),
    ...[...(meta.warnings ?? []), ...warningsIn(data)].map(warning =>
      paint('yellow', `  Warning: ${sanitize(warning)}`),
    ),
    ...hintLines(meta),
    ...(body.length > 0 ? ['', ...body] : []),
    ...(await restLines(kit, tool, outcome, shown, style)),
  ]
}

/**
 * For a typed command, makes paths relative to the current directory, ready to paste. Paths of `call` stay relative to
 * the workspace, because they go into its JSON.
 */
async function placerFor({ typed }: Shown): Promise<<Answer>(answer: Answer) => Answer> {
  if (!typed) return answer => answer
  const { pathsFromHere } = await import('./paths-from-here.ts')
  return answer => pathsFromHere(answer, typed.here)
}

/** Rewords the note on a file that is not text for the command. */
function rewordNote(data: unknown, { typed }: Shown): unknown {
  const { media } = Object(data)
  if (!typed || !isFields(data) || !isFields(media) || typeof media['note'] !== 'string') return data
  return { ...data, media: { ...media, note: typed.inOptions(media['note']) } }
}

/** Returns what follows the facts: for a computed change its diff and undecided places. */
async function bodyOf(kit: Toolkit, { data, meta }: Done): Promise<unknown> {
  if (meta.diff) return { diff: meta.diff }
  const { occurrences, applied } = Object(data)
  if (!isFields(occurrences) && !Array.isArray(applied)) return data
  const diff = await diffOf(kit, meta)
  if (diff === undefined) return data
  if (!isFields(occurrences)) return { diff }
  const occurrenceList = objectsIn(occurrences['listed']) ?? []
  return { diff, undecided: occurrenceList.filter(({ verdict }) => verdict === 'not decided') }
}

/**
 * Returns the diff of applied or staged changes. Returns undefined if nothing changed, or if the files have changed
 * since.
 */
async function diffOf(kit: Toolkit, { undo, transaction, changed }: Outcome['meta']): Promise<string | undefined> {
  const { root, store } = kit.workspace
  const conceal = await kit.concealer()
  try {
    // Edits and refactorings change only readable files.
    if (undo !== undefined)
      return (await import('../../machine/workspace/commit/commit-diff.ts')).commitDiff(root, store, undo, {
        mayShow: () => true,
        conceal,
      })
    if (transaction === undefined) return undefined
    const { stagedDiff } = await import('../../machine/workspace/staged-diff.ts')
    return stagedDiff(root, transaction, changed, { directory: kit.state.transactions, conceal })
  } catch (error) {
    if (error instanceof ToolError) return undefined
    throw error
  }
}

/** Names the transaction that holds a change; for a new one, shows how to use it. */
async function transactionLines(id: string | undefined, { input, values }: Shown): Promise<string[]> {
  if (id === undefined) return []
  if (!isFields(input) || input['action'] !== 'begin') return [`  Staged in transaction ${sanitize(id)}`]
  const { endLine } = await import('./open-transactions.ts')
  return [
    `  Stage into it: add --transaction ${sanitize(id)} to each call`,
    `  Land it: ${sanitize(endLine(id, 'commit', values))}`,
    `  Drop it: ${sanitize(endLine(id, 'rollback', values))}`,
  ]
}

/** Returns commands for the rest of the answer. */
async function restLines(
  kit: Toolkit,
  tool: string,
  { data, meta }: Done,
  shown: Shown,
  style: Style,
): Promise<string[]> {
  if (!meta.ref && !(isFields(data) && (data['truncated'] === true || data['next']))) return []
  const { input, values = {}, again } = shown
  const isValidInput = (next: Fields): boolean =>
    kit
      .tools()
      .find(({ name }) => name === tool)
      ?.input.safeParse(next).success === true
  const whole =
    meta.ref && `Whole answer (${meta.bytes} bytes): ${commandLine('read', [meta.ref], sameWorkspace(values))}`
  const { continuation } = await import('../render/continuation.ts')
  const lines = [whole, again && continuation(data, { input, again, takes: isValidInput })].filter(
    line => line !== undefined,
  )
  return lines.length > 0 ? ['', ...lines.map(line => style.paint('yellow', sanitize(line)))] : []
}

type Done = Outcome & { readonly ok: true }
type Failed = Outcome & { readonly ok: false }

interface Worded {
  readonly message: string
  readonly hint: string | undefined
  readonly body: unknown
}

/** The document's sentence, if it has one; then a command's output, or the nearest text to a failed match. */
async function wordError({ code, message, hint: given, details }: ToolError, answer: unknown): Promise<Worded> {
  // A hint tells the model what to do after a no. A person wants to know why, if it was someone else's.
  const hint = code === 'rejected' && details?.['by'] !== undefined ? reasonIn(details) : given
  const { output, error } = Object(answer)
  if (typeof output === 'string') {
    const [first = '', ...rest] = output.replace(/^Error: /, '').split('\n')
    return { message: first, hint: Object(error).suggestion ?? hint, body: rest.join('\n') }
  }
  const nearest = Reflect.get(Object(details?.['nearest']), 'text')
  if (typeof nearest === 'string') return { message, hint, body: nearest }
  const { stdout, stderr, content, diff } = details ?? {}
  const validators =
    details?.['validators'] === undefined
      ? []
      : (await import('../../kernel/failed-validators.ts')).failedValidators(details)
  return { message, hint, body: { ...printable({ stdout, stderr, content, diff }), validators } }
}

const reasonIn = ({ reason }: Fields): string | undefined =>
  typeof reason === 'string' ? `The reason: ${reason}` : undefined

/** Keeps only the texts in a failure's details; the message covers the rest. */
const printable = (texts: Fields): Fields =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === 'string'))

const hintLines = ({ hint }: Outcome['meta']): readonly string[] =>
  hint === undefined ? [] : [`  Hint: ${sanitize(hint)}`]

const time = (ms: number): string => `${Math.round(ms)}ms`

function placesOf(root: string, { meta, ...outcome }: Outcome): readonly string[] {
  const { path, files } = Object(outcome.ok && outcome.data)
  if (meta.changed.length > 0) return withoutParents(root, meta.changed, files)
  // The full text of a cut answer is not stored in a file.
  return typeof path === 'string' && !path.startsWith('ref:') ? [path] : []
}

/** Omits directories that were only created for a named file. */
function withoutParents(root: string, changed: readonly string[], named: unknown): readonly string[] {
  if (!Array.isArray(named)) return changed
  const places = named.filter(file => typeof file === 'string').map(file => resolve(root, file))
  const isParent = (path: string) => {
    const place = resolve(root, path)
    return !places.includes(place) && places.some(file => file.startsWith(place + sep))
  }
  return changed.filter(path => !isParent(path))
}

function warningsIn(data: unknown): readonly string[] {
  const { warnings } = Object(data)
  return Array.isArray(warnings) ? warnings.map(String) : []
}

/** Adapts a hint, written for every surface, to typed options and the current directory. */
const typedHint = (hint: string): string =>
  SAID_ELSEWHERE.reduce((text, [elsewhere, here]) => text.replace(elsewhere, here), hint)

const SAID_ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/\brelative to the workspace\./, 'relative to the current directory. Another workspace: --root DIR'],
  [/\bor replace all\./, 'or replace all of them with --all.'],
  [/^These can be undone: .*$/, 'See what can be undone: toolwright undo --list'],
]
