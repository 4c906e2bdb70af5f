import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ToolError } from '../../../kernel/error.ts'
import { jsonLine } from '../../../kernel/json-line.ts'
import { sanitize } from '../../../kernel/sanitize.ts'
import { completeFix, newFixSchema, type Fix, type NewFix } from '../../../knowledge/memory/fix.ts'
import type { FixStore } from '../../../knowledge/memory/types.ts'
import { progressBar } from '../progress-bar.ts'
import { readAll } from '../read-all.ts'
import { say, type Terminal } from '../terminal.ts'
import { EXIT, UsageError } from '../usage.ts'
import { filterOf, type FixWork } from './fix-work.ts'

/** Stored together: an interrupted import loses at most so many, and says which. */
const BATCH = 50

/** `fixes import`: stores JSON lines. Nothing is stored if one of them is wrong; the same import again is harmless. */
export async function importFixes({ store, rest, values, terminal, signal }: FixWork): Promise<number> {
  const [file = '-', ...more] = rest
  if (more.length > 0) throw new UsageError("'fixes import' takes one file, or standard input", 'fixes')
  if (file === '-' && terminal.stdin.isTTY) throw new UsageError('Name a file with one fix a line', 'fixes')
  const fixes = parsedLines(file === '-' ? await readAll(terminal.stdin) : textOf(file, terminal))
  const bar = progressBar(terminal, 'Importing')
  let importedCount = 0
  try {
    for (; importedCount < fixes.length; importedCount += BATCH) {
      bar.show(importedCount, fixes.length)
      const batch = await Promise.all(
        fixes.slice(importedCount, importedCount + BATCH).map(line => completeFromStore(line, store, signal)),
      )
      await store.put(batch, signal)
    }
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause
    throw new ToolError(cause.code, `${importedCount} of ${fixes.length} fixes are imported. ${cause.message}`, {
      hint: [cause.hint, 'The same import again stores the rest'].filter(Boolean).join('. '),
      ...(cause.details && { details: cause.details }),
      cause,
    })
  } finally {
    bar.clear()
  }
  say(
    terminal,
    values.json
      ? jsonLine({ imported: fixes.length })
      : `Imported ${fixes.length} ${fixes.length === 1 ? 'fix' : 'fixes'}`,
  )
  return EXIT.ok
}

function textOf(file: string, terminal: Terminal): string {
  try {
    return readFileSync(resolve(terminal.cwd, file), 'utf8')
  } catch (cause) {
    throw new ToolError('not_found', `'${sanitize(file)}' cannot be read`, { hint: 'Name a file of JSON lines', cause })
  }
}

/** A fix as its line gives it. */
interface FixLine {
  readonly id: string
  readonly given: NewFix
}

function parsedLines(text: string): readonly FixLine[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  const numbers = new Map<string, number>()
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return []
    const parsedFix = parsedLine(line, at + 1)
    const first = numbers.get(parsedFix.id)
    if (first !== undefined) throw wrongLine(at + 1, `is the same fix as line ${first}`)
    numbers.set(parsedFix.id, at + 1)
    return [parsedFix]
  })
}

const wrongLine = (number: number, what: string): UsageError =>
  new UsageError(`Line ${number} ${what}; nothing was imported`, 'fixes')

function parsedLine(line: string, number: number): FixLine {
  const wrong = (what: string): UsageError => wrongLine(number, what)
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw wrong('is not JSON')
  }
  const { data, error } = newFixSchema.safeParse(value)
  if (data === undefined) {
    const [{ path, message } = { path: [], message: '' }] = error.issues
    const name = path.map(String).join('.')
    const isMissing = path.length === 1 && Object(value)[name] === undefined
    throw wrong(
      isMissing ? `is not a fix: it has no '${name}'` : `is not a fix: ${name ? `'${name}': ` : ''}${message}`,
    )
  }
  // The same line gets the same id, so that a second import replaces the first.
  const id = data.id ?? `fix-${createHash('sha256').update(line.trim()).digest('hex').slice(0, 24)}`
  return { id, given: Object(value) }
}

/** Keeps what a person or the store has added since to a fix that was imported before, unless the line says otherwise. */
async function completeFromStore({ id, given }: FixLine, store: FixStore, signal: AbortSignal): Promise<Fix> {
  const storedFix = await store.get(id, signal)
  const { confidence, userValidated, createdAt } = storedFix ?? {}
  const storedFields = { confidence, userValidated, createdAt }
  const missingFields = Object.entries(storedFields).filter(([name, value]) => value !== undefined && !(name in given))
  return completeFix({ ...given, ...Object.fromEntries(missingFields), id })
}

/** `fixes export`: prints every fix as one line of JSON. */
export async function exportFixes({ store, rest, values, terminal, signal }: FixWork): Promise<number> {
  if (rest.length > 0) throw new UsageError("'fixes export' prints to standard output: fixes export > FILE", 'fixes')
  for await (const fix of store.each(filterOf(values), signal)) say(terminal, jsonLine(fix))
  return EXIT.ok
}
