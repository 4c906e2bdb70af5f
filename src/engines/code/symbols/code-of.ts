import { decode } from '../../index/facts/decode.ts'
import { LARGEST } from '../../index/facts/facts-of.ts'
import { languageOf, type Language } from '../../index/facts/languages.ts'
import { scriptOnly } from './script-only.ts'
import { isTestPath } from './test-path.ts'
import { NO_CODE, type FileCode } from './file-code.ts'

/** What one file says about its symbols; undefined where its language is not known. A file that does not parse gives what could be read. */
export async function codeOf(path: string, bytes: Uint8Array): Promise<FileCode | undefined> {
  const language = languageOf(path)
  if (language === undefined) return undefined
  const text = bytes.length > LARGEST ? undefined : decode(bytes)
  // Generated, or named like source code but binary.
  if (text === undefined || text.includes('\0')) return { language, ...NO_CODE }
  try {
    return await read(path, language, text)
  } catch (error) {
    // So deeply nested that nobody wrote it.
    if (error instanceof RangeError) return { language, ...NO_CODE }
    throw error
  }
}

/** All that what is said of a content depends on besides it. */
export const codeKey = (path: string): string =>
  `${path.slice(path.lastIndexOf('.') + 1).toLowerCase()}${/\.d\.[^./]*\.?[cm]?ts$/i.test(path) ? '.d' : ''}${isTestPath(path) ? '.test' : ''}`

async function read(path: string, language: Language, text: string): Promise<FileCode> {
  switch (language) {
    case 'typescript':
    case 'javascript':
      return (await import('./javascript/javascript-code.ts')).javascriptCode(path, language, text)
    case 'vue': {
      // The script stands on the lines where it stands in the file.
      const script = scriptOnly(text)
      const { javascriptCode } = await import('./javascript/javascript-code.ts')
      return javascriptCode(`${path}.${script.ending}`, language, script.text)
    }
    case 'css':
    case 'scss':
    case 'sass':
    case 'less':
      return { language, ...NO_CODE }
    default:
      return (await import('./grammar/grammar-code.ts')).grammarCode(path, language, text)
  }
}
