import type { RequestId } from '@modelcontextprotocol/server'

/** Batches of messages whose answers go out together, each when its last request is answered. */
export interface Batches {
  /** Opens a batch with the ids of its requests, and the answers that are known already. */
  open(ids: readonly RequestId[], known: readonly object[]): void
  /** Holds an answer until the others of its batch are there. Returns false if it belongs to none. */
  take(id: RequestId | undefined, answer: object): boolean
  /** Drops an answer that no one waits for. */
  forget(id: RequestId): void
  /** Sends the answers so far. */
  flush(): void
}

interface Batch {
  readonly waiting: Set<RequestId>
  readonly answers: object[]
}

export function createBatches(send: (answers: readonly object[]) => void): Batches {
  const batches = new Map<RequestId, Batch>()
  const settle = (batch: Batch): void => {
    if (batch.waiting.size === 0 && batch.answers.length > 0) send(batch.answers.splice(0))
  }
  const leave = (id: RequestId | undefined): Batch | undefined => {
    const batch = id === undefined ? undefined : batches.get(id)
    if (id === undefined || !batch) return undefined
    batches.delete(id)
    batch.waiting.delete(id)
    return batch
  }
  return {
    open(ids, known) {
      const batch: Batch = { waiting: new Set(ids), answers: [...known] }
      for (const id of ids) batches.set(id, batch)
      settle(batch)
    },
    take(id, answer) {
      const batch = leave(id)
      if (!batch) return false
      batch.answers.push(answer)
      settle(batch)
      return true
    },
    forget(id) {
      const batch = leave(id)
      if (batch) settle(batch)
    },
    flush() {
      for (const { waiting, answers } of new Set(batches.values())) {
        waiting.clear()
        if (answers.length > 0) send(answers.splice(0))
      }
      batches.clear()
    },
  }
}
