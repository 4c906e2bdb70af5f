import type { CodeSymbol } from './code-symbol.ts'

/** A symbol with what it stands in: `Class.method`. */
export const wholeName = ({ name, within }: Pick<CodeSymbol, 'name' | 'within'>): string => [...within, name].join('.')
