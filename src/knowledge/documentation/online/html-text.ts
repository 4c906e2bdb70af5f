import { plainText } from '../../../machine/web/html/plain-text.ts'

/** Returns an excerpt that a source sent as HTML as one line of text. */
export const textOfHtml = (html: string): string =>
  plainText(html)
    .replace(/&#(x?)([0-9a-f]{1,6});/gi, (_, hex: string, digits: string) =>
      characterOf(parseInt(digits, hex ? 16 : 10)),
    )
    .replace(/&(?:hellip|ldquo|rdquo|lsquo|rsquo|ndash|mdash);/g, entity => MORE[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()

const characterOf = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ')

const MORE: Readonly<Record<string, string>> = {
  '&hellip;': '…',
  '&ldquo;': '“',
  '&rdquo;': '”',
  '&lsquo;': '‘',
  '&rsquo;': '’',
  '&ndash;': '–',
  '&mdash;': '—',
}
