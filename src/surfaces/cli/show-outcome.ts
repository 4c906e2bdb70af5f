import { join } from 'node:path'
import { inert, inertBlock } from '../../kernel/inert.ts'
import type { ToolError } from '../../kernel/error.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import type { Toolkit } from '../../toolkit.ts'
import { effectsLines, lateEffectsLines } from './effects-lines.ts'
import { painter, say, type Terminal } from './terminal.ts'

/** The form for people: what was done, where, and how long it took; nothing shown can steer the terminal. */
export function showOutcome(
  terminal: Terminal,
  kit: Toolkit,
  tool: string,
  outcome: Outcome,
  { answer, failed = false }: { readonly answer?: unknown; readonly failed?: boolean } = {},
): void {
  const paint = painter(terminal)
  const { meta } = outcome
  if (!outcome.ok) {
    const { message, hint, body } = worded(outcome.error, answer)
    say(terminal, `${paint('red', '✗')} ${inert(message)}`)
    if (hint) say(terminal, `  ${inert(hint)}`)
    say(terminal, paint('dim', `  Time: ${time(meta.durationMs)}`))
    if (body) say(terminal, `\n${inertBlock(body).replace(/\n$/, '')}`)
    return
  }
  const what = headline(tool, outcome.data)
  say(terminal, `${failed ? paint('red', '✗') : paint('green', '✓')} ${meta.dryRun ? 'Would do: ' : ''}${inert(what)}`)
  for (const path of placesOf(outcome)) say(terminal, `  Location: ${inert(join(kit.root, path))}`)
  say(terminal, paint('dim', `  Time: ${time(meta.durationMs)}`))
  if (meta.undo) say(terminal, `  Undo: toolwright undo ${meta.undo}`)
  if (meta.transaction) say(terminal, `  Staged in transaction ${inert(meta.transaction)}`)
  if (meta.plan && (meta.changed.length > 0 || meta.warnings)) say(terminal, `  Plan: ${meta.plan}`)
  if (meta.ref) say(terminal, `  Whole answer (${meta.bytes} bytes): ${meta.ref}`)
  for (const line of meta.effects ? effectsLines(meta.effects) : []) say(terminal, line)
  for (const line of lateEffectsLines(meta.lateEffects ?? [])) say(terminal, line)
  for (const warning of [...(meta.warnings ?? []), ...warningsIn(outcome.data)])
    say(terminal, paint('yellow', `  Warning: ${inert(warning)}`))
  const body = meta.diff || bodyOf(outcome.data)
  if (body) say(terminal, `\n${inertBlock(body).replace(/\n$/, '')}`)
}

interface Worded {
  readonly message: string
  readonly hint: string | undefined
  readonly body: string | undefined
}

/** The document's own sentence, where it has one; and what a command had printed, or what stands where something was looked for. */
function worded({ message, hint, details }: ToolError, answer: unknown): Worded {
  const { output, error } = Object(answer)
  if (typeof output === 'string') {
    const [first = '', ...rest] = output.replace(/^Error: /, '').split('\n')
    return { message: first, hint: Object(error).suggestion ?? hint, body: rest.join('\n') }
  }
  const nearest = Reflect.get(Object(details?.['nearest']), 'text')
  return { message, hint, body: typeof nearest === 'string' ? nearest : bodyOf(details) }
}

const time = (ms: number): string => (ms < 10 ? `${Math.round(ms * 10) / 10}ms` : `${Math.round(ms)}ms`)

function placesOf({ meta, ...outcome }: Outcome): readonly string[] {
  if (meta.changed.length > 0) return meta.changed
  if (outcome.ok && typeof outcome.data === 'object' && outcome.data !== null && 'path' in outcome.data)
    return [String(outcome.data.path)]
  return []
}

/** Documents whose answers carry a sentence for people get it; others get the tool and its short facts. */
function headline(tool: string, data: unknown): string {
  if (typeof data !== 'object' || data === null) return tool
  if ('output' in data && typeof data.output === 'string') return data.output.split('\n', 1)[0] ?? tool
  const facts = Object.entries(data).flatMap(([key, value]) => {
    if (SAID_ELSEWHERE.has(key)) return []
    if (Array.isArray(value)) return [`${value.length} ${value.length === 1 ? singular(key) : key}`]
    // What was not done must not look done; any other no goes without saying.
    if (typeof value === 'boolean') return value ? [key] : key === 'applied' || key === 'written' ? [`not ${key}`] : []
    return typeof value === 'number' || (typeof value === 'string' && value.length <= 40 && !value.includes('\n'))
      ? [`${key} ${value}`]
      : []
  })
  return facts.length > 0 ? `${tool} (${facts.join(', ')})` : tool
}

const singular = (key: string): string =>
  key
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x|ss)es$/, '$1')
    .replace(/([^s])s$/, '$1')

/** What the other lines say, or what people do not read. */
const SAID_ELSEWHERE = new Set(['path', 'from', 'to', 'hash', 'stdout', 'stderr', 'warnings'])

function warningsIn(data: unknown): readonly string[] {
  const { warnings } = Object(data)
  return Array.isArray(warnings) ? warnings.map(String) : []
}

/** The long text of an answer: what was read, found, printed or shown. */
function bodyOf(data: unknown): string | undefined {
  if (typeof data === 'string') return data
  if (typeof data !== 'object' || data === null) return undefined
  if ('content' in data && typeof data.content === 'string') return data.content
  if ('diff' in data && typeof data.diff === 'string') return data.diff
  if ('output' in data && typeof data.output === 'string') return data.output.split('\n').slice(1).join('\n')
  if ('stdout' in data && 'stderr' in data) return [data.stdout, data.stderr].filter(Boolean).map(String).join('\n')
  return undefined
}
