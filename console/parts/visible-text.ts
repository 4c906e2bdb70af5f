/** Characters that show nothing, or change the order of those beside them. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Shows such characters as what they are, so that a text says what it seems to say. Lines stay lines. */
export const visible = (text: string): string =>
  text.replace(INVISIBLE, each =>
    each === '\n' || each === '\t' ? each : `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`,
  )

/** The same for a text that has to be one line. */
export const visibleLine = (text: string): string => visible(text).replaceAll(/\s*\n\s*/g, ' ⏎ ')
