/** Returns what `echo` or `printf` with these arguments would print; `printf` stops once that is longer than `most`. */
export function printedText(program: 'echo' | 'printf', args: readonly string[], most: number): string {
  if (program === 'printf') return formatText(args[0] === '--' ? args.slice(1) : args, most)
  const start = args.findIndex(word => !/^-[neE]+$/.test(word))
  const options = start < 0 ? args : args.slice(0, start)
  const text = start < 0 ? '' : args.slice(start).join(' ')
  // Some shells interpret escapes without an option.
  return options.some(word => word.includes('e')) ? withEscapes(text) : text.replaceAll('\\n', '\n')
}

/** Reuses the format until no values are left. */
function formatText([format = '', ...values]: readonly string[], most: number): string {
  let usedCount = 0
  let text = ''
  do {
    const before = usedCount
    text += withEscapes(format.replaceAll('%%', '\\045')).replaceAll(
      /%[-+ #0-9.]*([a-zA-Z])/g,
      (_all, kind: string) => {
        const value = values[usedCount++] ?? ''
        return kind === 'b' ? withEscapes(value) : kind === 'c' ? value.slice(0, 1) : value
      },
    )
    if (usedCount === before) break
  } while (usedCount < values.length && text.length <= most)
  return text
}

const NAMED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '', b: '', e: '', f: '\f', v: '\v' }

/** Resolves the escapes of `printf` and `echo -e` in a text. */
export const withEscapes = (text: string): string =>
  text.replaceAll(
    /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|0?([0-7]{1,3})|([a-zA-Z\\"']))/g,
    (all, hex?: string, short?: string, long?: string, octal?: string, named = '') => {
      const code = octal === undefined ? Number.parseInt(hex ?? short ?? long ?? 'x', 16) : Number.parseInt(octal, 8)
      if (Number.isNaN(code)) return NAMED[named] ?? (/[a-zA-Z]/.test(named) ? all : named)
      return code <= 0x10ffff ? String.fromCodePoint(code) : all
    },
  )
