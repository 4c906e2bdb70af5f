/**
 * What must not reach a terminal or a log line as it is, written down apart from the product's own list: controls,
 * bidi, joiners and other zero widths, fillers, selectors, tags, line separators and lone surrogates.
 */
const RAW = new RegExp(
  [
    String.raw`[\0-\x09\x0b-\x1f\x7f-\x9f]`,
    String.raw`[\u00ad\u034f\u061c\u070f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f]`,
    String.raw`[\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]`,
    String.raw`\p{Cs}`,
  ].join('|'),
  'u',
)

const EMOJI = /\p{RGI_Emoji}/gv

/** The first character of a text that could steer or deceive a terminal, in words; line feeds are not looked at. */
export function rawCharacter(text: string): string | undefined {
  // To look for pictures takes long, and what is left of a text holds no character that is not in all of it.
  if (!RAW.test(text)) return undefined
  // The joiners and selectors of a whole emoji are part of a picture; tags, which can carry text, are not let through.
  const rest = text.replaceAll(EMOJI, picture => (/[\u{e0000}-\u{e007f}]/u.test(picture) ? picture : ''))
  const found = RAW.exec(rest)
  if (!found) return undefined
  const place = rest.slice(Math.max(0, found.index - 20), found.index + 20)
  return `U+${(found[0].codePointAt(0) ?? 0).toString(16).padStart(4, '0')} in ${JSON.stringify(place)}`
}
