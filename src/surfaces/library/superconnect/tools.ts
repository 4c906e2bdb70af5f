import { superconnect } from '../../../contracts/superconnect/contract.ts'
import type { ErrorResponse } from '../../../contracts/superconnect/failure.ts'
import type { SuperconnectTools } from '../../../contracts/load-contract.ts'
import type { DataOf, InputOf } from '../../../kernel/tool-types.ts'
import { failedOpening } from '../failed-opening.ts'
import { withToolkit } from '../shared-toolkit.ts'

/** What the document's functions need to know, and the document prints as no parameter. */
export interface ComponentContext {
  /** The component whose budgets and metrics count the call. */
  readonly component?: string
  /** The repository; the directory of the process unless given. */
  readonly cwd?: string
}

/** A function as the document calls it. Returns a failure as the document's error object, and never throws. */
type DocumentFunction<Name extends keyof SuperconnectTools & string> = (
  parameters: InputOf<SuperconnectTools, Name>,
  context?: ComponentContext,
) => Promise<DataOf<SuperconnectTools, Name> | ErrorResponse>

/** Finds files in the repository index. */
export const queryIndex = documentFunction('queryIndex')
/** Reads a file of the repository. */
export const readFile = documentFunction('readFile')
/** Lists a directory of the repository. */
export const listFiles = documentFunction('listFiles')

function documentFunction<Name extends keyof SuperconnectTools & string>(name: Name): DocumentFunction<Name> {
  type Answer = DataOf<SuperconnectTools, Name> | ErrorResponse
  return async (input, context) => {
    try {
      const { component, cwd = process.cwd() }: ComponentContext = Object(context)
      return await withToolkit(cwd, async (kit, shared) => {
        const session = kit.session({
          contract: superconnect,
          shared,
          ...(component !== undefined && { task: component }),
        })
        return (await session.call(name, input)) as Answer
      })
    } catch (cause) {
      return failedOpening(superconnect, { name, input }, cause) as Answer
    }
  }
}
