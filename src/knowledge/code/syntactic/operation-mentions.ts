import { modulePath } from '../../../languages/file-model/path-kind.ts'
import { languageAt } from '../../../languages/registry.ts'
import { wordOf } from '../../../languages/file-model/word-of.ts'
import type { Operation } from '../../model/usage/operations.ts'
import type { Usage } from '../../../languages/file-model/usage.ts'
import { askParser } from '../../parser/ask-parser.ts'
import { heldNames, heldPlaces } from '../callers/operations/held-classes.ts'
import { inOrder, shownPlaces } from '../callers/places.ts'
import type { Callers, PossibleCall } from '../types.ts'
import { LEAST_FILES } from './read-project.ts'

interface Source {
  readonly path: string
  readonly text: string
}

interface Mention {
  readonly path: string
  readonly line: number
  readonly usage: Usage
}

const CONSTRUCTOR = /^__(init|new|post_init)__$/

/** Adds other places where the language may call a function: classes passed as values, attribute reads, lookups by name. */
export async function withMentions(
  answer: Callers,
  texts: ReadonlyMap<string, string>,
  isEnough: () => boolean = () => false,
): Promise<Callers> {
  const { target } = answer
  if (!languageAt(target.path).readsClasses) return answer
  const holder = target.within.at(-1)
  const isMade = target.kind === 'class' || (holder !== undefined && CONSTRUCTOR.test(target.name))
  const reportedLines = new Set(
    [...answer.callers.filter(({ depth }) => depth === 1), ...answer.possible].map(
      ({ path, line }) => `${path}:${line}`,
    ),
  )
  const possible: PossibleCall[] = [...answer.possible]
  const unknown = new Set(answer.unknown)
  const strings: Mention[] = []
  let isAccessor = false
  const name = isMade && target.kind !== 'class' ? (holder ?? target.name) : target.name
  let fileCount = 0
  for (const [path, text] of texts) {
    if (!text.includes(name)) continue
    if (fileCount++ >= LEAST_FILES && isEnough()) {
      unknown.add('Not every file that mentions it was looked through in time')
      break
    }
    await look({ path, text })
  }
  if (strings.length > 0) unknown.add(`It is looked up by its name as a string: ${shownPlaces(strings)}`)
  if (isMade) heldClasses()
  if (!isMade && !target.name.startsWith('__')) await computedNames()
  return {
    ...answer,
    possible: inOrder(possible),
    unknown: [...unknown],
    partial: possible.length > 0 || unknown.size > 0,
  }

  async function look(source: Source): Promise<void> {
    const mentions = await mentionsOf(name, source)
    const isIn = ({ path, line }: Mention) => path === target.path && line >= target.from && line <= target.to
    const declaration = mentions.find(each => each.usage.role === 'declaration' && isIn(each))?.usage.declares
    for (const each of declaration?.decorators ?? []) unknown.add(`${each}, which decorates it, may call it`)
    isAccessor ||= declaration?.isAccessor === true
    const isImported = mentions.some(({ usage }) => usage.role === 'import')
    for (const mention of mentions) {
      const { role, receiver } = mention.usage
      if (role === 'named') strings.push(mention)
      if (role === 'value' && isMade) add(mention, 'the class is passed as a value')
      else if (role === 'call' && receiver === undefined && isImported)
        add(mention, 'imported, and bound to something else')
      else if (isAccessor && receiver !== undefined && role !== 'declaration')
        add(mention, 'read on a receiver of unknown type')
    }
  }

  function add({ path, line, usage: { by } }: Mention, why: string): void {
    if (reportedLines.has(`${path}:${line}`)) return
    reportedLines.add(`${path}:${line}`)
    possible.push({ name: by?.name ?? '<module>', path, line, why })
  }

  /** Calls by names that may hold the class, in files that mention it or a class that it derives from. */
  function heldClasses(): void {
    const names = heldNames(texts.values())
    const places = [...texts].flatMap(([path, text]) =>
      text.includes(name) ? heldPlaces(text, names).map(at => ({ path, line: lineAt(text, at) })) : [],
    )
    const open = places.filter(({ path, line }) => !reportedLines.has(`${path}:${line}`))
    if (open.length > 0) unknown.add(`Classes that are held by names may be it: ${shownPlaces(open)}`)
  }

  /** Attributes with computed names in files that mention the class or the module. */
  async function computedNames(): Promise<void> {
    const word = holder ?? modulePath(target.path).replace(/^.*\//, '')
    const places: Pick<Mention, 'path' | 'line'>[] = []
    for (const [path, text] of texts) {
      if (!text.includes('getattr') || !(path === target.path || text.includes(word))) continue
      const reply = await askParser({ job: 'operations', path, content: text, name: 'getattr' })
      for (const { at } of 'value' in reply ? (reply.value as readonly Operation[]) : [])
        places.push({ path, line: lineAt(text, at) })
    }
    if (places.length > 0) unknown.add(`Attributes with computed names may be it: ${shownPlaces(places)}`)
  }
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split(/\r\n|\n|\r/).length

async function mentionsOf(name: string, source: Source): Promise<readonly Mention[]> {
  const at = Array.from(source.text.matchAll(wordOf(name, 'gu')), ({ index }) => index)
  if (at.length === 0) return []
  const reply = await askParser({ job: 'usages', path: source.path, content: source.text, at })
  const usages = 'value' in reply ? (reply.value as readonly Usage[]) : []
  return usages.map((usage, number) => ({
    path: source.path,
    line: lineAt(source.text, at[number] ?? 0),
    usage,
  }))
}
