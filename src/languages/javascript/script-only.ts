/** A script of a component with its offsets. */
interface ComponentScript {
  readonly code: string
  readonly start: number
  readonly end: number
  /** The extension of its language. */
  readonly ending: string
  /** The template sees its declarations and imports directly. */
  readonly isSetup: boolean
  /** It runs once for all instances of a component, and its exports are those of the file. */
  readonly isModule: boolean
}

const SCRIPT = /<script(?<attributes>(?:\s[^>]*)?)>(?<code>.*?)<\/script\s*>/dgs

/** `<script module>`, and before Svelte 5 `<script context="module">`. */
const MODULE = /\s(?:module(?=[\s=]|$)|context\s*=\s*["']?module\b)/

/** The scripts of a single-file component. */
export const componentScripts = (text: string): readonly ComponentScript[] =>
  Array.from(text.matchAll(SCRIPT), ({ groups, indices }) => {
    const { attributes = '', code = '' } = groups ?? {}
    const [start = 0, end = 0] = indices?.groups?.['code'] ?? []
    const ending = /\blang\s*=\s*["']?(tsx?|jsx?)/.exec(attributes)?.[1] ?? 'js'
    return { code, start, end, ending, isSetup: /\ssetup\b/.test(attributes), isModule: MODULE.test(attributes) }
  })

/** The scripts of a component as one. */
interface ScriptOnly {
  /** The scripts at their offsets, with everything else blanked. */
  readonly text: string
  /** The extension of their language. */
  readonly ending: string
  /** The template sees a script's declarations and imports directly. */
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
    // A typed language also reads untyped code.
    ending: scripts.find(({ ending }) => ending !== 'js')?.ending ?? 'js',
    isSetup: scripts.some(({ isSetup }) => isSetup),
  }
}

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ')
