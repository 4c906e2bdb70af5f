import type { CodeSymbol } from '../../languages/file-model/code-symbol.ts'

/** The qualified name of a symbol: `Class.method`. */
export const wholeName = ({ name, within }: Pick<CodeSymbol, 'name' | 'within'>): string => [...within, name].join('.')
