/** A question and its known answers. */
export interface Slot<A> {
  readonly compute: () => readonly A[]
  answer: readonly A[]
  state: 'new' | 'open' | 'tentative' | 'done'
  /** Its index on the stack while it is open. */
  depth: number
  /** The lowest open question whose unfinished answer this one used. */
  low: number
  /** The number of tentative answers when it was opened. */
  since: number
  rounds: number
}

interface WorkList<A> {
  slot(compute: () => readonly A[]): Slot<A>
  /** Returns the answer, or its known part while other questions are being answered. */
  read(slot: Slot<A>): readonly A[]
}

const NONE: readonly never[] = []
/** Limit on recomputing answers that depend on each other in a cycle. */
const MOST_ROUNDS = 4
/** The longest answer. */
const MOST_ANSWERS = 100

/**
 * Answers questions that depend on each other without recursion: pushes needed questions on a stack of its own, and
 * recomputes a question once they are answered. Recomputes cycles until their answers no longer change.
 */
export function createWorkList<A>(): WorkList<A> {
  const stack: Slot<A>[] = []
  const tentative: Slot<A>[] = []
  let neededSlots: Slot<A>[] = []
  let current: Slot<A> | undefined

  return {
    slot: compute => ({ compute, answer: NONE, state: 'new', depth: 0, low: 0, since: 0, rounds: 0 }),
    read(slot) {
      if (slot.state === 'done') return slot.answer
      if (!current) return run(slot)
      if (slot.state === 'new') neededSlots.push(slot)
      else current.low = Math.min(current.low, slot.state === 'open' ? slot.depth : slot.low)
      return slot.answer
    },
  }

  function run(root: Slot<A>): readonly A[] {
    stack.push(root)
    try {
      for (let top = stack.at(-1); top; top = stack.at(-1)) step(top)
    } finally {
      current = undefined
      for (const each of [...stack.splice(0), ...tentative.splice(0)]) if (each.state !== 'done') each.state = 'new'
    }
    return root.answer
  }

  function step(top: Slot<A>): void {
    const depth = stack.length - 1
    if (top.state === 'new') {
      top.state = 'open'
      top.depth = depth
      top.since = tentative.length
    } else if (top.state !== 'open' || top.depth !== depth) {
      // It was requested twice, and is answered or open further down.
      stack.pop()
      return
    }
    ;[current, neededSlots, top.low] = [top, [], Infinity]
    const answer = distinct(top.compute())
    current = undefined
    if (neededSlots.length > 0) {
      for (const each of neededSlots.toReversed()) stack.push(each)
      return
    }
    finish(top, answer)
  }

  function finish(top: Slot<A>, answer: readonly A[]): void {
    const { depth, low } = top
    const isChanged = answer.length !== top.answer.length || answer.some((each, at) => each !== top.answer[at])
    top.answer = answer
    if (low === depth && isChanged && top.rounds++ < MOST_ROUNDS) {
      for (const each of tentative.splice(top.since)) each.state = 'new'
      return
    }
    stack.pop()
    const inside = tentative.splice(top.since)
    if (low < depth) {
      for (const each of inside) each.low = Math.min(each.low, low)
      top.state = 'tentative'
      tentative.push(...inside, top)
      return
    }
    for (const each of [...inside, top]) each.state = 'done'
  }
}

function distinct<A>(all: readonly A[]): readonly A[] {
  if (all.length < 2) return all
  return [...new Set(all)].slice(0, MOST_ANSWERS)
}
