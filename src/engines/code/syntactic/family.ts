import { symbolAt, type Found, type ProjectFile } from '../graph/resolve/project.ts'
import type { FileCode } from '../symbols/file-code.ts'

/** Languages that call each other's code by name. */
export const familyOf = (language: string): string =>
  language === 'java' || language === 'kotlin' ? 'jvm' : language === 'c' || language === 'cpp' ? 'c' : language

/** Whether members of a class are called in it without naming what they are called on. */
export const seesMembers = (language: string): boolean => !/^(python|go|rust|php|javascript|typescript)$/.test(language)

/** Whether a file sees what stands outside of any class in another one of its package. */
export function isOpenTo(at: Found, file: ProjectFile): boolean {
  const symbol = symbolAt(at)
  if (at.file === file || symbol?.kind === 'module') return true
  return !/^(c|cpp|swift)$/.test(file.code.language) || symbol?.exported === true
}

/** The class that Java sees what stands outside of any class in a file of Kotlin in; undefined for others. */
export function facadeOf({ path, code }: ProjectFile, packaged: string): string | undefined {
  if (code.language !== 'kotlin') return undefined
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
  return facadeIn(packaged, code.facade ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}Kt`)
}

export const facadeIn = (packaged: string, name: string): string => (packaged === '' ? name : `${packaged}.${name}`)

/** What a file is part of, in dots: what it says itself, else what its place says in its language. */
export function packageOf(path: string, { language, package: said }: FileCode): string {
  const folders = path.split('/').slice(0, -1)
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
  switch (language) {
    case 'go':
      return folders.join('.')
    case 'python':
      return (name === '__init__' ? folders : [...folders, name]).join('.')
    case 'rust':
      return (/^(mod|lib|main)$/.test(name) ? folders : [...folders, name]).filter(each => each !== 'src').join('.')
    default:
      return said ?? ''
  }
}
