import { languageOf } from '../../model/languages.ts'
import { isCalledByItself } from '../../model/called-by-signs.ts'

/** Whether the server of a file's language does not see all that calls a function: pyright none of the signs that call a method. */
export const isUnseenBy = (path: string, name: string): boolean =>
  languageOf(path) === 'python' && isCalledByItself('python', name)
