import { protectedPlace } from './builtin.ts'
import { foldPath } from './fold-name.ts'
import type { Policy } from './policy.ts'
import { stricterOf, type Verdict } from './verdict.ts'

export interface OfCommand {
  readonly verdict: Verdict
  readonly why: string
}

/** Where programs put what others have written: names that mean something elsewhere mean nothing in there. */
const DEPENDENCIES =
  /(^|\/)(node_modules|\.venv|venv|site-packages|vendor|target|dist|build|__pycache__|\.next|\.cache|\.gradle)\//

/**
 * What policy says to a change that a command made. The grant of the command covers ordinary files, so that no default
 * counts here; rules and protected places hold all the same.
 */
export function decideMade(policy: Policy, path: string, options: { readonly ignored?: boolean } = {}): OfCommand {
  const guard = protectedPlace(path, policy.protection)
  const waived = guard?.verdict === 'ask' && options.ignored === true && isInstalled(policy, path)
  let strictest: OfCommand = guard && !waived ? guard : { verdict: 'allow', why: 'the command was granted' }
  const alias = foldPath(path)
  for (let layer: Policy | undefined = policy; layer !== undefined; layer = layer.within)
    for (const { verdict, matcher, why, id, path: place } of layer.rules.byAction.write) {
      if (verdict === 'allow' || place === undefined || matcher.touches(path, alias) === 'none') continue
      if (stricterOf(verdict, strictest.verdict) !== strictest.verdict)
        strictest = { verdict, why: why ?? `rule ${id}` }
    }
  return strictest
}

/** Whether it is the directory of dependencies that comes first on the way, and not a protected place. */
function isInstalled({ protection }: Policy, path: string): boolean {
  const at = DEPENDENCIES.exec(path)?.index
  return at !== undefined && (at === 0 || protectedPlace(path.slice(0, at), protection) === undefined)
}
