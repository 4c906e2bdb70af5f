import { fixedEnvironment } from './fixed-environment.ts'
import { gitIdentity } from './overlay/ignored-paths.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Variables of our environment that a command receives. Any other may hold a secret. */
const PASSED_ON = ['LANG', 'LC_ALL', 'LC_CTYPE', 'LC_MESSAGES', 'TZ', 'TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR']

/** Commands run without a user to turn pages, and a pager can start other programs by key. */
const NO_PAGER = { PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', SYSTEMD_PAGER: 'cat', LESSSECURE: '1' } as const

interface EnvironmentOptions {
  readonly root: string
  readonly env: Variables
  /** Variables set by the calling program. */
  readonly given: Readonly<Record<string, string>>
  /** Deterministic mode. */
  readonly fixed: boolean
}

/** Returns a command's environment before the sandbox adds to it: an allowlist, and the identity for commits. */
export function environmentOf({ root, env, given, fixed }: EnvironmentOptions): Record<string, string> {
  const passedVariables = Object.fromEntries(
    PASSED_ON.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  )
  return {
    TERM: 'dumb',
    ...NO_PAGER,
    ...(fixed ? fixedEnvironment() : passedVariables),
    ...(fixed ? {} : identity(root, env)),
    ...given,
  }
}

const identities = new Map<string, Readonly<Record<string, string>>>()

/**
 * The user's git configuration is hidden from commands. Variables pass the identity, and the command line can still
 * override them.
 */
function identity(root: string, env: Variables): Readonly<Record<string, string>> {
  const key = `${root}\0${env['HOME'] ?? ''}`
  const variables = identities.get(key) ?? variablesOf(gitIdentity(root, env))
  identities.set(key, variables)
  return variables
}

/**
 * Adds variables for a read-only command. Git then writes nothing, and accepts no directory that only looks like a
 * repository, since its configuration would name programs to run.
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
