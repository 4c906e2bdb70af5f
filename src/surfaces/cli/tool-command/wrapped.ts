export const WIDTH = 100

/** Wraps a text to fit a terminal. */
export function wrapText(text: string, width: number = WIDTH): readonly string[] {
  const lines: string[] = []
  for (const word of text.replaceAll('`', "'").split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
