import { oncePer } from '../../../kernel/once.ts'
import { mayDeclare } from '../../../languages/file-model/may-declare.ts'
import type { NameDependencies } from '../resolve/name-dependencies.ts'

const WORD = /[\w$]/

/** Collects the files that matter for these names without parsing them: too many rather than too few. */
export function filesForNames(
  texts: ReadonlyMap<string, string>,
): NameDependencies & { readonly files: ReadonlySet<string> } {
  const files = new Set<string>()
  const filesWhere = (isWanted: (text: string, name: string) => boolean) =>
    oncePer((name: string) => {
      for (const [path, text] of texts) if (!files.has(path) && isWanted(text, name)) files.add(path)
    })
  return {
    files,
    mentioned: filesWhere((text, name) => hasWord(text, name, () => true)),
    declared: filesWhere((text, name) => hasWord(text, name, at => mayDeclare(text, at, at + name.length))),
    written: filesWhere((text, sign) => text.includes(sign)),
  }
}

/** Reports whether a wanted occurrence of a word exists. */
function hasWord(text: string, name: string, isWanted: (at: number) => boolean): boolean {
  if (name === '') return false
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const isWhole = !WORD.test(text[at - 1] ?? '') && !WORD.test(text[at + name.length] ?? '')
    // `$` and `@` precede names in some languages, and are part of them in others.
    if ((isWhole || /[$@]/.test(text[at - 1] ?? '')) && isWanted(at)) return true
  }
  return false
}
