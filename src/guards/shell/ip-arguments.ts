import type { Concern } from './concern.ts'
import { literalOf, type Word } from './script.ts'

const OPTION = /^-(4|6|0|br|brief|j|json|p|pretty|s|stats|statistics|d|details|c|color|o|oneline|t|N|V|Version)$/
const THING =
  /^(a|ad|add|addr|address|l|li|link|r|ro|rou|rout|route|n|ne|nei|neigh|ru|rule|maddr|maddress|tunnel|netns|addrlabel)$/
const SHOWS = /^(s|sh|sho|show|l|li|lis|list|lst|ls|g|ge|get)$/

/** Showing is covered; changes, other namespaces and files of commands are not. */
export function ip(words: readonly Word[]): readonly Concern[] {
  const texts = words.map(word => literalOf(word))
  let at = 1
  while (texts[at]?.startsWith('-')) {
    if (!OPTION.test(texts[at] ?? '')) return [{ at, what: `the option ${texts[at]} is not known to be harmless` }]
    at++
  }
  const [thing = '', verb] = texts.slice(at)
  if (at === words.length) return []
  if (!THING.test(thing)) return [{ at, what: `'ip ${thing}' is not known to be harmless` }]
  if (verb !== undefined && !SHOWS.test(verb))
    return [{ at: at + 1, what: `'ip ${thing} ${verb}' may change something` }]
  return texts.flatMap((text, index) => (text === undefined ? [{ at: index, what: 'an argument is not known' }] : []))
}
