import type { Action } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { compileGlob, compileWithContents, type Glob } from '../glob.ts'
import { foldPath } from '../../kernel/fold-name.ts'
import type { Verdict } from '../verdict.ts'
import { compileHost } from './host-pattern.ts'
import { ensurePathSpelling, refusedText } from './foreign-spelling.ts'
import { commandParser } from './command-parser.ts'

/** How well a rule fits a claim. `near` is not enough to allow, but enough to ask if the rule denies. */
export type Fit = 'whole' | 'near' | 'none'

/** The target of a rule: an action and at most one kind of resource. */
export interface Target {
  /** `write` covers `create` too. */
  readonly action: Action | '*'
  readonly path?: string | undefined
  /** A token prefix: `git log` matches `git log --oneline`; `*` matches every command. */
  readonly command?: string | undefined
  readonly host?: string | undefined
  readonly secret?: string | undefined
}

export interface Matcher {
  readonly actions: readonly Action[]
  /** The first words of a command, empty for every command; only for commands. */
  readonly prefix?: readonly string[]
  /** Asks and denies take a word that begins like this for the last of the first words. */
  readonly lastBegins?: string
  matches(resource: string): boolean
  /**
   * Matches generously, for asks and denies: aliases of a name (its folded form), a denied program behind a wrapper,
   * any port.
   */
  touches(resource: string, folded?: string): Fit
  /** Reports whether everything below this directory matches; only for paths. */
  covers(directory: string): boolean
  /** Reports whether something below this directory could match; only for paths. */
  reaches(directory: string): boolean
  /** Reports whether the rule names something below this directory; only for paths. */
  names(directory: string): boolean
}

const FILES: readonly Action[] = ['read', 'create', 'write']

/**
 * Compiles the matcher of a rule; throws `invalid_input` if its action and its resource do not belong together, or if it
 * could match nothing. A rule that asks or denies is generous: it covers what a path that it names holds.
 */
export function compileMatcher(rule: Target, isGenerous = false): Matcher {
  const targets = [rule.path, rule.command, rule.host, rule.secret].filter(value => value !== undefined)
  if (targets.length > 1) throw new ToolError('invalid_input', 'it has more than one of path, command, host and secret')
  if (rule.path !== undefined) {
    ensurePathSpelling(rule.path)
    return pathMatcher(rule.path, actionsOf(rule.action, FILES, 'path'), isGenerous)
  }
  if (rule.command !== undefined) return commandMatcher(rule.command, actionsOf(rule.action, ['exec'], 'command'))
  if (rule.host !== undefined) return hostMatcher(rule.host, actionsOf(rule.action, ['net'], 'host'))
  if (rule.secret !== undefined) return secretMatcher(rule.secret, actionsOf(rule.action, ['reveal'], 'secret'))
  return everything(actionsOf(rule.action, [...FILES, 'exec', 'net', 'reveal'], 'resource'))
}

function actionsOf(action: Target['action'], possible: readonly Action[], kind: string): readonly Action[] {
  if (action === '*') return possible
  if (!possible.includes(action)) throw new ToolError('invalid_input', `a ${kind} does not fit the action '${action}'`)
  return action === 'write' ? ['write', 'create'] : [action]
}

function pathMatcher(path: string, actions: readonly Action[], withContents: boolean): Matcher {
  const compile = withContents ? compileWithContents : compileGlob
  const glob = compile(path)
  const foldedMatcher = foldedGlob(path, compile) ?? glob
  return {
    actions,
    matches: glob.matches,
    touches: (resource, alias = foldPath(resource)) =>
      glob.matches(resource) || foldedMatcher.matches(alias) ? 'whole' : 'none',
    covers: glob.covers,
    reaches: directory => glob.reaches(directory) || foldedMatcher.reaches(foldPath(directory)),
    names: directory => glob.names(directory) || foldedMatcher.names(foldPath(directory)),
  }
}

/** Compiles a stored glob of places that may not be read; an older version may have stored one that is no rule now. */
export const denyingMatcher = (path: string): Matcher => pathMatcher(path, ['read'], true)

/** Folds a glob; a class such as `[Z-_]` has no lower-case form. */
function foldedGlob(path: string, compile: typeof compileGlob): Glob | undefined {
  try {
    return compile(path.normalize('NFKC').toLowerCase())
  } catch {
    return undefined
  }
}

function commandMatcher(command: string, actions: readonly Action[]): Matcher {
  if (command === '*') return everything(actions)
  const { judgeCommand, readCommandPattern } = commandParser()
  const { words: prefix, lastBegins } = readCommandPattern(command)
  if (prefix.length === 0) return everything(actions)
  const judge = (verdict: Verdict, line: string, fallback: Verdict): Verdict =>
    judgeCommand(line, { rules: [{ id: command, verdict, prefix, lastBegins }], fallback }).verdict
  return {
    ...nothingBelow,
    actions,
    prefix,
    ...(lastBegins !== undefined && { lastBegins }),
    matches: line => judge('allow', line, 'ask') === 'allow',
    touches: line => FITS[judge('deny', line, 'allow')],
  }
}

const FITS: Readonly<Record<Verdict, Fit>> = { deny: 'whole', ask: 'near', allow: 'none' }

function hostMatcher(host: string, actions: readonly Action[]): Matcher {
  const pattern = compileHost(host)
  return {
    ...nothingBelow,
    actions,
    matches: pattern.matches,
    touches: origin => (pattern.touches(origin) ? 'whole' : 'none'),
  }
}

function secretMatcher(secret: string, actions: readonly Action[]): Matcher {
  if (!/^[\w*.-]{1,200}$/.test(secret))
    throw refusedText(`'${secret.slice(0, 80)}' is no secret name`, /[\w*.-]+(?=\W*$)/.exec(secret)?.[0])
  const { matches } = compileGlob(secret)
  return { ...nothingBelow, actions, matches, touches: key => (matches(key) ? 'whole' : 'none') }
}

const nothingBelow = { covers: () => false, reaches: () => false, names: () => false }

const everything = (actions: readonly Action[]): Matcher => ({
  actions,
  prefix: [],
  matches: () => true,
  touches: () => 'whole',
  covers: () => true,
  reaches: () => true,
  names: () => false,
})
