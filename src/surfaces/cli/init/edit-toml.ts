import { isDeepStrictEqual } from 'node:util'
import { parse } from 'smol-toml'
import { ToolError } from '../../../kernel/error.ts'
import { applyEdit, type Edit } from './edit-json.ts'

/**
 * Returns the edit that puts a table into a TOML text: in place of the table of this name, or at the end. Refuses a text
 * that does not parse, and one in which anything else would change.
 */
export function insertTable(text: string, path: readonly string[], value: Readonly<Record<string, unknown>>): Edit {
  const before = tablesOf(text)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = Object.entries(value).map(([key, each]) => `${key} = ${JSON.stringify(each)}`)
  const block = [`[${path.join('.')}]`, ...lines, ''].join(eol)
  const existing = spanOf(text, path)
  const edit = existing
    ? { at: existing.from, removed: text.slice(existing.from, existing.to), added: block }
    : { at: text.length, removed: '', added: gapBefore(text, eol) + block }
  ensureOnly(before, applyEdit(text, edit), path, value)
  return edit
}

/** Returns the table at a path; undefined if there is none. */
function tableAt(text: string, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => Object(inner)[name], tablesOf(text))
}

/** Returns the edit that takes out a table; undefined if there is none. */
export function removeTable(text: string, path: readonly string[]): Edit | undefined {
  const span = spanOf(text, path)
  if (!span) return undefined
  const edit = { at: span.from, removed: text.slice(span.from, span.to), added: '' }
  ensureOnly(tablesOf(text), applyEdit(text, edit), path, undefined)
  return edit
}

const gapBefore = (text: string, eol: string): string =>
  text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol

/** Finds a table with a header of its own, up to the next header. Comments at its end may belong to the next table. */
function spanOf(text: string, path: readonly string[]): { readonly from: number; readonly to: number } | undefined {
  const plainText = withoutLongStrings(text)
  const name = path.map(part => `(?:${part}|"${part}")`).join(String.raw`\s*\.\s*`)
  const header = new RegExp(String.raw`^[ \t]*\[\s*${name}\s*\][^\r\n]*(?:\r?\n|$)`, 'm').exec(plainText)
  if (!header) return undefined
  const bodyFrom = header.index + header[0].length
  const next = /^[ \t]*\[/m.exec(plainText.slice(bodyFrom))
  const body = plainText.slice(bodyFrom, next ? bodyFrom + next.index : undefined)
  const [lastLines = ''] = /(?:^[ \t]*(?:#[^\n]*)?\r?\n)*$/m.exec(body) ?? []
  return { from: header.index, to: bodyFrom + body.length - lastLines.length }
}

/** Replaces texts over several lines by spaces, so that places stay the same. */
const withoutLongStrings = (text: string): string =>
  text.replaceAll(/"""[^]*?"""|'''[^]*?'''/g, long => long.replaceAll(/[^\r\n]/g, ' '))

function tablesOf(text: string): Record<string, unknown> {
  try {
    return parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    throw new ToolError('invalid_input', `The file does not parse: ${reason}`, {
      hint: 'Mend it first; nothing was changed',
      cause,
    })
  }
}

/** Parses the result: it has our table, and all else as before. */
function ensureOnly(before: Record<string, unknown>, after: string, path: readonly string[], value: unknown): void {
  const result = tablesOf(after)
  const isOurs = isDeepStrictEqual(plain(tableAt(after, path)), value)
  if (!isOurs || !isDeepStrictEqual(plain(without(result, path)), plain(without(before, path))))
    throw new ToolError('invalid_input', `The table ${path.join('.')} is written in a form that cannot be changed`, {
      hint: `Write it as [${path.join('.')}], or take it out; nothing was changed`,
    })
}

function without(tables: Record<string, unknown>, [first = '', ...rest]: readonly string[]): unknown {
  const { [first]: inner, ...others } = tables
  if (rest.length === 0 || typeof inner !== 'object' || inner === null) return others
  const left = without(inner as Record<string, unknown>, rest)
  return Object.keys(Object(left)).length === 0 ? others : { ...others, [first]: left }
}

/** Drops prototypes, which the parser leaves out. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))
