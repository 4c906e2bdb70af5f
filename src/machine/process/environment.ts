import { fixedEnvironment } from './fixed-environment.ts'
import { gitIdentity } from './overlay/ignored-paths.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** What a command may know of our own environment; whatever else is there may be a secret. */
const PASSED_ON = ['LANG', 'LC_ALL', 'LC_CTYPE', 'LC_MESSAGES', 'TZ', 'TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR']

/** Nobody is there to turn pages, and a pager starts whatever its keys say. */
const NO_PAGER = { PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', SYSTEMD_PAGER: 'cat', LESSSECURE: '1' } as const

interface EnvironmentOptions {
  readonly root: string
  readonly env: Variables
  /** What the caller's program sets of its own accord. */
  readonly given: Readonly<Record<string, string>>
  /** Deterministic mode. */
  readonly fixed: boolean
}

/** The environment that a command starts with, besides what its sandbox adds: an allowlist, and who signs commits. */
export function environmentOf({ root, env, given, fixed }: EnvironmentOptions): Record<string, string> {
  const passed = Object.fromEntries(
    PASSED_ON.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  )
  return {
    TERM: 'dumb',
    ...NO_PAGER,
    ...(fixed ? fixedEnvironment() : passed),
    ...(fixed ? {} : identity(root, env)),
    ...given,
  }
}

const known = new Map<string, Readonly<Record<string, string>>>()

/** Their own settings are out of sight, so that git is told by variables, which what a command line says still overrides. */
function identity(root: string, env: Variables): Readonly<Record<string, string>> {
  const key = `${root}\0${env['HOME'] ?? ''}`
  const found = known.get(key) ?? variablesOf(gitIdentity(root, env))
  known.set(key, found)
  return found
}

/**
 * What a command that only reads is told besides: git writes nothing, and takes no directory for a repository that only
 * looks like one, since its configuration would name programs to run.
 */
export function readingEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const count = Number(env['GIT_CONFIG_COUNT'] ?? 0)
  return {
    ...env,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'safe.bareRepository',
    [`GIT_CONFIG_VALUE_${count}`]: 'explicit',
  }
}

const variablesOf = (settings: readonly (readonly [string, string])[]): Readonly<Record<string, string>> =>
  settings.length === 0
    ? {}
    : Object.fromEntries([
        ['GIT_CONFIG_COUNT', String(settings.length)],
        ...settings.flatMap(([name, value], at) => [
          [`GIT_CONFIG_KEY_${at}`, name],
          [`GIT_CONFIG_VALUE_${at}`, value],
        ]),
      ])
