interface Elision {
  /** 1-based line of the text. */
  readonly line: number
  readonly text: string
}

/**
 * Finds a line that stands for omitted code ("// ... rest unchanged"), which would delete that code if written. Only
 * whole comment lines count. Ignores as many as the previous text already has. In prose a hash starts a heading and a
 * lone ellipsis is ordinary.
 */
export function findElision(
  text: string,
  previous = '',
  { prose = false, dots = false }: { readonly prose?: boolean; readonly dots?: boolean } = {},
): Elision | undefined {
  // Bare dots are code in some places; when a shorter text replaces a longer one, they stand for the missing part.
  const elisions = elisionsIn(text, prose, !dots && !prose && text.length < previous.length)
  if (elisions.length === 0) return undefined
  const countsBefore = new Map<string, number>()
  for (const { text: line } of elisionsIn(previous, prose, true))
    countsBefore.set(line, (countsBefore.get(line) ?? 0) + 1)
  for (const elision of elisions) {
    const countLeft = countsBefore.get(elision.text) ?? 0
    if (countLeft === 0) return elision
    countsBefore.set(elision.text, countLeft - 1)
  }
  return undefined
}

/** Files that quote code rather than contain it. */
export const isProse = (path: string): boolean => /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|org)$/i.test(path)

/** Files in which three dots on a separate line have a meaning. */
export const hasDots = (path: string): boolean => isProse(path) || /\.(?:ya?ml|r|rmd|log|csv|tsv)$/i.test(path)

/** A line without one of these is never an elision. Checked first, since most texts have none. */
const HINT =
  /\.\.\.|…|\. \. \.|\b(?:rest|remainder|remaining|remains?|unchanged|existing|same|omitted|snip|snipped|truncated|brevity|keep|as before|no changes?|continues?|untouched|unmodified|(?:previous|original|prior) (?:code|contents?|implementation|function|file|lines?|logic|methods?|imports))\b/i

function elisionsIn(text: string, prose: boolean, bareDots: boolean): Elision[] {
  if (!HINT.test(text)) return []
  const lineElisions: Elision[] = []
  let line = 0
  let before = ''
  for (const raw of text.split('\n')) {
    line++
    const above = before
    if (bareDots && raw.length < 10_000) before = raw.trim() || above
    if (raw.length > 300 || !HINT.test(raw)) continue
    const trimmedLine = raw.trim()
    if (standsForOmitted(trimmedLine, prose) || (bareDots && isBare(trimmedLine, above)))
      lineElisions.push({ line, text: trimmedLine })
  }
  return lineElisions
}

/** Three dots alone. After these line ends they are a body in Python, the last parameter in C or an item. */
const isBare = (line: string, above: string): boolean => /^\[?\.{3}\]?$/.test(line) && !/[:,([]$|"""$|'''$/.test(above)

/** Forms of whole-line comments, longer opening first; `star` is the inside of a block comment. */
const COMMENTS: readonly RegExp[] = [
  /^\{\s*\/\*+(?<body>.*?)\*+\/\s*\}[,;]?$/,
  /^\/\*+(?<body>.*?)\*+\/[,;]?$/,
  /^<!--+(?<body>.*?)--+>$/,
  /^\{\{!(?:--)?(?<body>.*?)(?:--)?\}\}$/,
  /^\{#(?<body>.*?)#\}$/,
  /^<%(?:--|#)(?<body>.*?)(?:--)?%>$/,
  /^\(\*(?<body>.*?)\*\)$/,
  /^\{-(?<body>.*?)-\}$/,
  /^\/\/+[!]?(?<body>.*)$/,
  /^--+(?<body>.*)$/,
  /^;+(?<body>.*)$/,
  /^%+(?<body>.*)$/,
  /^'(?<body>[^']*)$/,
  /^rem\s(?<body>.*)$/i,
]
const HASH = /^#+(?<body>.*)$/
const STAR = /^\*(?<body>.*)$/

function standsForOmitted(line: string, prose: boolean): boolean {
  if (line === '…' || line === '[…]') return !prose
  const body = bodyOf(line, prose)
  if (body !== undefined) return isElided(body, { bare: !prose })
  const star = STAR.exec(line)?.groups?.['body']
  if (star !== undefined) return DOTS.test(star) && isElided(star, { bare: false })
  // Outside a comment only words in brackets or after dots count: `...rest` alone is a spread.
  const inner = /^(?:\.{3,}|…)\s*(?<dots>\S.*)$|^[[(<](?<brackets>.*)[\])>]$/.exec(line)?.groups
  const words = plain(inner?.['dots'] ?? inner?.['brackets'] ?? '')
  return words.includes(' ') && isPhrase(words)
}

function bodyOf(line: string, prose: boolean): string | undefined {
  for (const comment of COMMENTS) {
    const body = comment.exec(line)?.groups?.['body']
    if (body !== undefined) return body.trim()
  }
  return prose ? undefined : HASH.exec(line)?.groups?.['body']?.trim()
}

const DOTS = /\.{3}|…|^\. \. \.$/
const OPENING_DOTS = /^[[(<*\s-]*(?:\.{3,}|…|\. \. \.)/
const CLOSING_DOTS = /(?:\.{3,}|…|\. \. \.)[\])>*\s-]*$/

function isElided(body: string, { bare }: { bare: boolean }): boolean {
  const words = plain(body)
  if (words === '') return bare && DOTS.test(body) && /^[\s[\](){}<>*.…-]*$/.test(body)
  if (isPhrase(words.replace(/^(?:todo|fixme) /, ''))) return true
  const opens = OPENING_DOTS.test(body)
  const closes = CLOSING_DOTS.test(body)
  if (/^(?:todo|fixme|xxx|hack|note)\b/.test(words)) return false
  if (opens && closes) return true
  if (!opens && !closes && !/^[[(<].*[\])>]$/.test(body)) return false
  return isPartPhrase(words) || (opens && isShortNoun(words))
}

/** Lower case, without dots, brackets and other punctuation. */
const plain = (body: string): string =>
  body
    .toLowerCase()
    .replaceAll(/[^a-z0-9_'’$.-]+/g, ' ')
    .replaceAll(/\.(?![a-z0-9_])|(?<![a-z0-9_])\./g, ' ')
    .replaceAll(/(?<![a-z0-9_])-+|-+(?![a-z0-9_])/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()

const NOUN =
  '(?:code|file|function|functions|method|methods|class|classes|component|components|implementation|implementations|import|imports|export|exports|body|module|script|document|content|contents|line|lines|logic|test|tests|case|cases|section|sections|config|configuration|options|fields|field|properties|props|attributes|items|entries|elements|routes|handlers|hooks|styles|rules|types|definitions|declarations|statements|parameters|arguments|members|variables|constants|setup|stuff|things|content|markup|html|jsx|template|page|program|block|blocks|part|parts|keys|values|columns|tables|steps|settings|dependencies|scripts|endpoints|helpers|constructor|data|source|table|query|object|schema|interface|struct|loop|list|array|json|yaml|css|type|suite)'
const DETERMINER =
  '(?:the |this |that |your |our |my |its |all |all of |of |any |every |each |other |existing |original |current |previous |remaining |entire |whole |same |above )'
const STATE =
  '(?:unchanged|(?:exactly |all |just )*the same|(?:exactly |all )*same|as before|as is|as-is|as it was|as they were|as above|here|omitted|unmodified|untouched|intact|identical|not shown|snipped|truncated|elided|no changes?|not changed|unaltered)'
const VERB =
  "(?:is |are |was |were |remains? |stays? |goes |go |continues? |left |kept |has |have |been |be |being |will |should |must |not |doesn't |does |don't |do )"
const TAIL = `(?:(?: ${VERB}*(?:${STATE}))+(?: as (?:before|above|is|the original|in the original|it was))*(?: (?:for brevity|from before|from here|here|below|above|in this file))*)`
const REST = `(?:and )?(?:the )?(?:rest|remainder)`

/** Phrases that are sufficient without dots. */
const PHRASES: readonly RegExp[] = [
  // rest of the file, the rest of your handleSubmit function stays the same
  `${REST} of ${DETERMINER}*(?:[\\w.'’$-]+ ){0,3}?${NOUN}(?: (?:goes |continues |follows )?(?:here|below))?${TAIL}?`,
  `${REST} of it${TAIL}?`,
  // rest unchanged, the rest stays the same, the rest is omitted for brevity
  `${REST}${TAIL}`,
  `${REST} (?:goes|continues|follows)(?: (?:here|below|as before))?`,
  // remaining methods unchanged, other fields stay the same, all existing imports
  `${DETERMINER}+(?:[\\w.'’$-]+ ){0,2}?${NOUN}${TAIL}`,
  `${NOUN}(?: ${NOUN})? ${VERB}*(?:unchanged|unmodified|untouched|omitted|snipped|truncated|elided|not shown|(?:remains?|stays?) (?:exactly )?the same)(?: (?:as before|for brevity|here|from before|below|above))*`,
  // everything else stays the same
  `(?:everything|all|nothing|anything) else${TAIL}`,
  `nothing else (?:changes|changed|has changed)`,
  `(?:no changes?|unchanged)(?: ${NOUN})?(?: (?:here|below|above|from here))?`,
  `(?:same|exactly the same|the same) as (?:before|the original|in the original|previously)`,
  `(?:omitted|truncated|snipped|shortened|abbreviated) for (?:brevity|clarity|space)`,
  `${NOUN} (?:omitted|truncated|snipped)(?: for (?:brevity|clarity|space))?`,
  `(?:snip|snipped)`,
  // keep existing code, leave the rest as it is
  `(?:please )?(?:keep|leave|retain|preserve|include|copy|insert|paste) ${DETERMINER}*(?:rest|remainder|existing|remaining|original|previous)(?: ${DETERMINER}*(?:[\\w.'’$-]+ ){0,2}?${NOUN})?(?:${TAIL}| as it is| as they are)?`,
  `(?:previous|original|prior) ${NOUN} (?:goes |stays |remains )?(?:here|above|below|unchanged)`,
  `existing code(?: (?:here|goes here|above|below|continues|remains|stays|unchanged))*`,
  `(?:code|file|function|implementation|method|class) continues(?: (?:here|below|as before|unchanged))*`,
].map(source => new RegExp(`^${source}$`))

const isPhrase = (words: string): boolean => words.length < 120 && PHRASES.some(phrase => phrase.test(words))

/** Phrases that need dots or brackets; without these they are headings or prose. */
const PARTS: readonly RegExp[] = [
  `${REST}`,
  `${DETERMINER}*(?:remaining|existing|other|previous|original|unchanged|same|more|additional|further|rest)(?: [\\w.'’$-]+){0,3}`,
  `(?:same|as) (?:as )?(?:above|before|below|usual)`,
  `(?:existing|unchanged|omitted|truncated|snip|snipped|same|etc|and so on|continued|more|unmodified|skipped|elided)`,
].map(source => new RegExp(`^${source}$`))

const isPartPhrase = (words: string): boolean => PARTS.some(part => part.test(words))

const SHORT_NOUN = new RegExp(
  `^(?!(?:the|and|then|but|or|so|a|an|if|for|to|with|we|it|this|that|which) )(?:[\\w.'’$-]+ ){0,3}${NOUN}$`,
)
const isShortNoun = (words: string): boolean => SHORT_NOUN.test(words)
