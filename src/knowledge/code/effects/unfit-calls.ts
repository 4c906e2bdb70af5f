import type { CodeFault, UnfitCall } from '../../../kernel/edit-effects.ts'
import { parseModel } from '../../model/parse-model.ts'
import type { FileModel } from '../../model/file-model.ts'
import { callsAround } from './calls-around.ts'
import { familyOf } from './module-facts.ts'

/** Those of the errors of one file that are at a call of something that was changed, under one of its other names too. */
export async function unfitCalls(
  path: string,
  text: string,
  faults: readonly CodeFault[],
  changed: ReadonlySet<string>,
  others: ReadonlyMap<string, string> = new Map(),
): Promise<readonly UnfitCall[]> {
  if (faults.length === 0 || changed.size === 0) return []
  const code = await parseModel(path, Buffer.from(text))
  const meant = new Map((code?.imports ?? []).map(({ local, name }) => [local, name]))
  const around = await callsAround(path, text)
  const found = faults.flatMap(({ line, column, code: fault }): UnfitCall[] => {
    if (isDeclaredAt(code, text, line, column)) return []
    for (const written of [...around(line, column), ...macroAt(line, column)]) {
      const names = [written, meant.get(written)].filter(name => name !== undefined)
      const calls = names.find(name => changed.has(name)) ?? names.flatMap(name => others.get(name) ?? [])[0]
      if (calls !== undefined) return [{ name: callerAt(code, line), path, line, calls, code: fault }]
    }
    return []
  })
  return [...new Map(found.map(one => [`${one.line} ${one.calls}`, one])).values()]

  /** A macro may call without brackets of its own. */
  function macroAt(line: number, column: number): readonly string[] {
    if (familyOf(path) !== 'c') return []
    const word = /^\w+/.exec((text.split('\n', line).at(-1) ?? '').slice(column - 1)) ?? []
    return word.filter(name => others.has(name))
  }
}

/** Where something is declared, its name stands before a bracket as in a call. */
function isDeclaredAt(code: FileModel | undefined, text: string, line: number, column: number): boolean {
  const written = text.split('\n', line).at(-1) ?? ''
  const [name] = /^[\w$]+/.exec(written.slice(column - 1)) ?? []
  if (
    name === undefined ||
    new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).exec(written)?.index !== column - 1
  )
    return false
  return (code?.symbols ?? []).some(symbol => symbol.name === name && symbol.from === line && HAS_HEAD.has(symbol.kind))
}

const HAS_HEAD = new Set<string>(['function', 'method'])
const HOLD_CODE = new Set<string>(['function', 'method', 'class', 'test'])

/** The innermost function that a line is in. */
function callerAt(code: FileModel | undefined, line: number): string {
  const symbols = code?.symbols ?? []
  const inner = symbols.findLast(({ from, to, kind }) => HOLD_CODE.has(kind) && from <= line && line <= to)
  if (!inner) return '<module>'
  const names = [inner.name]
  for (let at = symbols[inner.parent]; at; at = symbols[at.parent]) if (HOLD_CODE.has(at.kind)) names.unshift(at.name)
  return names.filter(name => name !== '').join('.')
}
