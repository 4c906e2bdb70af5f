/** A script of a component, where it stands. */
export interface ComponentScript {
  readonly code: string
  readonly start: number
  readonly end: number
  /** Of its language. */
  readonly ending: string
  /** What it declares and imports is there for the template by itself. */
  readonly isSetup: boolean
}

const SCRIPT = /<script(?<attributes>(?:\s[^>]*)?)>(?<code>.*?)<\/script\s*>/dgs

/** The scripts of a Vue single file. */
export const componentScripts = (text: string): readonly ComponentScript[] =>
  Array.from(text.matchAll(SCRIPT), ({ groups, indices }) => {
    const { attributes = '', code = '' } = groups ?? {}
    const [start = 0, end = 0] = indices?.groups?.['code'] ?? []
    const ending = /\blang\s*=\s*["']?(tsx?|jsx?)/.exec(attributes)?.[1] ?? 'js'
    return { code, start, end, ending, isSetup: /\ssetup\b/.test(attributes) }
  })
