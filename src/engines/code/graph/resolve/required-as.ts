import type { Value } from '../../symbols/file-code.ts'
import type { ProjectFile } from './project.ts'

/** `const main = require('main')` is another name for what a script hands out as a whole, as an import of it would be. */
export function requiredAs(value: Value, { code }: ProjectFile): Value | undefined {
  const symbol = value[0] === 'symbol' ? code.symbols[value[1]] : undefined
  if (symbol?.kind !== 'variable' || symbol.value?.[0] !== 'import') return undefined
  return code.imports[symbol.value[1]]?.name === '=' ? symbol.value : undefined
}
