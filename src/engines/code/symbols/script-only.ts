const SCRIPT = /<script(?<attributes>(?:\s[^>]*)?)>(?<code>.*?)<\/script\s*>/dgs

/** The scripts of a component with everything else made empty, and the ending of their language. */
export function scriptOnly(text: string): { readonly text: string; readonly ending: string } {
  let [script, ending, at] = ['', 'js', 0]
  for (const { groups, indices } of text.matchAll(SCRIPT)) {
    const [from = 0, to = 0] = indices?.groups?.['code'] ?? []
    script += blank(text.slice(at, from)) + text.slice(from, to)
    ending = /\blang\s*=\s*["']?(tsx?|jsx?)/.exec(groups?.['attributes'] ?? '')?.[1] ?? ending
    at = to
  }
  return { text: script + blank(text.slice(at)), ending }
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, '')
