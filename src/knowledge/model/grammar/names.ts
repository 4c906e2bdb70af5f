import type { Value } from '../../../languages/file-model/file-model.ts'

/** The variables of a scope and of the enclosing ones. */
export interface Names {
  get(name: string): Value | undefined
  set(name: string, value: Value): void
  /** Takes a name from an outer scope: assignments to it go there. */
  share(name: string, isGlobal: boolean): void
}

interface Scope {
  readonly outer: Scope | undefined
  /** Nested scopes do not see its variables. */
  readonly isClosed: boolean
  readonly own: Map<string, Value>
  readonly shared: Map<string, Scope>
}

const scopes = new WeakMap<Names, Scope>()

export function openScope(around?: Names, isClosed = false): Names {
  const outer = around && scopes.get(around)
  const scope: Scope = { outer, isClosed, own: new Map(), shared: new Map() }
  const names: Names = {
    get: name => holderOf(scope, name)?.own.get(name),
    set: (name, value) => void (scope.shared.get(name) ?? scope).own.set(name, value),
    share(name, isGlobal) {
      const target = isGlobal ? outermost(scope) : outer && holderOf(outer, name)
      if (target) scope.shared.set(name, target)
    },
  }
  scopes.set(names, scope)
  return names
}

function holderOf(scope: Scope, name: string): Scope | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const isSeen = at === scope || !at.isClosed
    if (isSeen && at.own.has(name)) return at
    const sharedScope = isSeen ? at.shared.get(name) : undefined
    if (sharedScope) return sharedScope
  }
  return undefined
}

function outermost(scope: Scope): Scope {
  let at = scope
  while (at.outer) at = at.outer
  return at
}
