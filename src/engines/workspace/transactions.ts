import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import { loadStaging, saveStaging } from './stage-store.ts'
import { createStaging, type Staging } from './staging.ts'

/** Changes of several calls that land together; kept on disk, so that separate processes can add to it. */
export interface Transaction {
  readonly id: string
  readonly staging: Staging
  save(): void
  /** Forgets everything that was staged. */
  end(): void
}

/** The transaction that a session is in, if it is in one. */
export interface Transactions {
  current(): Transaction | undefined
  /** Starts one, or goes on with one of that id; the session is in it until it is ended. */
  enter(id: string): Transaction
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

export function createTransactions(directory: string): Transactions {
  let current: Transaction | undefined
  return {
    current: () => current,
    enter(id) {
      if (!ID.test(id))
        throw new ToolError('invalid_input', `'${id}' cannot be the id of a transaction`, {
          hint: 'Use up to 64 letters, digits, dots, dashes and underscores',
        })
      const place = join(directory, id)
      const staging = loadStaging(place) ?? createStaging()
      current = {
        id,
        staging,
        save: () => saveStaging(place, staging),
        end() {
          rmSync(place, { recursive: true, force: true })
          current = undefined
        },
      }
      return current
    },
  }
}
