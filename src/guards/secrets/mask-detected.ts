import { detectSecrets } from './detect.ts'

/** The text with every such secret replaced by `[redacted:KIND]`. */
export const maskDetected = (text: string): string => {
  const found = detectSecrets(text)
  if (found.length === 0) return text
  let done = 0
  const pieces = found.map(({ kind, index, length }) => {
    const piece = `${text.slice(done, index)}[redacted:${kind}]`
    done = index + length
    return piece
  })
  return pieces.join('') + text.slice(done)
}
