import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** What people and their programs keep in a home directory, and nobody in an installation. */
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
const NOBODY = 65_534

export interface Homes {
  /** The home directory that a path is or lies in. */
  above(path: string): string | undefined
  /** Those that are known without a look at a path. */
  readonly known: readonly string[]
}

/** The home directories of a machine: ours, those of its users, and whatever looks like one. */
export function findHomes(own: string): Homes {
  const known = new Set([own, '/root', ...usersHomes()])
  const looked = new Map<string, boolean>()
  const looksLikeOne = (path: string): boolean => {
    const before = looked.get(path)
    if (before !== undefined) return before
    const found = namesIn(path).some(name => MARKS.has(name))
    looked.set(path, found)
    return found
  }
  const above = (path: string): string | undefined => {
    if (path === '/' || dirname(path) === '/') return known.has(path) ? path : undefined
    if (known.has(path) || PARENTS.has(dirname(path)) || looksLikeOne(path)) return path
    return above(dirname(path))
  }
  return { above, known: [...known] }
}

/** Of people, and not of services, whose homes are parts of the system. */
function usersHomes(): string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .flatMap(line => {
        const [, , uid = '', , , home = ''] = line.split(':')
        const isPerson = Number(uid) >= FIRST_PERSON && Number(uid) < NOBODY
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
