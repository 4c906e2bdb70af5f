import { foldName } from '../../kernel/fold-name.ts'

/** Returns the name of a program without its path, case and Windows extension. */
export const programName = (word: string): string =>
  foldName(word.split('/').at(-1) ?? '').replace(/\.(exe|cmd|bat|com)$/, '')
