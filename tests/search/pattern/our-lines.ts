import type { CompiledPattern, Needs } from '../../../src/knowledge/search/pattern/types.ts'

/** `path:line:text` of each line that a compiled pattern finds in these texts. */
export function ourLines(pattern: CompiledPattern, texts: ReadonlyMap<string, Buffer>): string[] {
  const lines: string[] = []
  for (const [path, text] of texts) {
    let [line, at] = [1, 0]
    pattern.find(text, (start, end) => {
      for (; at < start; at++) if (text[at] === 10) line++
      lines.push(`${path}:${line}:${pattern.show(text, start, end)}`)
    })
  }
  return lines
}

/** Reports whether a text holds what a pattern needs. */
export function holds(text: Buffer, needs: Needs): boolean {
  if (needs === 'anything') return true
  if (needs === 'nothing') return false
  if (typeof needs === 'number') return text.includes(Buffer.from([needs >> 16, (needs >> 8) & 0xff, needs & 0xff]))
  return 'every' in needs ? needs.every.every(need => holds(text, need)) : needs.some.some(need => holds(text, need))
}
