import type { Claim } from '../../kernel/claim.ts'
import { nearMiss } from '../../kernel/near-miss.ts'
import { GIT_COMMANDS, mayBeAlias, subcommandAt } from '../shell/programs/git.ts'
import type { Policy } from './policy.ts'
import type { CompiledRule } from './rule.ts'
import { isStricter } from '../verdict.ts'

/** What is odd about one rule. */
export interface RuleFinding {
  readonly rule: string
  readonly kind: 'shadowed' | 'unmatched' | 'wide' | 'unknown'
  readonly what: string
  /** The rule that decides in its place. */
  readonly by?: string
}

/** Returns the rules that never decide, that no claim matched, that allow more than they seem to, or that misspell git. */
export function lintRules({ rules: { all } }: Policy, claims: readonly Claim[]): readonly RuleFinding[] {
  return all.flatMap((rule, at) => [
    ...shadows(rule, at, all),
    ...unmatchedFindings(rule, claims),
    ...widths(rule),
    ...misspellingFindings(rule),
  ])
}

function shadows(rule: CompiledRule, at: number, all: readonly CompiledRule[]): readonly RuleFinding[] {
  const stricter = all.find(other => isStricter(other.verdict, rule.verdict) && coversRule(other, rule))
  if (stricter)
    return [
      {
        rule: rule.id,
        kind: 'shadowed',
        what: `it never decides: ${nameOf(stricter)} covers all of it and is stricter`,
        by: stricter.id,
      },
    ]
  const same = all.find(
    (other, here) =>
      here !== at &&
      other.verdict === rule.verdict &&
      isPlain(rule) &&
      coversRule(other, rule) &&
      (here < at || !coversRule(rule, other)),
  )
  return same
    ? [
        {
          rule: rule.id,
          kind: 'shadowed',
          what: `it adds nothing: ${nameOf(same)} says the same of all of it`,
          by: same.id,
        },
      ]
    : []
}

/** A rule with a note, limits or a depth of its own says more than its verdict. */
const isPlain = ({ why, writes, always, depth }: CompiledRule): boolean =>
  [why, writes, always, depth].every(each => each === undefined)

/** Reports whether a rule covers all that another does, as far as their texts show: an uncertain pair is not reported. */
function coversRule(wide: CompiledRule, narrow: CompiledRule): boolean {
  if (wide === narrow || wide.depth !== narrow.depth) return false
  if (!narrow.matcher.actions.every(action => wide.matcher.actions.includes(action))) return false
  if (isUntargeted(wide)) return true
  if (wide.path !== undefined && narrow.path !== undefined) return coversPath(wide, narrow.path)
  if (wide.command !== undefined && narrow.command !== undefined) return coversWords(wide, narrow)
  if (wide.host !== undefined && narrow.host !== undefined)
    return (
      wide.host === narrow.host || wide.host === '*' || (isPlainText(narrow.host) && wide.matcher.matches(narrow.host))
    )
  if (wide.secret !== undefined && narrow.secret !== undefined)
    return wide.secret === narrow.secret || (isPlainText(narrow.secret) && wide.matcher.matches(narrow.secret))
  return false
}

const isUntargeted = ({ path, command, host, secret }: CompiledRule): boolean =>
  [path, command, host, secret].every(each => each === undefined)

function coversPath({ path, matcher }: CompiledRule, narrow: string): boolean {
  if (path === narrow || path === '**') return true
  if (isPlainText(narrow)) return matcher.matches(narrow)
  const directory = /^((?:[^*?[\]{}!/]+\/)+)\*\*(?:\/|$)/.exec(narrow)?.[1]
  return directory !== undefined && matcher.covers(directory.slice(0, -1))
}

/** A rule that begins with fewer words of the same command covers it, for any verdict of its own. */
function coversWords(wide: CompiledRule, narrow: CompiledRule): boolean {
  const { prefix: words = [], lastBegins } = wide.matcher
  const { prefix: more = [] } = narrow.matcher
  if (words.length > more.length || (words.length === more.length && narrow.matcher.lastBegins !== lastBegins))
    return false
  return words.every((word, at) => more[at] === word)
}

const isPlainText = (text: string): boolean => !/[*?[\]{}!\\]/.test(text)

function unmatchedFindings(rule: CompiledRule, claims: readonly Claim[]): readonly RuleFinding[] {
  if (claims.length === 0 || claims.some(claim => matchesClaim(rule, claim))) return []
  const what = `none of the calls looked at matched it`
  return [
    { rule: rule.id, kind: 'unmatched', what: rule.verdict === 'deny' ? `${what}; a deny may still be needed` : what },
  ]
}

function matchesClaim({ matcher, verdict }: CompiledRule, { action, resource }: Claim): boolean {
  if (!matcher.actions.includes(action)) return false
  const directory = resource === '**' ? '' : resource.endsWith('/**') ? resource.slice(0, -3) : undefined
  const isFile = action === 'read' || action === 'create' || action === 'write'
  if (isFile && directory !== undefined) return matcher.covers(directory) || matcher.reaches(directory)
  return verdict === 'allow' ? matcher.matches(resource) : matcher.touches(resource) !== 'none'
}

/** Lines that few mean to allow along with a program's name; each is tried on the rule itself. */
const TELLING: readonly string[] = [
  'git push',
  'git reset --hard',
  'npm publish',
  'npm run x',
  'npx x',
  'pnpm publish',
  'yarn publish',
  'cargo publish',
  'pip install x',
  'docker run x',
  'docker push x',
  'kubectl delete x',
  'gh pr merge',
  'make x',
  'node x.js',
  'python x.py',
  'python3 x.py',
  'deno run x.ts',
  'bun x.ts',
  'ruby x.rb',
  'perl x.pl',
  'sh x.sh',
  'bash x.sh',
  'rm -r x',
  'curl https://example.com',
]

function widths(rule: CompiledRule): readonly RuleFinding[] {
  if (rule.verdict !== 'allow') return []
  const wideFinding = (what: string): readonly RuleFinding[] => [{ rule: rule.id, kind: 'wide', what }]
  const changes = rule.matcher.actions.some(action => action !== 'read')
  const isAll = isUntargeted(rule) || rule.path === '**' || rule.host === '*' || rule.secret === '*'
  if (changes && (isAll || rule.matcher.prefix?.length === 0))
    return wideFinding(`it allows every ${rule.matcher.actions.join(', ')}`)
  if (rule.command !== undefined) {
    const also = TELLING.filter(line => line !== rule.command && rule.matcher.matches(line))
    return also.length > 0 ? wideFinding(`it also allows ${also.map(line => `'${line}'`).join(', ')}`) : []
  }
  if (rule.host !== undefined && /^(https?:\/\/)?\*\.[^.]+$/.test(rule.host))
    return wideFinding('it allows every host of a whole top level')
  return []
}

/** Names a command of git that git does not have and that is close to one of its own. */
function misspellingFindings({ id, matcher: { prefix = [], lastBegins } }: CompiledRule): readonly RuleFinding[] {
  const name = prefix[0] === 'git' ? prefix[subcommandAt(prefix)] : undefined
  if (name === undefined || lastBegins === name || !mayBeAlias(name)) return []
  const intendedName = nearMiss(name, GIT_COMMANDS)
  const what = `git has no command '${name}', so only an alias or a program git-${name} would match; did you mean git ${intendedName}?`
  return intendedName === undefined ? [] : [{ rule: id, kind: 'unknown', what }]
}

const nameOf = ({ id }: CompiledRule): string => `'${id}'`
