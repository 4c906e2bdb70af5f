import { z } from 'zod'
import { ToolError } from '../../../kernel/error.ts'
import { blameLines } from '../../../machine/workspace/commit/blame.ts'
import { contentNow, fileHistory } from '../../../machine/workspace/commit/file-history.ts'
import { commitsWithCalls } from '../commit-facts.ts'
import { makeCall } from '../make-call.ts'
import { defineRoute } from '../route.ts'
import { anyObject, inWorkspace } from './in-workspace.ts'

/** Larger files are read, but nobody looks at each of their lines. */
const MOST_BYTES = 2 << 20

export const blameRoutes = [
  defineRoute({
    id: 'blameFile',
    method: 'GET',
    path: '/v1/blame',
    about:
      'Say who wrote each line of a file: the commit, and the call that made it. The file is read as the tool read does',
    scope: 'read',
    query: z.strictObject({ ...inWorkspace, path: z.string().min(1).max(4096) }),
    answer: z.strictObject({
      path: z.string(),
      lines: z.array(
        z.strictObject({
          text: z.string(),
          commit: z.string().optional().describe('Absent if no commit in the store has written it'),
        }),
      ),
      commits: z.array(anyObject('A commit that wrote a line: its id, its time and its call')),
    }),
    async run(request) {
      const { path } = request.query
      const { kit } = request.workspace()
      const { ok, data, error } = Object(
        await makeCall({ ...request, wantsEvents: false }, { tool: 'read', input: { path } }),
      )
      if (!ok) throw new ToolError(error.code, error.message, { hint: error.hint })
      if (data.bytes > MOST_BYTES) throw new ToolError('too_large', `'${path}' has more than ${MOST_BYTES} bytes`)
      const content = contentNow(kit.workspace.root, data.path)
      const history = fileHistory(kit.workspace.store, data.path)
      const ids = blameLines(content, history)
      const text = (await kit.redactor())(content.toString('utf8'))
      const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
      const wanted = new Set(ids)
      return {
        path: data.path,
        lines: ids.map((commit, at) => ({ text: lines[at] ?? '', ...(commit !== undefined && { commit }) })),
        commits: commitsWithCalls(kit).filter(({ id }) => wanted.has(id)),
      }
    },
  }),
]
