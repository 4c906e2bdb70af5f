import { componentScripts } from './facts/component-scripts.ts'

/** The scripts of a component as one. */
export interface ScriptOnly {
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
