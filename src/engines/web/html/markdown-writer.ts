/** Puts Markdown together block by block; what opens and closes in the wrong order costs layout, never text. */
export interface MarkdownWriter {
  /** Running text; runs of white space count as one space. */
  text(text: string): void
  /** Marks such as `**`, kept as they are. */
  mark(text: string): void
  /** Ends the paragraph. What follows begins with `lead`, for example `## `. */
  block(lead?: string): void
  /** Lines that keep their spaces, as a block of their own. */
  lines(text: string): void
  /** One more line of the block before. */
  more(line: string): void
  /** A list item or a quotation begins; everything up to `leave` is inside. */
  enter(lead: string): void
  leave(): void
  /** The paragraph so far. */
  inline: string
  /** How much was written before that paragraph. */
  readonly length: number
  finish(): string
}

interface Container {
  /** On its first line, then as much space; a quotation has it on every line. */
  readonly lead: string
  begun: boolean
}

const DEEPEST = 12
/** A paragraph is broken here, so that no page makes us copy a long one over and over. */
const LONGEST = 8_192

export function createMarkdownWriter(): MarkdownWriter {
  const out: string[] = []
  const containers: Container[] = []
  let deeper = 0
  let length = 0
  let wasInside = false
  let current = ''
  let lead = ''

  const put = (lines: readonly string[]): void => {
    const fresh = containers.some(({ begun }) => !begun)
    // List items follow each other closely; anything else has a line between.
    const isTight = fresh && wasInside && containers.every(({ lead: own }) => own !== '> ')
    wasInside = containers.length > 0
    const joined = lines.map((line, at) => (prefix(containers, at === 0) + line).trimEnd()).join('\n')
    const piece = `${out.length === 0 ? '' : isTight ? '\n' : '\n\n'}${joined}`
    out.push(piece)
    length += piece.length
  }
  const flush = (): void => {
    const text = current.trim()
    const head = lead
    current = ''
    lead = ''
    if (text !== '') put(`${head}${text}`.split('\n').map(line => line.trim()))
  }
  return {
    text(text) {
      if (current.length > LONGEST) flush()
      const tidy = text.replace(/[\s\u00a0]+/g, ' ')
      current += tidy.startsWith(' ') && /(^|\s)$/.test(current.slice(-1)) ? tidy.slice(1) : tidy
    },
    mark(text) {
      current += text
    },
    block(next = '') {
      flush()
      lead = next
    },
    lines(text) {
      flush()
      put(text.split('\n'))
    },
    more(line) {
      out.push(`\n${prefix(containers, false)}${line}`)
      length += out.at(-1)?.length ?? 0
    },
    enter(own) {
      flush()
      if (containers.length < DEEPEST) containers.push({ lead: own, begun: false })
      else deeper++
    },
    leave() {
      flush()
      if (deeper > 0) deeper--
      else containers.pop()
    },
    get inline() {
      return current
    },
    set inline(text) {
      current = text
    },
    get length() {
      return length
    },
    finish() {
      flush()
      return out.join('')
    },
  }
}

function prefix(containers: readonly Container[], isFirst: boolean): string {
  let text = ''
  for (const container of containers) {
    const { lead, begun } = container
    text += lead === '> ' || (isFirst && !begun) ? lead : ' '.repeat(lead.length)
    if (isFirst) container.begun = true
  }
  return text
}
