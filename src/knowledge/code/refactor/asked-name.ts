/** A symbol as it is asked for. */
export interface AskedName {
  readonly name: string
  /** What its declaration says before the name: `get Cart.size`, `type Cart`. */
  readonly word?: string
}

const WORDS = 'get|set|type|interface|class|namespace|module|enum|function|const|let|var'
const WORDED = new RegExp(`^(?:(?<outer>[^\\s]+\\.)?(?<word>${WORDS}) )(?<name>\\S+)$`)

/** `get Cart.size` and `Cart.get size` are the same. */
export function askedName(symbol: string): AskedName {
  const { outer = '', word, name } = WORDED.exec(symbol)?.groups ?? {}
  return word === undefined ? { name: symbol } : { name: `${outer}${name}`, word }
}

const LAST = new RegExp(`\\b(${WORDS})\\b[\\s*]*$`)

/** What a declaration says before its name, where that tells it from another of the same name. */
export const wordBefore = (text: string, { headAt, nameAt }: { readonly headAt: number; readonly nameAt: number }) =>
  LAST.exec(text.slice(headAt, nameAt))?.[1]
