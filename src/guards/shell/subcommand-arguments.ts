import type { Concern } from './concern.ts'
import { literalOf, type Word } from './script.ts'
import { unlistedConcerns } from './unlisted-arguments.ts'

/** Which subcommands of a program its bare name covers, and which options it has none of. */
interface Subcommands {
  /** Only these, or all but those. */
  readonly only?: RegExp
  readonly not?: RegExp
  /** Options that lead somewhere else, or run something, wherever they stand. */
  readonly risky?: RegExp
  /** Arguments that are not for everybody's eyes. */
  readonly secret?: RegExp
}

const DOCKER: Subcommands = {
  only: /^(ps|images|logs|version|info|inspect|top|port|stats|history|diff|search|events)$/,
  risky: /^(-[Hc]|--(host|config|context))(=|$)/,
}
const PACKAGES = /^(-[Ccg]|--(global|location|call|dir|cwd|use-node-version|shell-emulator))(=|$)/

const SUBCOMMANDS: ReadonlyMap<string, Subcommands> = new Map([
  ['docker', DOCKER],
  ['podman', DOCKER],
  [
    'kubectl',
    {
      only: /^(get|describe|logs|explain|version|api-resources|api-versions|cluster-info|top)$/,
      risky: /^--(kubeconfig|server|token|as|context|cluster|user|cache-dir|profile-output)(=|$)|^-s$/,
      secret: /secret/i,
    },
  ],
  [
    'npm',
    {
      not: /^(exec|x|init|create|innit|explore|config|c|set|edit|pkg|install-test|it|rebuild|hook|token|login|adduser)$/,
      risky: PACKAGES,
    },
  ],
  ['pnpm', { not: /^(exec|dlx|init|create|config|c|set|env|patch|setup|store)$/, risky: PACKAGES }],
  ['yarn', { not: /^(exec|dlx|init|create|config|set|plugin|policies|node)$/, risky: PACKAGES }],
  ['bun', { not: /^(x|init|create|repl|exec)$/, risky: /^(-[er]|--(eval|preload|print|cwd))(=|$)/ }],
])

/** What a rule for a program with subcommands does not cover; undefined where it has none that are known. */
export function subcommandConcerns(name: string, words: readonly Word[]): readonly Concern[] | undefined {
  const known = SUBCOMMANDS.get(name)
  if (!known) return undefined
  const texts = words.map(word => literalOf(word) ?? '')
  const at = texts.findIndex((text, index) => index > 0 && !text.startsWith('-'))
  const sub = texts[at] ?? ''
  const end = texts.indexOf('--')
  const options = texts.flatMap((text, index) => {
    const isOver = index === 0 || (end > 0 && index > end)
    if (isOver || !(known.risky?.test(text) || known.secret?.test(text))) return []
    return [{ at: index, what: `${text} is not covered by a rule for ${name}` }]
  })
  if (at < 0) return [...options, ...unlistedConcerns(words)]
  const isCovered = known.only?.test(sub) ?? !known.not?.test(sub)
  const subs = isCovered ? [] : [{ at, what: `'${name} ${sub}' may run or change something` }]
  const rest = /^(docker|podman)$/.test(name) && sub === 'run' ? containerConcerns(texts, at) : unlistedConcerns(words)
  return [...subs, ...options, ...rest]
}

const ALONE = /^(-[itdq]+|--(rm|interactive|tty|detach|init|read-only|quiet))$/
const VALUED = /^(-[ewpm]|--(env|workdir|publish|name|platform|memory|cpus|pull|hostname|label))$/

/** Options of `docker run` that give the container nothing of the machine; behind the image everything is the container's. */
function containerConcerns(texts: readonly string[], sub: number): readonly Concern[] {
  const concerns: Concern[] = []
  for (let at = sub + 1; at < texts.length; at++) {
    const text = texts[at] ?? ''
    const [name = ''] = text.split('=')
    if (!text.startsWith('-') && text !== '') break
    if (VALUED.test(text)) at++
    else if (!ALONE.test(text) && !(text.includes('=') && VALUED.test(name)))
      concerns.push({ at, what: `the option ${name} may give the container a part of this machine` })
  }
  return concerns
}
