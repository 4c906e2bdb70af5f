import { ToolError } from '../../../kernel/error.ts'
import { MORE_LOADING } from '../../../kernel/loading.ts'
import type { CodeParts } from '../code-parts.ts'
import { deadlineIn } from '../servers/deadline.ts'
import { stagedTexts } from '../servers/staged-texts.ts'
import type { ServerWait } from '../types.ts'
import { fileAt } from './ask-server.ts'

/** Waits as `CodeEngine` says. */
export async function awaitServer(
  parts: CodeParts,
  path: string,
  { loading: { ms }, signal, onProgress }: ServerWait,
): Promise<void> {
  try {
    const file = fileAt(parts, path)
    const deadline = deadlineIn(ms, signal, { onProgress, moreTime: MORE_LOADING, purpose: 'loading' })
    await parts.servers.ask(file, stagedTexts(parts.root, parts.staging), deadline, async server => {
      if (server.isReady) return
      const [first] = await server.outline(file)
      // An outline needs the file alone; a server loads the others with the first question about a meaning.
      if (first) await server.references(file, first.selectionRange.start)
    })
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    if (error.code === 'timeout')
      throw new ToolError('unavailable', error.message, {
        ...(error.hint !== undefined && { hint: error.hint }),
        cause: error,
      })
  }
}
