/** The named ones that pages use; others stay as they are written. */
const NAMED: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'amp& lt< gt> quot" apos\' nbsp\u00a0 copy© reg® trade™ hellip… mdash— ndash– lsquo‘ rsquo’ ldquo“ rdquo” sbquo‚ bdquo„ laquo« raquo» ' +
    'lsaquo‹ rsaquo› bull• middot· times× divide÷ plusmn± minus− deg° sect§ para¶ microµ euro€ pound£ yen¥ cent¢ curren¤ iexcl¡ iquest¿ ' +
    'larr← rarr→ uarr↑ darr↓ harr↔ rArr⇒ lArr⇐ hArr⇔ le≤ ge≥ ne≠ equiv≡ asymp≈ infin∞ radic√ sum∑ prod∏ int∫ part∂ nabla∇ isin∈ forall∀ exist∃ ' +
    'frac12½ frac14¼ frac34¾ sup1¹ sup2² sup3³ ordfª ordmº not¬ macr¯ acute´ cedil¸ uml¨ brvbar¦ dagger† Dagger‡ permil‰ prime′ Prime″ check✓ ' +
    'agraveà aacuteá acircâ atildeã aumlä aringå aeligæ ccedilç egraveè eacuteé ecircê eumlë igraveì iacuteí icircî iumlï ' +
    'ntildeñ ograveò oacuteó ocircô otildeõ oumlö oslashø ugraveù uacuteú ucircû uumlü yacuteý szligß ' +
    'AgraveÀ AacuteÁ AcircÂ AumlÄ AringÅ AEligÆ CcedilÇ EgraveÈ EacuteÉ EcircÊ IacuteÍ NtildeÑ OacuteÓ OumlÖ OslashØ UacuteÚ UumlÜ ' +
    'alphaα betaβ gammaγ deltaδ epsilonε lambdaλ muμ piπ sigmaσ tauτ phiφ omegaω DeltaΔ SigmaΣ OmegaΩ lbrace{ rbrace} lbrack[ rbrack] lpar( rpar) ' +
    'colon: semi; comma, period. num# dollar$ percnt% ast* plus+ equals= lowbar_ grave` vert| sol/ bsol\\ excl! quest? commat@ Tab\t NewLine\n'
  )
    .split(' ')
    .map(entry => [entry.slice(0, -1), entry.slice(-1)]),
)
/** Numbers that old pages take from Windows and that mean controls elsewhere. */
const WINDOWS = new TextDecoder('windows-1252')

/** Text with its character references replaced. */
export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,30}));?/gi, (whole, hex, decimal, name) => {
        if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
        if (decimal !== undefined) return characterOf(Number(decimal))
        return (Object.hasOwn(NAMED, name) ? NAMED[name] : undefined) ?? whole
      })
    : text

function characterOf(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS.decode(Uint8Array.of(code))
  return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code)
}
