/** A script of a component, where it stands. */
interface ComponentScript {
  readonly code: string
  readonly start: number
  readonly end: number
  /** Of its language. */
  readonly ending: string
  /** What it declares and imports is there for the template by itself. */
  readonly isSetup: boolean
  /** It runs once for all instances of a component, and its exports are those of the file. */
  readonly isModule: boolean
}

const SCRIPT = /<script(?<attributes>(?:\s[^>]*)?)>(?<code>.*?)<\/script\s*>/dgs

/** `<script module>`, and before Svelte 5 `<script context="module">`. */
const MODULE = /\s(?:module(?=[\s=]|$)|context\s*=\s*["']?module\b)/

/** The scripts of a component in a file of its own. */
export const componentScripts = (text: string): readonly ComponentScript[] =>
  Array.from(text.matchAll(SCRIPT), ({ groups, indices }) => {
    const { attributes = '', code = '' } = groups ?? {}
    const [start = 0, end = 0] = indices?.groups?.['code'] ?? []
    const ending = /\blang\s*=\s*["']?(tsx?|jsx?)/.exec(attributes)?.[1] ?? 'js'
    return { code, start, end, ending, isSetup: /\ssetup\b/.test(attributes), isModule: MODULE.test(attributes) }
  })

/** The scripts of a component as one. */
interface ScriptOnly {
  /** What they say where it stands, with everything else made blank. */
  readonly text: string
  /** Of their language. */
  readonly ending: string
  /** What a script declares and imports is there for the template by itself. */
  readonly isSetup: boolean
}

export function scriptOnly(text: string): ScriptOnly {
  const scripts = componentScripts(text)
  let [script, at] = ['', 0]
  for (const { code, start, end } of scripts) {
    script += blank(text.slice(at, start)) + code
    at = end
  }
  return {
    text: script + blank(text.slice(at)),
    // A language that has types reads what has none as well.
    ending: scripts.find(({ ending }) => ending !== 'js')?.ending ?? 'js',
    isSetup: scripts.some(({ isSetup }) => isSetup),
  }
}

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ')
