import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Entries typical of a home directory, never of an installation. */
const MARKS = new Set([
  '.aws',
  '.bash_history',
  '.bash_profile',
  '.bashrc',
  '.cache',
  '.config',
  '.docker',
  '.gitconfig',
  '.gnupg',
  '.kube',
  '.local',
  '.netrc',
  '.npmrc',
  '.profile',
  '.ssh',
  '.zsh_history',
  '.zshrc',
])
const PARENTS = new Set(['/home', '/Users', '/var/home', '/export/home'])
const FIRST_PERSON = 1000
const UNMAPPED_UID = 65_534

export interface Homes {
  /** Returns the home directory that contains a path or equals it. */
  above(path: string): string | undefined
  /** Homes known without looking at a path. */
  readonly known: readonly string[]
}

/** Finds the home directories of a machine: ours, its users', and any directory that looks like one. */
export function findHomes(ownHome: string): Homes {
  const knownHomes = new Set([ownHome, '/root', ...usersHomes()])
  const lookedAt = new Map<string, boolean>()
  const looksLikeOne = (path: string): boolean => {
    const before = lookedAt.get(path)
    if (before !== undefined) return before
    const hasMark = namesIn(path).some(name => MARKS.has(name))
    lookedAt.set(path, hasMark)
    return hasMark
  }
  const above = (path: string): string | undefined => {
    if (path === '/' || dirname(path) === '/') return knownHomes.has(path) ? path : undefined
    if (knownHomes.has(path) || PARENTS.has(dirname(path)) || looksLikeOne(path)) return path
    return above(dirname(path))
  }
  return { above, known: [...knownHomes] }
}

/** Homes of people only: those of services are parts of the system. */
function usersHomes(): string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .flatMap(line => {
        const [, , uid = '', , , home = ''] = line.split(':')
        const isPerson = Number(uid) >= FIRST_PERSON && Number(uid) < UNMAPPED_UID
        return isPerson && home.startsWith('/') && home !== '/' ? [home] : []
      })
  } catch {
    return []
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
