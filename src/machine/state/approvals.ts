import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import type { ToolError } from '../../kernel/error.ts'
import { openLock } from './lock.ts'
import { loadApprovals, saveApprovals, type StoredApproval } from './approvals-file.ts'
import { makePrivateDirectory } from './private-file.ts'

export type { StoredApproval } from './approvals-file.ts'

/** Stored approval rules, reduced to those trusted now. */
export interface Approvals {
  list(): readonly StoredApproval[]
  /** Returns why no rule counts, if the file is unusable. Nothing can be added or changed until it is repaired. */
  problem(): ToolError | undefined
  /** Adds under a random id, or under the given one, which must be unused. */
  add(rule: Omit<StoredApproval, 'id'>, id?: string): StoredApproval
  /** Returns false for an unknown rule. */
  remove(id: string): boolean
  /** Records the use of a rule; on disk to the minute. */
  touch(id: string, at: string): void
  setEnabled(id: string, on: boolean): boolean
  /** Records the expiry of a rule, permanently. */
  expire(id: string): void
}

const TOUCH_EVERY_MS = 60_000

/**
 * Opens a file of rules, created with the first rule. Outside edits while it is open can only take away: a new, changed
 * or enabled rule counts after the next opening.
 */
export function openApprovals(file: string, options: { readonly lock: string }): Approvals {
  const atOpen = loadApprovals(file)
  let lastSeen = atOpen
  const trustedRules = new Map(atOpen.rules.map(rule => [rule.id, rule]))

  let activeRules: readonly StoredApproval[] | undefined

  /**
   * Returns the rules that both the file and this process hold, each in its narrower form. Recomputed when either
   * changes.
   */
  const list = (): readonly StoredApproval[] => {
    const now = loadApprovals(file, lastSeen)
    if (activeRules && now === lastSeen) return activeRules
    lastSeen = now
    activeRules = now.rules.flatMap(rule => {
      const trustedRule = trustedRules.get(rule.id)
      if (!trustedRule || essence(rule) !== essence(trustedRule)) return []
      const expiry = rule.expired ?? trustedRule.expired
      return [{ ...trustedRule, enabled: rule.enabled && trustedRule.enabled, ...(expiry && { expired: expiry }) }]
    })
    return activeRules
  }

  const change = <T>(work: (rules: readonly StoredApproval[]) => readonly [readonly StoredApproval[], T]): T => {
    activeRules = undefined
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
    const trustedRule = trustedRules.get(id)
    if (!trustedRule) return false
    trustedRules.set(id, { ...trustedRule, ...more })
    return change(rules => [rules.map(rule => (rule.id === id ? { ...rule, ...more } : rule)), true])
  }

  return {
    list,
    problem: () => loadApprovals(file, lastSeen).problem,
    add(rule, id = randomUUID().slice(0, 8)) {
      const newRule = { ...rule, id }
      change(rules => [[...rules, newRule], newRule])
      trustedRules.set(newRule.id, newRule)
      return newRule
    },
    remove(id) {
      trustedRules.delete(id)
      return change(rules => [rules.filter(rule => rule.id !== id), rules.some(rule => rule.id === id)])
    },
    touch(id, at) {
      const trustedRule = trustedRules.get(id)
      if (!trustedRule) return
      if (trustedRule.lastUsed && Date.parse(at) - Date.parse(trustedRule.lastUsed) < TOUCH_EVERY_MS) return
      update(id, { lastUsed: at })
    },
    setEnabled: (id, on) => update(id, { enabled: on }),
    expire: id => void update(id, { expired: true }),
  }
}

/** Returns what a rule allows: everything except its use, its switch and its end, in a fixed field order. */
function essence({ lastUsed: _lastUsed, enabled: _enabled, expired: _expired, ...rule }: StoredApproval): string {
  const fields = Object.entries(rule).filter(([, value]) => value !== undefined)
  return JSON.stringify(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
