import { withDots } from '../callers/with-dots.ts'
import { symbolAt, type Found } from '../resolve/project.ts'
import type { CodeSymbol } from '../../model/code-symbol.ts'
import type { Declared } from '../types.ts'

/** What stands around a symbol, outermost first; a companion is no name that anybody says. */
export function withinOf(found: Found): readonly string[] {
  const symbol = symbolAt(found)
  const around: string[] = []
  for (let at = symbol?.parent ?? -1; at >= 0; at = found.file.code.symbols[at]?.parent ?? -1) {
    const { name = '', kind } = found.file.code.symbols[at] ?? {}
    if (name !== '' && name !== 'Companion' && kind !== 'module') around.unshift(name)
  }
  return around.length > 0 || symbol?.receiver === undefined || symbol.kind !== 'method' ? around : [symbol.receiver]
}

/** `Class.method` where it is one. */
export function wholeName(found: Found): string {
  const { file } = found
  const holder = symbolAt({ file, number: symbolAt(found)?.parent ?? -1 })
  const name = symbolAt(found)?.name ?? ''
  return holder && /^(function|method)$/.test(holder.kind)
    ? name
    : [...withinOf(found), name].filter(each => each !== '').join('.')
}

/** The same with all that stands around it, modules and companions too. */
export function fullName({ file, number }: Found): string {
  const names: string[] = []
  for (let at = number; at >= 0; at = file.code.symbols[at]?.parent ?? -1) {
    const { name = '', receiver, kind, parent = -1 } = file.code.symbols[at] ?? {}
    const isOutside = parent === -1 || file.code.symbols[parent]?.kind === 'module'
    names.unshift(...(kind === 'method' && isOutside && receiver !== undefined ? [receiver] : []), name)
  }
  return withDots(names.filter(name => name !== '').join('.'))
}

const KINDS = new Set<string>(['function', 'method', 'class', 'interface', 'type', 'enum', 'variable', 'module'])

const isKind = (kind: string): kind is CodeSymbol['kind'] => KINDS.has(kind)

/** A symbol as everybody is told of it. */
export function declaredOf(found: Found): Declared {
  const { name = '', kind = 'variable', from = 0, to = 0, exported = false, signature = '' } = symbolAt(found) ?? {}
  return {
    name,
    kind: isKind(kind) ? kind : 'variable',
    from,
    to,
    within: withinOf(found),
    exported,
    path: found.file.path,
    signature,
  }
}
