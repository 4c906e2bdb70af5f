import { foldName } from '../../kernel/fold-name.ts'

/** The name that a program goes by, whatever its path, its case and its Windows ending. */
export const programName = (word: string): string =>
  foldName(word.split('/').at(-1) ?? '').replace(/\.(exe|cmd|bat|com)$/, '')
