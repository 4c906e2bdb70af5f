/** The scripts of a component. */
export interface ScriptOnly {
  /** What they say where it stands, with everything else made blank. */
  readonly text: string
  /** Of their language. */
  readonly ending: string
  /** What a script declares and imports is there for the template by itself. */
  readonly isSetup: boolean
}

const SCRIPT = /<script(?<attributes>(?:\s[^>]*)?)>(?<code>.*?)<\/script\s*>/dgs

export function scriptOnly(text: string): ScriptOnly {
  let [script, ending, at, isSetup] = ['', 'js', 0, false]
  for (const { groups, indices } of text.matchAll(SCRIPT)) {
    const [from = 0, to = 0] = indices?.groups?.['code'] ?? []
    const attributes = groups?.['attributes'] ?? ''
    script += blank(text.slice(at, from)) + text.slice(from, to)
    ending = /\blang\s*=\s*["']?(tsx?|jsx?)/.exec(attributes)?.[1] ?? ending
    isSetup ||= /\ssetup\b/.test(attributes)
    at = to
  }
  return { text: script + blank(text.slice(at)), ending, isSetup }
}

const blank = (text: string): string => text.replaceAll(/[^\r\n]/g, ' ')
