import { languageOf, readerOf } from '../../languages/registry.ts'
import { decode } from './decode.ts'
import { LARGEST } from './facts/facts-of.ts'
import { isPackagePath, isDeclarationPath } from '../../languages/file-model/path-kind.ts'
import { isTestPath } from '../../languages/file-model/test-path.ts'
import { EMPTY_MODEL, type FileModel } from '../../languages/file-model/file-model.ts'

/** Parses one file; undefined if its language is not known. Returns a partial model if the file does not parse. */
export async function modelOf(path: string, bytes: Uint8Array): Promise<FileModel | undefined> {
  const language = languageOf(path)
  if (language === undefined) return undefined
  const text = bytes.length > LARGEST ? undefined : decode(bytes)
  // Generated, or named like source code but binary.
  if (text === undefined || text.includes('\0')) return { language, ...EMPTY_MODEL }
  try {
    return await read(path, language, text)
  } catch (error) {
    // Nested too deeply to be written by hand.
    if (error instanceof RangeError) return { language, ...EMPTY_MODEL }
    throw error
  }
}

/** Everything besides the content that a model depends on. */
export const modelKey = (path: string): string =>
  [
    path.slice(path.lastIndexOf('.') + 1).toLowerCase(),
    ...(isDeclarationPath(path) ? ['d'] : []),
    ...(isTestPath(path) ? ['test'] : []),
    ...(isPackagePath(path) ? ['package'] : []),
  ].join('.')

async function read(path: string, language: string, text: string): Promise<FileModel> {
  const reader = readerOf(language)
  if (reader === 'script')
    return (await import('../../languages/javascript/javascript-model.ts')).scriptModel(path, language, text)
  const grammar = reader && (await import('./grammar/grammar-model.ts'))
  return (await grammar?.grammarModel(path, language, text)) ?? { language, ...EMPTY_MODEL }
}
