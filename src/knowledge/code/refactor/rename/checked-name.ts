import { languageAt } from '../../../../languages/registry.ts'
import { ToolError } from '../../../../kernel/error.ts'

/** Refuses a text that cannot be a name in the language of the file. */
export function checkedName(path: string, old: string, name: string): void {
  const isPrivate = old.startsWith('#')
  const plain = isPrivate ? name.replace(/^#/, '') : name
  const isWord = /^[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*$/u.test(plain) && isPrivate === name.startsWith('#')
  const isTaken = languageAt(path).reserved?.split(' ').includes(plain) ?? false
  if (!isWord || isTaken)
    throw new ToolError(
      'invalid_input',
      `'${name}' is no name${isTaken ? ': the language has the word for itself' : ''}`,
      {
        hint: isPrivate ? 'A private name begins with #' : 'Give a name alone, without its class and without dots',
      },
    )
  if (name === old) throw new ToolError('invalid_input', `It is named '${name}' already`)
}
