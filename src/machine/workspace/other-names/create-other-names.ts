import type { BigIntStats } from 'node:fs'
import { join as absolute } from 'node:path'
import type { PlaceNames } from '../../../kernel/place-names.ts'
import { real } from '../git-directory.ts'
import { below, join, parentOf, segmentsOf } from '../path.ts'
import type { Root } from '../root.ts'
import { createStaging, type Staging } from '../staging.ts'
import { createView, type View } from '../view.ts'
import type { GitPlace } from './git-places.ts'
import { createNearbyLinks } from './nearby-links.ts'

export interface NameParts {
  readonly root: Root
  /** Returns the places that git's settings name, given the repositories inside the workspace. */
  readonly gitPlaces: (nested: readonly string[]) => readonly GitPlace[]
  /** Reports whether a rule asks or denies something at this path or below it, or it is protected. */
  readonly matters: (path: string) => boolean
  readonly isProtected: (path: string) => boolean
  /** Returns the files that rules deny, as the stored list of files knows them, with their inodes. */
  readonly guarded: () => readonly { readonly path: string; readonly ino: number }[]
}

/** Knows which links of a workspace, and which settings of git, lead to a path. */
export interface OtherNames extends PlaceNames {
  /** Looks at everything again from here on, as it is with these changes. */
  begin(staging: Staging | undefined): void
  /** Looks at the directories around a path too. */
  near(path: string): void
}

/** A link or a setting that leads to a place. */
interface Lead {
  readonly name: string
  /** Leads to everything below the place too. */
  readonly isWhole: boolean
}

type Leads = ReadonlyMap<string, readonly Lead[]>

export function createOtherNames({ root, gitPlaces, matters, isProtected, guarded }: NameParts): OtherNames {
  const onDisk = createView(root, createStaging())
  const links = createNearbyLinks(onDisk, isProtected)
  let view = onDisk
  let stagedLinks: readonly string[] = []
  let linkLeads: Leads | undefined
  let settingLeads: Leads | undefined
  let guardedByInode: ReadonlyMap<number, readonly string[]> | undefined
  return {
    begin(staging) {
      links.begin()
      guardedByInode = undefined
      linkLeads = undefined
      settingLeads = undefined
      view = staging === undefined || staging.isEmpty() ? onDisk : createView(root, staging)
      stagedLinks = staging?.entries().flatMap(([path, { state }]) => (state.type === 'symlink' ? [path] : [])) ?? []
    },
    near(path) {
      if (!links.near(path)) return
      linkLeads = undefined
      settingLeads = undefined
    },
    namesOf: path => [
      ...new Set([
        ...leadsTo((linkLeads ??= leadingLinks()), path, (name, rest) => join(name, rest)),
        ...hardLinksTo(path),
      ]),
    ],
    settingOf: path => leadsTo((settingLeads ??= leadingSettings()), path, name => name)[0],
  }

  /** Returns the guarded files that are the file at a path. Looks at no file while there are none. */
  function hardLinksTo(path: string): readonly string[] {
    guardedByInode ??= byInode(guarded())
    if (guardedByInode.size === 0) return []
    const stats = statsAt(path)
    if (!stats?.isFile() || stats.nlink < 2n) return []
    return (guardedByInode.get(Number(stats.ino)) ?? []).filter(other => {
      const otherStats = other === path ? undefined : statsAt(other)
      return otherStats?.ino === stats.ino && otherStats.dev === stats.dev
    })
  }

  function statsAt(path: string): BigIntStats | undefined {
    try {
      const location = root.resolve(path, { link: true })
      location.release()
      return location.rel === path ? location.stats : undefined
    } catch {
      return undefined
    }
  }

  function leadingLinks(): Leads {
    links.near('.')
    return leadsBy(add => {
      for (const name of new Set([...links.nearby().links, ...stagedLinks])) {
        const way = matters(name) ? wayTo(view, name) : undefined
        if (way === undefined || way.links.length === 0) continue
        add(way.place, { name, isWhole: true })
        for (const at of way.links) if (at !== name) add(at, { name, isWhole: false })
      }
    })
  }

  function leadingSettings(): Leads {
    links.near('.')
    const repositories = links.nearby().repositories.filter(path => path !== '.')
    return leadsBy(add => {
      for (const { path, setting: name, isFile } of gitPlaces(repositories.map(each => absolute(root.path, each)))) {
        const rel = inside(path)
        const way = rel === undefined ? undefined : wayTo(view, rel)
        if (way === undefined || way.place === '.') continue
        for (const at of way.links) add(at, { name, isWhole: false })
        if (!isFile || !way.isDirectory) add(way.place, { name, isWhole: !isFile })
      }
    })
  }

  /** Returns a path of the machine relative to the root; undefined if it leads elsewhere. */
  function inside(path: string): string | undefined {
    const rest = below(segmentsOf(path), root.path) ?? below(segmentsOf(real(path) ?? ''), root.path)
    return rest?.join('/') || undefined
  }
}

function byInode(files: readonly { readonly path: string; readonly ino: number }[]): ReadonlyMap<number, string[]> {
  const paths = new Map<number, string[]>()
  for (const { path, ino } of files) paths.set(ino, [...(paths.get(ino) ?? []), path])
  return paths
}

function leadsBy(collect: (add: (place: string, lead: Lead) => void) => void): Leads {
  const leadsByPlace = new Map<string, Lead[]>()
  collect((place, lead) => leadsByPlace.set(place, [...(leadsByPlace.get(place) ?? []), lead]))
  return leadsByPlace
}

/** Returns what leads to a path, or to a directory around it, given the rest of the path from there. */
function leadsTo(leads: Leads, path: string, spell: (name: string, rest: string) => string): readonly string[] {
  if (leads.size === 0) return []
  const names: string[] = []
  for (let at = path, rest = ''; ; at = parentOf(at)) {
    for (const { name, isWhole } of leads.get(at) ?? [])
      if (rest === '') names.push(name)
      else if (isWhole) names.push(spell(name, rest))
    if (at === '.') return names
    const last = at.slice(at.lastIndexOf('/') + 1)
    rest = rest === '' ? last : `${last}/${rest}`
  }
}

interface Way {
  readonly place: string
  /** Links on the way. */
  readonly links: readonly string[]
  readonly isDirectory: boolean
}

/** Returns where a name leads; undefined if it leads nowhere or out of the workspace. */
function wayTo(view: View, name: string): Way | undefined {
  try {
    return view.look(name, {}, ({ located, type }) => ({
      place: located.rel,
      links: located.links.map(({ at }) => at),
      isDirectory: type === 'directory',
    }))
  } catch {
    return undefined
  }
}
