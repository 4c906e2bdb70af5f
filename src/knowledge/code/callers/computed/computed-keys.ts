import { once } from '../../../../kernel/once.ts'
import type { ComputedKey } from '../../../../languages/javascript/usage/script-members.ts'
import { wordOf } from '../../../../languages/file-model/word-of.ts'
import { each } from '../find-callers.ts'
import { inTime } from '../same-name.ts'
import { exportsMember, receiverJudge, type ReceiverParts, type ReceiverVerdict } from './judge-receiver.ts'
import type { KeyedScript, KeyedScripts } from './keyed-scripts.ts'
import { ownerOfMember, type KeyedSymbol, type MemberOwner } from './member-owner.ts'
import { modulesAround } from './modules-around.ts'

/** A place where a computed key may name a symbol. */
export interface KeyPlace extends ComputedKey {
  readonly path: string
  /** Its object was not judged in time. */
  readonly isLate: boolean
}

/** Judges objects by their types, until the time is over. */
interface KeyJudge extends ReceiverParts {
  readonly until: number
}

/**
 * Places where a script may name a symbol without writing its name: by a computed key, by a list of all names, or by a
 * type of them. A place on another object is left out. Without a judge every object of a file that knows the owner may
 * be it.
 */
export async function computedKeys(
  symbol: KeyedSymbol,
  read: () => Promise<KeyedScripts> | KeyedScripts,
  parts: KeyJudge | undefined,
): Promise<readonly KeyPlace[]> {
  const memberOwner = await ownerOfMember(symbol)
  if (!memberOwner) return []
  const owner = memberOwner
  const { scripts, links } = await read()
  const modules = modulesAround(symbol.path, links)
  const judge = parts && receiverJudge(owner, parts)
  const reachableFiles = modules.reached(judge ? await inTime(judge.typesIn(), []) : [])
  const isGlobal = !/\b(?:export|exports|import|require)\b/.test(symbol.text)
  // No object is a module that none holds.
  const isHeld = !owner.isModule || isGlobal || scripts.some(isHeldModule)
  const keyPlaces: KeyPlace[] = []
  for (const script of scripts) {
    const { path } = script
    // A type from far away comes through imports.
    const isKnown = isGlobal || reachableFiles.has(path)
    if (!script.isKeyed || !(isKnown || script.isFixed)) continue
    const fitting = (await script.keys()).filter(key => isFitting(owner.member, key))
    const mayReachOwner = once(
      () => path === owner.path || modules.isImported(path) || (isKnown && isNamed(owner, script.text())),
    )
    const judgeable = fitting.filter(
      key => isFixed(key) || (isKnown && (isHeld || isKept('open', key, owner, script, mayReachOwner))),
    )
    await each(judgeable, async key => {
      const isLate = parts !== undefined && performance.now() >= parts.until
      const verdict = judge && !isLate ? await judgeKey(path, key, judge.judge) : 'late'
      if (isKept(verdict, key, owner, script, mayReachOwner))
        keyPlaces.push({ ...key, path, isLate: parts !== undefined && verdict === 'late' })
    })
  }
  return keyPlaces.toSorted((one, two) => (one.path < two.path ? -1 : one.path > two.path ? 1 : one.start - two.start))

  function isHeldModule({ path, text }: KeyedScript): boolean {
    return reachableFiles.has(path) && modules.isHeld(path) && exportsMember(owner, path, text())
  }
}

type Verdict = ReceiverVerdict | 'late'

async function judgeKey(
  path: string,
  key: ComputedKey,
  judge: ReturnType<typeof receiverJudge>['judge'],
): Promise<Verdict> {
  const all = await inTime(Promise.all(key.receivers.map(at => judge(path, at))), ['late' as const])
  return (['it', 'late', 'open'] as const).find(one => all.some(found => found === one)) ?? 'other'
}

function isKept(
  verdict: Verdict,
  key: ComputedKey,
  owner: MemberOwner,
  { hasModules, namesModules, text }: KeyedScript,
  isNear: () => boolean,
): boolean {
  if (verdict === 'it' || verdict === 'other') return verdict === 'it'
  if (key.how === 'type') return false
  // Only an object that may be a module has the names of one.
  if (owner.isModule) return (isFixed(key) && hasModules) || (namesModules && isNear() && mayBeModule(text(), key))
  return isFixed(key) || isNear()
}

/** An object that a file gets as a whole module, or its own exports. */
function mayBeModule(text: string, { receivers }: ComputedKey): boolean {
  return receivers.some(at => {
    const [name = ''] = at < 0 ? [] : (/^[\w$]+/.exec(text.slice(at, at + LONGEST)) ?? [])
    return (
      name === 'exports' ||
      (name !== '' &&
        new RegExp(
          String.raw`\*\s*as\s+${escapeDollar(name)}\b|(?:^|[^\w$])${escapeDollar(name)}\s*=\s*(?:await\s+)?(?:require|import)\s*\(`,
        ).test(text))
    )
  })
}

const LONGEST = 100
const escapeDollar = (name: string): string => name.replaceAll('$', String.raw`\$`)

const isNamed = ({ name }: MemberOwner, text: string): boolean => name !== '' && wordOf(name).test(text)

const isFixed = ({ prefix, suffix }: ComputedKey): boolean => prefix + suffix !== ''

const isFitting = (name: string, { prefix, suffix }: ComputedKey): boolean =>
  name.length >= prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix)
