import type { Claim } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { isReference } from '../../kernel/reference.ts'
import { isCanonical, parentOf } from './path.ts'
import type { OtherNames } from './other-names/create-other-names.ts'
import type { FollowedLink } from './resolved-path.ts'
import type { Root } from './root.ts'
import { createStaging, type Staging } from './staging.ts'
import { createView } from './view.ts'

const NOTHING = createStaging()

/**
 * Returns claims with file paths resolved in the staged workspace, and with the other names of each place. Notes which
 * writes would create their file, however that was spelled. Other claims stay unchanged.
 */
export function canonicalClaims(
  root: Root,
  staging: Staging | undefined,
  claims: readonly Claim[],
  places?: OtherNames,
): readonly Claim[] {
  if (claims.length === 0) return claims
  places?.begin(staging)
  const view = createView(root, staging ?? NOTHING)
  const find = (path: string, link: boolean) =>
    view.look(path, { link }, ({ located, seen, type }) => ({
      rel: located.rel,
      links: located.links,
      isFile: type === 'file',
      isAbsent: type === 'absent',
      isDirectory: type === 'directory',
      isOnDisk: seen.type === 'disk',
    }))
  const below = (above: string, path: string): ReturnType<typeof find> => {
    const { rel, links } = find(above, true)
    const place = rel + path.slice(above.length)
    return { rel: place, links, isFile: false, isAbsent: true, isDirectory: false, isOnDisk: false }
  }
  const locate = (path: string, link: boolean): ReturnType<typeof find> => {
    try {
      return find(path, link)
    } catch (error) {
      const above = error instanceof ToolError && error.code === 'not_a_directory' ? givesWay(path, claims) : undefined
      if (above === undefined) throw error
      return below(above, path)
    }
  }
  const names = new Set(claims.flatMap(claim => (isName(claim) ? [claim.resource] : [])))
  /** Returns the highest claimed name above this one that is no directory: a link there is replaced, not followed. */
  const replacedAbove = (path: string): string | undefined => {
    let highest: string | undefined
    for (let at = parentOf(path); at !== '.'; at = parentOf(at)) if (names.has(at)) highest = at
    return highest === undefined || find(highest, true).isDirectory ? undefined : highest
  }
  const locatedClaims = claims.map(claim => {
    const { action, resource, link = false } = claim
    const isOther = (action !== 'read' && action !== 'create' && action !== 'write') || resource === '**'
    if (isOther || claim.memory || (action === 'read' && isReference(resource))) return { claim }
    // A staged path is that of the name itself.
    if (claim.staged) return { claim, links: [] }
    if (!resource.endsWith('/**')) {
      const movedPath = isName(claim) && isCanonical(resource) ? replacedAbove(resource) : undefined
      const { rel, links, isFile, isAbsent, isOnDisk } =
        movedPath === undefined ? locate(resource, link) : below(movedPath, resource)
      // A name itself is only deleted, moved or restored.
      const isNew = isAbsent && action === 'write' && !link
      const canonical: Claim = { ...claim, ...(isNew && { creates: true as const }), resource: rel }
      return { claim: canonical, links, isSeen: isFile && isOnDisk && action === 'read' }
    }
    const { rel, links, isFile } = locate(resource.slice(0, -3), link)
    // A claim to read that names an existing file means only this file.
    return { claim: { ...claim, resource: action === 'read' && isFile ? rel : `${rel}/**` }, links }
  })
  for (const { claim, links } of locatedClaims) if (links) places?.near(claim.resource)
  return locatedClaims.map(({ claim, links, isSeen }) => {
    const canonical = links ? withNames(claim, links, places) : claim
    return isSeen ? noteFile(canonical) : canonical
  })
}

/** Returns claims on paths that are canonical already, with the other names of each place. */
export function namedClaims(
  places: OtherNames,
  staging: Staging | undefined,
  claims: readonly Claim[],
): readonly Claim[] {
  places.begin(staging)
  for (const { resource } of claims) places.near(resource)
  const claimsWithNames = claims.map(claim => withNames(claim, [], places))
  return claimsWithNames.every((claim, at) => claim === claims[at]) ? claims : claimsWithNames
}

/** Adds the names under which a place was asked for, the links that lead there, and the setting of git that names it. */
function withNames(claim: Claim, links: readonly FollowedLink[], places: OtherNames | undefined): Claim {
  const below = claim.resource.endsWith('/**') ? '/**' : ''
  const names = [
    ...links.map(({ at, rest }) => `${at}${rest === '' ? '' : `/${rest}`}${below}`),
    ...(places?.namesOf(claim.resource) ?? []),
  ]
  const setting = claim.action === 'read' ? undefined : places?.settingOf(claim.resource)
  if (names.length === 0 && setting === undefined) return claim
  return {
    ...claim,
    ...(names.length > 0 && { names: [...new Set(names)] }),
    ...(setting !== undefined && { setting }),
  }
}

/** A file that the same call also claims, and so may remove, can give way to a directory of its name. */
const givesWay = (path: string, claims: readonly Claim[]): string | undefined =>
  claims.find(
    ({ action, resource }) =>
      (action === 'write' || action === 'read') &&
      path.startsWith(`${resource}/`) &&
      isCanonical(path.slice(resource.length + 1)),
  )?.resource

const isName = ({ action, link }: Claim): boolean => action === 'write' && link === true

/** Claims on paths that were regular files, and when. */
const lookedAt = new WeakMap<Claim, number>()

/** No more lies between two looks of one call, so a file that was not replaced then was hardly replaced now. */
const MOMENT_MS = 20

function noteFile(claim: Claim): Claim {
  lookedAt.set(claim, Date.now())
  return claim
}

/** Reports whether one of these claims is to read this path, and found a regular file there a moment ago. */
export const isSeenFile = (claims: readonly Claim[], path: string): boolean =>
  claims.some(claim => claim.resource === path && claim.action === 'read' && isRecent(lookedAt.get(claim)))

const isRecent = (at: number | undefined): boolean => at !== undefined && Math.abs(Date.now() - at) < MOMENT_MS
