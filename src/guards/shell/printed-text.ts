/** What `echo` or `printf` with these arguments would print. */
export function printedText(program: 'echo' | 'printf', args: readonly string[]): string {
  if (program === 'printf') return formatted(args[0] === '--' ? args.slice(1) : args)
  const start = args.findIndex(word => !/^-[neE]+$/.test(word))
  const options = start < 0 ? args : args.slice(0, start)
  const text = start < 0 ? '' : args.slice(start).join(' ')
  // Some shells read the line end without being told to.
  return options.some(word => word.includes('e')) ? withEscapes(text) : text.replaceAll('\\n', '\n')
}

const MAX_ROUNDS = 200

/** The format is used again for as long as there are values left. */
function formatted([format = '', ...values]: readonly string[]): string {
  const left = [...values]
  let text = ''
  for (let round = 0; round === 0 || (left.length > 0 && round < MAX_ROUNDS); round++) {
    const before = left.length
    text += withEscapes(format.replaceAll('%%', '\\045')).replaceAll(
      /%[-+ #0-9.]*([a-zA-Z])/g,
      (_all, kind: string) => {
        const value = left.shift() ?? ''
        return kind === 'b' ? withEscapes(value) : kind === 'c' ? value.slice(0, 1) : value
      },
    )
    if (left.length === before) break
  }
  return text
}

const NAMED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '', b: '', e: '', f: '\f', v: '\v' }

/** The text with the escapes of `printf` and `echo -e` in it resolved. */
export const withEscapes = (text: string): string =>
  text.replaceAll(
    /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|0?([0-7]{1,3})|([a-zA-Z\\"']))/g,
    (all, hex?: string, short?: string, long?: string, octal?: string, named = '') => {
      const code = octal === undefined ? Number.parseInt(hex ?? short ?? long ?? 'x', 16) : Number.parseInt(octal, 8)
      if (Number.isNaN(code)) return NAMED[named] ?? (/[a-zA-Z]/.test(named) ? all : named)
      return code <= 0x10ffff ? String.fromCodePoint(code) : all
    },
  )
