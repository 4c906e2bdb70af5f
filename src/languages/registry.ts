import { c } from './c/c.ts'
import { cpp } from './cpp/cpp.ts'
import { csharp } from './csharp/csharp.ts'
import { go } from './go/go.ts'
import { java } from './java/java.ts'
import { javascript } from './javascript/javascript.ts'
import { kotlin } from './kotlin/kotlin.ts'
import type { Language } from './language.ts'
import { php } from './php/php.ts'
import { python } from './python/python.ts'
import { ruby } from './ruby/ruby.ts'
import { rust } from './rust/rust.ts'
import { styles } from './styles/styles.ts'
import { svelte } from './svelte/svelte.ts'
import { swift } from './swift/swift.ts'
import { typescript } from './typescript/typescript.ts'
import { vue } from './vue/vue.ts'

/** Every language: a new one is added here, and nowhere else. */
export const LANGUAGES: readonly Language[] = [
  typescript,
  javascript,
  vue,
  svelte,
  python,
  c,
  cpp,
  go,
  rust,
  java,
  kotlin,
  csharp,
  ruby,
  php,
  swift,
  ...styles,
]

const BY_NAME = new Map(LANGUAGES.map(each => [each.name, each]))
const BY_EXTENSION = new Map(LANGUAGES.flatMap(each => each.extensions.map(extension => [extension, each] as const)))

const UNKNOWN: Language = { name: '', extensions: [] }

/** The language of this name; one of which nothing is known if there is none. */
export const languageNamed = (name: string | undefined): Language => BY_NAME.get(name ?? '') ?? UNKNOWN

/** The extension of a file in lower case, without the dot; empty if there is none. */
export function extensionOf(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') ? path.slice(dot + 1).toLowerCase() : ''
}

/** The language of a file by its extension; one of which nothing is known if there is none. */
export const languageAt = (path: string): Language => BY_EXTENSION.get(extensionOf(path)) ?? UNKNOWN

/** The name of a language as people write it. */
export const titleOf = ({ title, name }: Language): string =>
  title ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`

/** The name of the language of a file; undefined if it is unknown. */
export function languageOf(path: string): string | undefined {
  const { name } = languageAt(path)
  return name === '' ? undefined : name
}

/** The name shared by languages that call each other's code by name. */
export const familyOf = (name: string): string => languageNamed(name).family ?? name

/** Reports whether files see each other's names. */
export const isSameFamily = (one: string, other: string): boolean =>
  familyOf(languageAt(one).name) === familyOf(languageAt(other).name)

/** Reports whether a language is read by the script parser: its files see each other only through path imports. */
export const isScript = (name: string | undefined): boolean => languageNamed(name).parser === 'script'

/** Reports whether a file is a script or a component with scripts. */
export const isScripted = (path: string): boolean => languageAt(path).parser === 'script'

/** Reports whether a file is a script, and no component. */
export const isScriptFile = (path: string): boolean => isScripted(path) && !isComponentFile(path)

/** Reports whether a file is a single-file component, with markup around its scripts. */
export const isComponentFile = (path: string): boolean => languageAt(path).isComponent === true

/** The parser of a language: the script parser, tree-sitter, or undefined if it has no code. */
export const readerOf = (name: string): Language['parser'] => languageNamed(name).parser
