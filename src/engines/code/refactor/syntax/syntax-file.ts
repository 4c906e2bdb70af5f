import { LARGEST } from '../../../index/facts/facts-of.ts'
import { languageOf } from '../../../index/facts/languages.ts'

export interface Stretch {
  readonly start: number
  readonly end: number
}

/** A symbol with its exact place in a text, in UTF-16 units. */
export interface Span extends Stretch {
  /** `Class.method` where it is in one. */
  readonly name: string
  readonly kind: string
  /** Where its name is written. */
  readonly nameAt: number
  /** Where it begins behind decorators and `export`. */
  readonly headAt: number
  /** What it holds, brackets included; of a variable its value. */
  readonly body?: Stretch
  /** The whole statement is not its own: others are declared in it too. */
  readonly shares?: true
  /** Declarations of the same name that belong to one function. */
  readonly heads?: readonly Stretch[]
}

/** What of a file is needed to change it symbol by symbol. */
export interface SyntaxFile {
  readonly spans: readonly Span[]
  readonly comments: readonly Stretch[]
  /** Texts over several lines, whose content would change with their indentation. */
  readonly literals: readonly Stretch[]
  /** The first place that does not parse. */
  readonly error?: { readonly at: number; readonly message: string }
}

/** Reads a file with exact places; undefined where nobody knows its language. */
export async function syntaxOf(path: string, text: string): Promise<SyntaxFile | undefined> {
  const language = languageOf(path)
  if (language === undefined || text.length > LARGEST) return undefined
  switch (language) {
    case 'typescript':
    case 'javascript':
      return (await import('./javascript-syntax.ts')).javascriptSyntax(path, text)
    case 'vue': {
      const { text: script, ending } = scriptOf(text)
      return (await import('./javascript-syntax.ts')).javascriptSyntax(`${path}.${ending}`, script)
    }
    case 'css':
    case 'scss':
    case 'sass':
    case 'less':
      return undefined
    default:
      return (await import('./grammar-syntax.ts')).grammarSyntax(path, language, text)
  }
}

const SCRIPT = /<script(?<attributes>(?:\s[^>]*)?)>(?<code>.*?)<\/script\s*>/dgs

/** The scripts of a component where they stand, with everything else made blank. */
function scriptOf(text: string): { readonly text: string; readonly ending: string } {
  let [script, ending, at] = ['', 'js', 0]
  for (const { groups, indices } of text.matchAll(SCRIPT)) {
    const [from = 0, to = 0] = indices?.groups?.['code'] ?? []
    script += blank(text.slice(at, from)) + text.slice(from, to)
    ending = /\blang\s*=\s*["']?(tsx?|jsx?)/.exec(groups?.['attributes'] ?? '')?.[1] ?? ending
    at = to
  }
  return { text: script + blank(text.slice(at)), ending }
}

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ')
