/** Draws numbers in the same order in every run. */
export function drawing(seed: number): (below: number) => number {
  let state = seed >>> 0
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const WORDS =
  'order invoice basket user account session report queue worker cache sensor ticket photo album route driver budget ledger'.split(
    ' ',
  )
const VERBS = 'load save parse render fetch send update merge resolve collect open apply'.split(' ')

/** Makes the same error as another program would print it: other names and values, and a stack trace around it. */
export function variantOf(text: string, draw: (below: number) => number): string {
  const pick = (from: readonly string[]): string => from[draw(from.length)] ?? ''
  const named = (): string => `${pick(WORDS)}${draw(2) === 0 ? '' : `_${pick(WORDS)}`}`
  const message = text
    .replace(/(['"`])[\w.-]+\1/g, (_, quote: string) => `${quote}${named()}${quote}`)
    .replace(/\b[a-z]+_[a-z_]+\b/g, () => `${pick(WORDS)}_${pick(WORDS)}`)
    .replace(/(?<![\w#])\d{2,}(?![\w])/g, number =>
      String(draw(9 * 10 ** (number.length - 1)) + 10 ** (number.length - 1)),
    )
    .replace(/\.\/[\w.-]+/g, () => `./${named()}.sh`)
  return framed(message, draw, pick)
}

function framed(message: string, draw: (below: number) => number, pick: (from: readonly string[]) => string): string {
  const name = (): string => `${pick(VERBS)}${pick(WORDS).replace(/^./, letter => letter.toUpperCase())}`
  const line = (): number => draw(900) + 1
  const frames = (frame: () => string): string => Array.from({ length: 3 + draw(5) }, frame).join('\n')
  if (/\b(?:java|javax|android|org)\.[a-z]/.test(message))
    return `${message}\n${frames(() => `\tat com.${pick(WORDS)}.${pick(WORDS)}.${name()}(${name()}.java:${line()})`)}`
  if (message.startsWith('panic:'))
    return `${message}\n\ngoroutine ${line()} [running]:\n${frames(() => `main.${name()}(0x${line()})\n\t/srv/${pick(WORDS)}/${pick(WORDS)}.go:${line()} +0x1d`)}`
  if (/^(?:[a-z_]+\.)*[A-Z]\w+Error:/.test(message) && !/^(?:Type|Range|Reference|Mongo)/.test(message))
    return `Traceback (most recent call last):\n${frames(() => `  File "/srv/${pick(WORDS)}/${pick(WORDS)}.py", line ${line()}, in ${pick(VERBS)}_${pick(WORDS)}\n    return ${pick(VERBS)}(${pick(WORDS)})`)}\n${message}`
  return `${message}\n${frames(() => `    at ${name()} (/home/${pick(WORDS)}/${draw(2) === 0 ? 'src' : 'node_modules/lib'}/${pick(WORDS)}.ts:${line()}:${line()})`)}`
}
