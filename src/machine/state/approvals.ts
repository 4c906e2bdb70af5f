import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import type { ToolError } from '../../kernel/error.ts'
import { openLock } from './lock.ts'
import { loadApprovals, saveApprovals, type StoredApproval } from './approvals-file.ts'
import { makePrivateDirectory } from './private-file.ts'

export type { StoredApproval } from './approvals-file.ts'

/** The approval rules that people left behind, as far as they can be trusted now. */
export interface Approvals {
  list(): readonly StoredApproval[]
  /** Why no rule counts, where the file cannot be used; nothing can be added or changed until it is mended. */
  problem(): ToolError | undefined
  /** Under an id made by chance unless one is given, which no other rule may have. */
  add(rule: Omit<StoredApproval, 'id'>, id?: string): StoredApproval
  /** False if there is no such rule. */
  remove(id: string): boolean
  /** Notes that a rule was used; on disk to the minute. */
  touch(id: string, at: string): void
  setEnabled(id: string, on: boolean): boolean
  /** Notes that the time of a rule is over, for good. */
  expire(id: string): void
}

const TOUCH_EVERY_MS = 60_000

/**
 * Opens a file of rules, made when the first is added. Whatever changes in the file while it is open and did not come
 * through here, only takes away: a new, changed or switched-on rule counts once somebody opens the file anew.
 */
export function openApprovals(file: string, options: { readonly lock: string }): Approvals {
  const atOpen = loadApprovals(file)
  let seen = atOpen
  const trusted = new Map(atOpen.rules.map(rule => [rule.id, rule]))

  let listed: readonly StoredApproval[] | undefined

  /** What both the file and we say, each rule at its narrower reading; worked out anew when either has changed. */
  const list = (): readonly StoredApproval[] => {
    const now = loadApprovals(file, seen)
    if (listed && now === seen) return listed
    seen = now
    listed = now.rules.flatMap(rule => {
      const known = trusted.get(rule.id)
      if (!known || essence(rule) !== essence(known)) return []
      const expired = rule.expired ?? known.expired
      return [{ ...known, enabled: rule.enabled && known.enabled, ...(expired && { expired }) }]
    })
    return listed
  }

  const change = <T>(work: (rules: readonly StoredApproval[]) => readonly [readonly StoredApproval[], T]): T => {
    listed = undefined
    makePrivateDirectory(dirname(file))
    const lock = openLock(options.lock)
    try {
      return lock.run(() => {
        const now = loadApprovals(file)
        if (now.problem) throw now.problem
        const [rules, result] = work(now.rules)
        saveApprovals(file, rules)
        return result
      })
    } finally {
      lock.close()
    }
  }

  const update = (id: string, more: Partial<StoredApproval>): boolean => {
    const known = trusted.get(id)
    if (!known) return false
    trusted.set(id, { ...known, ...more })
    return change(rules => [rules.map(rule => (rule.id === id ? { ...rule, ...more } : rule)), true])
  }

  return {
    list,
    problem: () => loadApprovals(file, seen).problem,
    add(rule, id = randomUUID().slice(0, 8)) {
      const added = { ...rule, id }
      change(rules => [[...rules, added], added])
      trusted.set(added.id, added)
      return added
    },
    remove(id) {
      trusted.delete(id)
      return change(rules => [rules.filter(rule => rule.id !== id), rules.some(rule => rule.id === id)])
    },
    touch(id, at) {
      const known = trusted.get(id)
      if (!known) return
      if (known.lastUsed && Date.parse(at) - Date.parse(known.lastUsed) < TOUCH_EVERY_MS) return
      update(id, { lastUsed: at })
    },
    setEnabled: (id, on) => update(id, { enabled: on }),
    expire: id => void update(id, { expired: true }),
  }
}

/** What a rule allows: everything but its use, its switch and its end, with its fields in one order. */
function essence({ lastUsed: _lastUsed, enabled: _enabled, expired: _expired, ...rule }: StoredApproval): string {
  const given = Object.entries(rule).filter(([, value]) => value !== undefined)
  return JSON.stringify(given.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
