import { rowsOf } from '../../scripts/docs/schema-table.ts'
import type { Contract } from '../../src/kernel/contract.ts'
import { inputSchema } from '../../src/kernel/json-schema.ts'
import type { Stored } from './stored.ts'

/** A tool or parameter that is announced for removal, or was removed. */
export interface Deprecation {
  /** `contract/tool`. */
  readonly tool: string
  /** Absent if the tool itself is meant. */
  readonly parameter?: string
  /** What callers do instead. */
  readonly instead: string
  /** Versions of the tool that announced it and still answered, oldest first. */
  readonly versions: readonly string[]
  /** First version of the tool without it; of a tool that is gone, its last. */
  readonly removed?: string
}

/** The version that announces it, and two more that answer. */
const ANNOUNCED_VERSIONS = 3
const MARK = '[DEPRECATED]'

interface Announcement extends Omit<Deprecation, 'versions' | 'removed'> {
  readonly version: string
  readonly isRequired: boolean
}

/** What descriptions announce: a mark at their beginning, then what to do instead. */
const announcementsOf = (contracts: readonly Contract<never>[]): readonly Announcement[] =>
  contracts.flatMap(({ id, tools }) =>
    tools.flatMap(tool => {
      const named = { tool: `${id}/${tool.name}`, version: tool.version }
      const parameters = rowsOf(inputSchema(tool)).map(({ name, about, required }) => ({
        parameter: name,
        about,
        isRequired: required,
      }))
      return [{ about: tool.description, isRequired: false }, ...parameters]
        .filter(({ about }) => about.startsWith(MARK))
        .map(({ about, ...what }) => ({ ...named, ...what, instead: about.slice(MARK.length).trim() }))
    }),
  )

const isSame = (one: Omit<Deprecation, 'versions'>, other: Omit<Deprecation, 'versions'>): boolean =>
  one.tool === other.tool && one.parameter === other.parameter && one.removed === other.removed

/** Returns the record of deprecations with what these contracts announce, answer or have removed. */
export function recordDeprecations(
  before: readonly Deprecation[],
  contracts: readonly Contract<never>[],
  { stored, now }: { readonly stored: Stored; readonly now: Stored },
): readonly Deprecation[] {
  const announcements = announcementsOf(contracts)
  const gone = before.flatMap((entry): Deprecation[] => {
    if (entry.removed !== undefined) return [entry]
    if (announcements.some(one => isSame(one, entry))) return []
    const tool = now[entry.tool]
    const isThere = tool && (entry.parameter === undefined || parametersOf(tool.input).includes(entry.parameter))
    // Withdrawn.
    if (isThere) return []
    return [{ ...entry, removed: (tool ?? stored[entry.tool])?.version ?? '' }]
  })
  const announced = announcements.map((announcement): Deprecation => {
    const { version, isRequired: _, ...entry } = announcement
    const earlier = before.find(one => isSame(one, entry))?.versions ?? []
    return { ...entry, versions: [...new Set([...earlier, version])] }
  })
  return [...gone, ...announced]
}

/** Returns what is wrong with the announcements of these contracts, given what was announced before. */
export const judgeAnnouncements = (
  before: readonly Deprecation[],
  contracts: readonly Contract<never>[],
  stored: Stored,
): readonly string[] =>
  announcementsOf(contracts).flatMap(({ version, isRequired, ...entry }) => {
    const name = entry.parameter === undefined ? entry.tool : `${entry.tool}: '${entry.parameter}'`
    const isNew = !before.some(one => isSame(one, entry))
    return [
      ...(isRequired ? [`${name} is deprecated and required: no caller could leave it out`] : []),
      ...(entry.instead === '' ? [`${name} is deprecated, and its description does not say what to do instead`] : []),
      ...(isNew && stored[entry.tool]?.version === version
        ? [`${name} is deprecated, and the version is still ${version}`]
        : []),
    ]
  })

/** Reports whether it was announced, and answered for two more versions. */
export const mayGo = (deprecations: readonly Deprecation[], tool: string, parameter?: string): boolean =>
  deprecations.some(
    one => one.tool === tool && one.parameter === parameter && one.versions.length >= ANNOUNCED_VERSIONS,
  )

export const parametersOf = (input: Parameters<typeof rowsOf>[0]): readonly string[] =>
  rowsOf(input).map(({ name }) => name)
