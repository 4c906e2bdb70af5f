import { foldedNames, isShortNameOf } from '../../kernel/fold-name.ts'
import { ASK_INSIDE, ASK_NAMES, ASK_PREFIXES, ASK_SUFFIXES, NEVER } from './protected-names.ts'

/** The host's settings for protected places; nothing in a repository can set them. */
export interface Protection {
  /** Protected names that the host grants to this session. */
  readonly granted?: readonly string[]
  /** The protected part of the workspace's own path, from `protectedRoot`; everything below it is protected too. */
  readonly root?: string
  /** Places in the workspace that are protected by their purpose, whatever their name. */
  readonly kept?: readonly SpecialPlace[]
  /** `process.platform`; Windows has names that mean devices. */
  readonly platform?: string
}

interface SpecialPlace {
  /** Relative to the workspace; a directory stands for everything below it. */
  readonly path: string
  readonly use: keyof typeof USES
}

const USES = {
  git: 'it is where git keeps its metadata, which can run code',
  configuration: "it is the configuration that this session's own rules come from",
} as const

export interface Protected {
  readonly verdict: 'ask' | 'deny'
  readonly rule: string
  readonly why: string
}

/**
 * Returns the protection of a path that file tools never change, or whose every change needs a person; undefined for
 * others.
 */
export function protectedPlace(path: string, protection: Protection = {}): Protected | undefined {
  const names = foldedNames(path)
  const all = protection.root === undefined ? names : [...foldedNames(protection.root), ...names]
  return deniedPlace(all, protection) ?? specialPlace(names, protection) ?? askingPlace(all)
}

/** Returns the protected part of the real path of a workspace; undefined if there is none. */
export function protectedRoot(path: string): string | undefined {
  const names = foldedNames(path)
  const at = names.findIndex(
    (name, here) => neverName(name) !== undefined || asks(name) || asksInside(name, names[here + 1]),
  )
  return at < 0 ? undefined : names.slice(at).join('/')
}

function deniedPlace(names: readonly string[], { granted = [] }: Protection): Protected | undefined {
  for (const name of names) {
    const place = neverName(name)
    if (place === undefined || granted.includes(place)) continue
    return { verdict: 'deny', rule: `builtin:${place}`, why: `${place} is protected: ${NEVER.get(place) ?? ''}` }
  }
  return undefined
}

function specialPlace(names: readonly string[], { kept = [] }: Protection): Protected | undefined {
  const keptPlace = kept.find(place => foldedNames(place.path).every((name, at) => name === names[at]))
  if (!keptPlace) return undefined
  return {
    verdict: 'deny',
    rule: `builtin:${keptPlace.use}`,
    why: `${keptPlace.path} is protected: ${USES[keptPlace.use]}`,
  }
}

function neverName(name: string): string | undefined {
  if (NEVER.has(name)) return name
  return name.includes('~') ? [...NEVER.keys()].find(long => isShortNameOf(name, long)) : undefined
}

function askingPlace(names: readonly string[]): Protected | undefined {
  for (const [at, name] of names.entries()) {
    if (!asks(name) && !asksInside(name, names[at + 1])) continue
    const why = `${name} configures an agent, an editor, a shell or an automatic task: every change to it needs approval`
    return { verdict: 'ask', rule: `builtin:${name}`, why }
  }
  return undefined
}

function asks(name: string): boolean {
  if (ASK_NAMES.has(name)) return true
  if (!/[.~]/.test(name)) return false
  if (ASK_PREFIXES.some(prefix => name.startsWith(prefix)) || ASK_SUFFIXES.some(suffix => name.endsWith(suffix)))
    return true
  return (
    name.includes('~') &&
    [...ASK_NAMES, ...ASK_INSIDE.keys()].some(long => long.startsWith('.') && isShortNameOf(name, long))
  )
}

function asksInside(name: string, next: string | undefined): boolean {
  const inside = ASK_INSIDE.get(name)
  if (!inside) return false
  return (
    next === undefined ||
    inside.some(prefix => next === prefix || next.startsWith(`${prefix}-`) || next.startsWith(`${prefix}.`))
  )
}

/** Returns why Windows would not take a path for a plain file; undefined on other systems. */
export function reservedOnWindows(path: string, platform: string | undefined): string | undefined {
  if (platform !== 'win32') return undefined
  if (/^[/\\]/.test(path)) return `'${path}' begins at a drive, a share or a device on Windows`
  return path
    .split(/[/\\]/)
    .map(reservedName)
    .find(why => why !== undefined)
}

function reservedName(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return undefined
  const stem = name.normalize('NFKC').toLowerCase().split(/[.:]/)[0]?.trimEnd() ?? ''
  if (/^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9])$/.test(stem))
    return `'${name}' means a device on Windows`
  // oxlint-disable-next-line no-control-regex
  if (/[<>:"|?*\0-\x1f]/.test(name)) return `'${name}' is no file name on Windows`
  if (/^[^ .]{1,8}~\d{1,6}(\.[^ .]{0,3})?$/.test(name))
    return `'${name}' may be the short name of another file on Windows`
  return /[. ]$/.test(name) ? `'${name}' loses its end on Windows` : undefined
}
