import { languageAt } from '../../../languages/registry.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { IndexAnswer } from '../../index/types.ts'
import type { CodeParts } from '../code-parts.ts'
import { overloadName } from '../../model/overload-name.ts'
import { visibleText } from '../visible-text.ts'
import { timeLeft, type Deadline } from '../servers/deadline.ts'

const MOST_FILES = 50

/** The file that defines a name, found in the index. Throws `no_match` if none does, `ambiguous` if several do. */
export async function definingFile(parts: CodeParts, symbolName: string, deadline: Deadline): Promise<string> {
  const { index } = parts
  const dottedName = withDots(overloadName(symbolName).name)
  const plain = dottedName.slice(dottedName.lastIndexOf('.') + 1)
  const indexAnswer = await index.query(
    { by: 'symbol', value: plain },
    { limit: MOST_FILES, waitMs: timeLeft(deadline) },
  )
  const defining: string[] = []
  for (const { path } of indexAnswer.files) {
    const facts = await index.facts(path)
    const isHere = facts?.symbols.some(({ name, within }) => {
      const whole = withDots([...within, name].join('.'))
      return whole === dottedName || whole.endsWith(`.${dottedName}`)
    })
    if (isHere) defining.push(path)
  }
  // A header only declares it.
  const bodies = defining.filter(path => !languageAt(path).headers?.test(path))
  const [only, ...others] = bodies.length > 0 ? bodies : defining
  if (only === undefined)
    throw (
      computedName(symbolName) ??
      (await unreadMention(parts, symbolName, indexAnswer)) ??
      new ToolError('no_match', `Nothing in the workspace is named '${symbolName}'`, {
        hint: 'Look for it with grep, or give the file that defines it',
      })
    )
  if (others.length === 0) return only
  throw new ToolError('ambiguous', `'${symbolName}' is defined in ${others.length + 1} files`, {
    hint: `Give the right file: ${[only, ...others].join(', ')}`,
    details: { paths: [only, ...others] },
  })
}

/** The error for a name such as `[Symbol.iterator]`, which the index does not list; undefined for any other. */
export const computedName = (name: string): ToolError | undefined =>
  /\[[^\]]+\]/.test(name)
    ? new ToolError('no_match', `Members with computed names, such as '${name}', are not known by name`, {
        hint: 'Look for it with grep, and give the file that defines it',
      })
    : undefined

const MOST_NAMED = 5

/** The error in place of `no_match` if an unread file mentions the name; undefined if none does. */
export async function unreadMention(
  { root, staging, mayRead, index }: Pick<CodeParts, 'root' | 'staging' | 'mayRead' | 'index'>,
  name: string,
  { current, unparsed }: Pick<IndexAnswer, 'current' | 'unparsed'>,
): Promise<ToolError | undefined> {
  if (!current)
    return new ToolError('timeout', `The index is not complete yet, and knows nothing that is named '${name}' so far`, {
      hint: 'Give the file that defines it, or ask again: in a workspace process (toolwright up) the work continues',
    })
  const dottedName = withDots(name)
  const plain = dottedName.slice(dottedName.lastIndexOf('.') + 1)
  const { damaged } = await index.symbols(plain, { limit: 1 })
  const unreadFiles = [...unparsed, ...damaged.map(path => ({ path, why: 'it has syntax errors' }))].filter(
    ({ path }) => mayRead(path) && hasWord(visibleText(root, staging, path) ?? '', plain),
  )
  if (unreadFiles.length === 0) return undefined
  const fileTexts = unreadFiles.slice(0, MOST_NAMED).map(({ path, why }) => `${path} (${why})`)
  const more = unreadFiles.length > MOST_NAMED ? ` and ${unreadFiles.length - MOST_NAMED} more` : ''
  return new ToolError(
    unreadFiles.some(({ why }) => why.includes('longer')) ? 'timeout' : 'unavailable',
    `'${name}' may be defined in a file that could not be parsed: ${fileTexts.join(', ')}${more}`,
    { hint: 'Look for it with grep', details: { unread: unreadFiles.map(({ path }) => path) } },
  )
}

/** A name with dots in place of the language's separators: `M::A#go`, `App\Cart`. */
export const withDots = (name: string): string => name.replaceAll(/::|\\|(?<=\w)#/g, '.')

const WORD = /[\p{L}\p{N}_]/u

/** Reports whether a text contains a name, not as a part of another. */
function hasWord(text: string, name: string): boolean {
  if (name === '') return false
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + name.length]]
    const begins = !WORD.test(before) || !WORD.test(name.slice(0, 1))
    if (begins && (!WORD.test(after) || !WORD.test(name.slice(-1)))) return true
  }
  return false
}
