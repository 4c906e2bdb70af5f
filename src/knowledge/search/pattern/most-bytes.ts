import type { Syntax } from './syntax.ts'

/** So many bytes of UTF-8 a match of the expression has at most; Infinity where there is no bound. */
export function mostBytes(syntax: Syntax): number {
  switch (syntax.kind) {
    case 'look':
      return 0
    case 'set':
      return utf8Length(syntax.set.at(-1) ?? 0)
    case 'concat':
      return syntax.parts.reduce((sum, part) => sum + mostBytes(part), 0)
    case 'choice':
      return syntax.parts.reduce((most, part) => Math.max(most, mostBytes(part)), 0)
    case 'repeat':
      return syntax.max === 0 ? 0 : mostBytes(syntax.part) * syntax.max
  }
}

function utf8Length(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x1_00_00 ? 3 : 4
}
